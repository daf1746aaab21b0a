"""Random programs of calls, and a pair of stores that must answer them alike."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum

from hypothesis import strategies as st

from application.queries import JobQuery
from application.requests import Beat, ClaimRequest
from domain import moves
from domain.dispatch import Offer
from domain.errors import IllegalMoveError
from domain.job import Failure, Job, JobState, Json, Lease, Outcome
from domain.retry import RetryPolicy
from domain.submission import Submission, submit
from domain.transition import Transition
from tests.builders import NOW
from tests.contract.conftest import Ports

Decide = Callable[[Job, datetime], Transition]


class View(Enum):
    """What a decision is made on."""

    RUNNING_NOW = "a job that runs, as it stands"
    RUNNING_ONCE = "a job that runs, as it was when it ran before or ran under other signs"
    EVER = "any job as it ever was"


Pick = tuple[View, int]


def _s(seconds: float) -> timedelta:
    return timedelta(seconds=seconds)


# Few values, so that instants, lanes and ranks coincide often and programs meet every boundary.
MOMENTS = [_s(0), _s(0.000001), _s(0.0005), _s(1), _s(5), _s(30), _s(60)]
TYPES, QUEUES, WORKERS = ["x", "y"], ["a", "b", "c"], ["ada", "bob"]

moments = st.sampled_from(MOMENTS)
mostly_at_once = st.just(_s(0)) | moments
policies = st.sampled_from(
    [
        RetryPolicy(),
        RetryPolicy(delay=_s(1)),
        RetryPolicy(delay=_s(5), factor=0.5, max_delay=_s(30), jitter=0.5),
    ]
)
failures = st.builds(
    Failure,
    type=st.sampled_from(["E", ""]),
    message=st.text(st.characters(exclude_categories=["Cs"]), max_size=3),
    detail=st.sampled_from([None, Json(b"null"), Json(rb'["\u0000", 1e400]')]),
)
thieves = st.none() | st.none() | st.sampled_from(WORKERS)
results = st.sampled_from([Json(b"null"), Json(b"1"), Json(rb'"\ud800"')])


@dataclass(frozen=True, slots=True)
class Submit:
    submissions: Sequence[Submission]
    ages: Sequence[timedelta]


@dataclass(frozen=True, slots=True)
class Claim:
    request: ClaimRequest


@dataclass(frozen=True, slots=True)
class Renew:
    """Beats for what some jobs once were; `off` and `thief` make leases that nobody had."""

    picks: Sequence[Pick]
    progress: float | None
    length: timedelta
    off: int
    thief: str | None


@dataclass(frozen=True, slots=True)
class Settle:
    """Decisions on what some jobs once were, fresh or stale."""

    decisions: Sequence[tuple[Pick, Decide]]


@dataclass(frozen=True, slots=True)
class Reap:
    limit: int


@dataclass(frozen=True, slots=True)
class Wait:
    time: timedelta


Step = Submit | Claim | Renew | Settle | Reap | Wait
# Counted from the newest.
picks = st.tuples(st.sampled_from(View), st.integers(0, 4) | st.integers(0, 40))
submissions = st.builds(
    Submission,
    job_type=st.sampled_from(TYPES),
    queue=st.sampled_from(QUEUES),
    priority=st.sampled_from([-32768, -1, 0, 0, 1]),
    delay=mostly_at_once,
    timeout=st.sampled_from([_s(1), _s(30), _s(45), timedelta(days=7)]),
    max_attempts=st.integers(1, 3),
    retry=policies,
)
offers = st.builds(
    Offer,
    job_types=st.just(frozenset(TYPES)) | st.frozensets(st.sampled_from(TYPES)),
    queues=st.none() | st.none() | st.frozensets(st.sampled_from([*QUEUES, "0", "zz"])),
)
requests = st.builds(
    ClaimRequest,
    worker_id=st.sampled_from(WORKERS),
    offer=offers,
    limit=st.integers(1, 5),
    lease_length=st.sampled_from([_s(1), _s(30)]),
)


@st.composite
def deciders(draw: st.DrawFn) -> Decide:
    failure, result, roll = draw(failures), draw(results), draw(st.sampled_from([0.0, 1.0]))
    retryable, wish = draw(st.booleans()), draw(st.none() | mostly_at_once)
    reason = draw(st.sampled_from([Outcome.RELEASED, Outcome.NEVER_RECEIVED]))
    ways: list[Decide] = [
        lambda job, now: moves.succeed(_lease(job), result=result, now=now),
        lambda job, now: moves.fail(
            job, failure=failure, now=now, roll=roll, retryable=retryable, retry_after=wish
        ),
        lambda job, now: moves.expire(job, now=now, roll=roll),
        lambda job, now: moves.release(job, now=now, reason=reason),
        lambda job, now: moves.cancel(job, now=now),
        lambda job, now: moves.confirm_cancel(job, now=now),
        lambda job, now: moves.retry(job, now=now),
        lambda job, now: moves.become_due(job, now=now),
    ]
    way = draw(st.sampled_from(ways))
    thief = draw(thieves)
    return lambda job, now: way(replace(job, worker_id=thief or job.worker_id), now)


claims = st.builds(Claim, requests)
settlements = st.builds(Settle, st.lists(st.tuples(picks, deciders()), min_size=1, max_size=4))
steps: st.SearchStrategy[Step] = st.one_of(
    claims,
    claims,
    settlements,
    settlements,
    st.builds(
        Submit,
        st.lists(submissions, min_size=1, max_size=3),
        st.lists(moments, min_size=3, max_size=3),
    ),
    st.builds(
        Renew,
        st.lists(picks, max_size=3),
        st.sampled_from([None, 0.0, 0.5]),
        st.sampled_from([_s(1), _s(30)]),
        st.sampled_from([0, 0, 0, 0, 1, -1]),
        thieves,
    ),
    st.builds(Reap, st.integers(1, 4)),
    st.builds(Wait, moments),
)
programs = st.lists(steps, min_size=20, max_size=60)


def _lease(job: Job) -> Lease:
    """Return the lease that a job would have if it ran."""
    return Lease(job_id=job.id, attempt=job.attempt, worker_id=job.worker_id or "nobody")


@dataclass(slots=True)
class Twins:
    """Two sets of adapters that get the same calls; `known` is all that they ever answered."""

    one: Ports
    two: Ports
    now: datetime = NOW
    known: list[Job] = field(default_factory=list)

    async def run(self, program: Sequence[Step]) -> None:
        for step in program:
            await self._take(step)
            await self._compare_all()

    async def _take(self, step: Step) -> None:
        match step:
            case Submit(asked, ages):
                await self._submit(asked, ages)
            case Claim(request):
                await self._claim(request)
            case Renew():
                await self._renew(step)
            case Settle(decisions):
                await self._settle(decisions)
            case Reap(limit):
                await self._reap(limit)
            case Wait(time):
                self.now += time

    async def _submit(self, asked: Sequence[Submission], ages: Sequence[timedelta]) -> None:
        pairs = zip(asked, ages, strict=False)
        jobs = [submit(each, now=self.now - age) for each, age in pairs]
        self._learn(await self.one.store.add(jobs), await self.two.store.add(jobs))

    async def _claim(self, request: ClaimRequest) -> None:
        self._learn(
            await self.one.store.claim(request, now=self.now),
            await self.two.store.claim(request, now=self.now),
        )

    async def _renew(self, step: Renew) -> None:
        leases = {job.id: _lease(job) for job in self._picked(step.picks)}
        beats = [
            Beat(
                lease=replace(
                    lease,
                    attempt=lease.attempt + step.off,
                    worker_id=step.thief or lease.worker_id,
                ),
                progress=step.progress,
                lease_length=step.length,
            )
            for lease in leases.values()
        ]
        one = await self.one.store.renew(beats, now=self.now)
        assert await self.two.store.renew(beats, now=self.now) == one

    async def _settle(self, decisions: Sequence[tuple[Pick, Decide]]) -> None:
        decided: dict[int, Transition] = {}
        for pick, decide in decisions:
            for job in self._picked([pick]):
                try:
                    decided[job.id] = decide(job, self.now)
                except IllegalMoveError:
                    continue
        await self._store(list(decided.values()))

    async def _reap(self, limit: int) -> None:
        expired = await self.one.overdue.expired(now=self.now, limit=limit)
        assert await self.two.overdue.expired(now=self.now, limit=limit) == expired
        due = await self.one.overdue.due(now=self.now, limit=limit)
        assert await self.two.overdue.due(now=self.now, limit=limit) == due
        await self._store(
            [moves.expire(job, now=self.now) for job in expired]
            + [moves.become_due(job, now=self.now) for job in due]
        )

    async def _store(self, decided: Sequence[Transition]) -> None:
        one = await self.one.store.settle(decided)
        assert await self.two.store.settle(decided) == one

    async def _compare_all(self) -> None:
        every = JobQuery(limit=500, oldest_first=True)
        self._learn(await self.one.board.find(every), await self.two.board.find(every))
        assert await self.one.overdue.next_moment() == await self.two.overdue.next_moment()

    async def compare_reading(self) -> None:
        """Check what people read: the census, lanes, leases by worker, jobs by state."""
        assert await self.one.board.census() == await self.two.board.census()
        assert await self.one.workers.running() == await self.two.workers.running()
        one, two = await self.one.board.pending_lanes(), await self.two.board.pending_lanes()
        assert set(one) == set(two)
        for state in JobState:
            query = JobQuery(state=state, job_type="x", limit=3)
            assert await self.one.board.find(query) == await self.two.board.find(query)

    def _learn(self, one: Sequence[Job], two: Sequence[Job]) -> None:
        assert one == two
        self.known += [job for job in one if job not in self.known[-50:]]

    def _picked(self, picks: Sequence[Pick]) -> list[Job]:
        return [job for view, nth in picks for job in self._pick(view, nth)]

    def _pick(self, view: View, nth: int) -> list[Job]:
        among = self._seen(view) or self.known
        return [among[-1 - nth % len(among)]] if among else []

    def _seen(self, view: View) -> list[Job]:
        if view is View.EVER:
            return self.known
        latest = {job.id: job for job in self.known}
        ran = [job for job in self.known if job.state is JobState.RUNNING]
        now = {job.id: job for job in ran if latest[job.id] == job}
        if view is View.RUNNING_NOW:
            return list(now.values())
        return [job for job in ran if job.id in now and job != now[job.id]]
