"""A pair of stores that get the same calls and must answer them alike."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from application.queries import JobQuery
from application.requests import Admission, Beat, ClaimRequest
from domain import moves
from domain.errors import IllegalMoveError, UniqueKeyTakenError
from domain.job import Job, JobState
from domain.submission import Submission, submit
from domain.transition import Transition
from tests.builders import NOW
from tests.contract.conftest import Ports
from tests.contract.programs import (
    WORKERS,
    Claim,
    Decide,
    Pick,
    Reap,
    Renew,
    Settle,
    Step,
    Submit,
    View,
    Wait,
    lease_as_if_running,
)


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
            case Reap():
                await self._reap(step)
            case Wait(time):
                self.now += time

    async def _submit(self, asked: Sequence[Submission], ages: Sequence[timedelta]) -> None:
        pairs = zip(asked, ages, strict=False)
        jobs = [submit(each, now=self.now - age) for each, age in pairs]
        one, two = await self._admitted(self.one, jobs), await self._admitted(self.two, jobs)
        assert one == two
        if not isinstance(one, str):
            self.known += [admission.job for admission in one]

    async def _admitted(self, ports: Ports, jobs: Sequence[Job]) -> Sequence[Admission] | str:
        try:
            return await ports.store.add(jobs, now=self.now)
        except UniqueKeyTakenError as taken:
            return str(taken)

    async def _claim(self, request: ClaimRequest) -> None:
        self._learn(
            await self.one.store.claim(request, now=self.now),
            await self.two.store.claim(request, now=self.now),
        )

    async def _renew(self, step: Renew) -> None:
        leases = {job.id: lease_as_if_running(job) for job in self._picked(step.picks)}
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

    async def _reap(self, step: Reap) -> None:
        expired = await self.one.overdue.expired(now=self.now, limit=step.limit)
        assert await self.two.overdue.expired(now=self.now, limit=step.limit) == expired
        due = await self.one.overdue.due(now=self.now, limit=step.limit)
        assert await self.two.overdue.due(now=self.now, limit=step.limit) == due
        if step.meanwhile:
            await self._renew(step.meanwhile)
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
        for worker in WORKERS:
            one = await self.one.store.held_by(worker, claimed_by=self.now)
            assert await self.two.store.held_by(worker, claimed_by=self.now) == one
        for job in await self.one.board.find(JobQuery(limit=500)):
            assert await self.one.store.attempts(job.id) == await self.two.store.attempts(job.id)
        assert await self.one.workers.running() == await self.two.workers.running()
        lanes = await self.one.board.pending_lanes()
        assert set(lanes) == set(await self.two.board.pending_lanes())
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
