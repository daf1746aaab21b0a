"""Random programs of calls: submit, claim, renew, settle, reap and the passing of time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum

from hypothesis import strategies as st

from application.requests import ClaimRequest
from domain import moves
from domain.dispatch import Offer
from domain.job import Failure, Job, Json, Lease, Outcome
from domain.retry import RetryPolicy
from domain.submission import Submission
from domain.transition import Transition

Decide = Callable[[Job, datetime], Transition]


class View(Enum):
    """What a decision is made on."""

    RUNNING_NOW = "a job that runs, as it stands"
    RUNNING_ONCE = "a job that runs, as it was when it ran before or ran under other signs"
    EVER = "any job as it ever was"


Pick = tuple[View, int]


def _s(seconds: float) -> timedelta:
    return timedelta(seconds=seconds)


def lease_as_if_running(job: Job) -> Lease:
    """Return the lease that a job would have if it ran."""
    return Lease(job_id=job.id, attempt=job.attempt, worker_id=job.worker_id or "nobody")


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
    """Take back what ran out, and make due what is; a heartbeat may come before it is stored."""

    limit: int
    meanwhile: Renew | None


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
    unique_key=st.sampled_from([None, None, None, "k", "l"]),
    payload=st.sampled_from([Json(b"{}"), Json(b"{}"), Json(b'{"n": 1}')]),
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
    claim_id=st.sampled_from([None, None, "r", "s"]),
)


@st.composite
def deciders(draw: st.DrawFn) -> Decide:
    failure, result, roll = draw(failures), draw(results), draw(st.sampled_from([0.0, 1.0]))
    retryable, wish = draw(st.booleans()), draw(st.none() | mostly_at_once)
    reason = draw(st.sampled_from([Outcome.RELEASED, Outcome.NEVER_RECEIVED]))
    ways: list[Decide] = [
        lambda job, now: moves.succeed(lease_as_if_running(job), result=result, now=now),
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
renewals = st.builds(
    Renew,
    st.lists(picks, min_size=1, max_size=4),
    st.sampled_from([None, 0.0, 0.5]),
    st.sampled_from([_s(1), _s(30)]),
    st.sampled_from([0, 0, 0, 0, 1, -1]),
    thieves,
)
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
    renewals,
    renewals,
    st.builds(Reap, st.integers(1, 4), st.none() | renewals),
    st.builds(Wait, moments),
)
programs = st.lists(steps, min_size=20, max_size=60)
