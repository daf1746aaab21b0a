"""Every move of a job's life: facts and `now` in, a `Transition` out, or `IllegalMoveError`.

Legality comes first in each, before any arithmetic with the job's numbers.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from domain import events
from domain.deadline import LEASE_LENGTH, attempt_deadline, has_run_out, lease_until
from domain.dispatch import rank
from domain.errors import IllegalMoveError
from domain.job import Failure, Job, JobState, Json, Lease, Move, Outcome, require
from domain.transition import Success, Transition

TIMEOUT = Failure(type="timeout", message="the attempt ran longer than its timeout")
WORKER_LOST = Failure(
    type="worker_lost", message="the worker stopped sending heartbeats before it reported"
)


def waiting(job: Job, *, until: datetime, now: datetime) -> Job:
    """Return the job as it waits: claimable at once if due, scheduled otherwise."""
    return replace(
        job,
        state=JobState.SCHEDULED if until > now else JobState.PENDING,
        run_at=until,
        rank=rank(priority=job.priority, run_at=until),
        lease_expires_at=None,
    )


def become_due(job: Job, *, now: datetime) -> Transition:
    """Make a scheduled job claimable once its time has come."""
    require(job, Move.BECOME_DUE)
    if job.run_at > now:
        raise IllegalMoveError(
            move=Move.BECOME_DUE, job_id=job.id, state=f"due only at {job.run_at.isoformat()}"
        )
    after = waiting(job, until=job.run_at, now=now)
    return Transition(job, after, events.BecameDue(job_id=job.id, attempt=job.attempt))


def claim(
    job: Job,
    *,
    worker_id: str,
    now: datetime,
    length: timedelta = LEASE_LENGTH,
    claim_id: str | None = None,
) -> Transition:
    """Hand the job to a worker under a new lease of at most `length`."""
    require(job, Move.CLAIM)
    after = replace(
        job,
        state=JobState.RUNNING,
        attempt=job.attempt + 1,
        worker_id=worker_id,
        claim_id=claim_id,
        started_at=now,
        ended_at=None,
        lease_expires_at=lease_until(started_at=now, timeout=job.timeout, now=now, length=length),
        outcome=None,
        progress=None,
    )
    event = events.Claimed(job_id=job.id, attempt=after.attempt, worker_id=worker_id)
    return Transition(job, after, event)


def renew(job: Job, *, now: datetime, progress: float | None, length: timedelta) -> Job:
    """Return the running job with its lease extended, and its progress where told."""
    if job.started_at is None:
        raise IllegalMoveError(move="renew the lease of", job_id=job.id, state=job.state)
    until = lease_until(started_at=job.started_at, timeout=job.timeout, now=now, length=length)
    told = job.progress if progress is None else progress
    return replace(job, lease_expires_at=until, progress=told)


def succeed(lease: Lease, *, result: Json, now: datetime) -> Transition:
    """End an attempt that did its work. Needs no read: the fence checks the rest."""
    event = events.Succeeded(job_id=lease.job_id, attempt=lease.attempt)
    return Transition(lease, Success(result=result, finished_at=now), event)


def fail(  # noqa: PLR0913 - the facts of one failure, all named at the call
    job: Job,
    *,
    failure: Failure,
    now: datetime,
    roll: float = 0.0,
    retryable: bool = True,
    retry_after: timedelta | None = None,
) -> Transition:
    """End an attempt that failed: wait for the next one, or give the job up for good.

    `retry_after` is the worker's own wish for the wait and takes the place of the policy's.
    """
    require(job, Move.FAIL)
    over = _failed(job, failure, Outcome.FAILED, now=now)
    if job.cancel_requested:
        return _cancelled(job, over, now=now)
    if not (retryable and over.may_retry):
        return _gave_up(job, over, failure, now=now)
    wait = job.retry.wait_after(over.failures, roll=roll) if retry_after is None else retry_after
    return _planned(job, over, failure, due=now + wait, now=now)


def expire(job: Job, *, now: datetime, roll: float = 0.0) -> Transition:
    """Take back a job whose lease has run out; from there on it is a failure like any other."""
    require(job, Move.EXPIRE)
    if job.lease_expires_at is None or not has_run_out(job.lease_expires_at, now=now):
        raise IllegalMoveError(move=Move.EXPIRE, job_id=job.id, state="still held")
    failure, outcome = _why_expired(job, now=now)
    over = _failed(job, failure, outcome, now=now)
    if job.cancel_requested:
        decided = _cancelled(job, over, now=now)
    elif over.may_retry:
        due = now + job.retry.wait_after(over.failures, roll=roll)
        decided = _planned(job, over, failure, due=due, now=now)
    else:
        decided = _gave_up(job, over, failure, now=now)
    return replace(decided, expired_by=now)


def release(job: Job, *, now: datetime, reason: Outcome = Outcome.RELEASED) -> Transition:
    """Hand a job back unrun: it takes its old place in line, and no failure is counted."""
    require(job, Move.RELEASE)
    back = _ended(job, reason, now=now)
    if job.cancel_requested:
        return _cancelled(job, back, now=now)
    after = replace(back, state=JobState.PENDING)
    event = events.Released(job_id=job.id, attempt=job.attempt, reason=reason)
    return Transition(job, after, event)


def cancel(job: Job, *, now: datetime) -> Transition:
    """Call a job off: at once if nobody runs it, else by asking its worker to stop."""
    require(job, Move.CANCEL)
    if job.state is not JobState.RUNNING:
        return _cancelled(job, job, now=now)
    event = events.CancelRequested(job_id=job.id, attempt=job.attempt)
    return Transition(job, replace(job, cancel_requested=True), event)


def confirm_cancel(job: Job, *, now: datetime) -> Transition:
    """End an attempt that its worker stopped on request."""
    require(job, Move.CONFIRM_CANCEL)
    return _cancelled(job, _ended(job, Outcome.CANCELLED, now=now), now=now)


def retry(job: Job, *, now: datetime) -> Transition:
    """Send a finished job round again, with as many failures allowed as at first."""
    require(job, Move.RETRY)
    fresh = replace(job, failures=0, finished_at=None, cancel_requested=False)
    event = events.RetriedByHand(job_id=job.id, attempt=job.attempt)
    return Transition(job, waiting(fresh, until=now, now=now), event)


def _ended(job: Job, outcome: Outcome, *, now: datetime) -> Job:
    return replace(job, outcome=outcome, ended_at=now, lease_expires_at=None)


def _failed(job: Job, failure: Failure, outcome: Outcome, *, now: datetime) -> Job:
    return replace(_ended(job, outcome, now=now), failures=job.failures + 1, error=failure)


def _planned(
    before: Job, over: Job, failure: Failure, *, due: datetime, now: datetime
) -> Transition:
    event = events.RetryPlanned(job_id=before.id, attempt=before.attempt, failure=failure, due=due)
    return Transition(before, waiting(over, until=due, now=now), event)


def _gave_up(before: Job, over: Job, failure: Failure, *, now: datetime) -> Transition:
    ended = replace(over, state=JobState.FAILED, finished_at=now)
    event = events.GaveUp(job_id=before.id, attempt=before.attempt, failure=failure)
    return Transition(before, ended, event)


def _why_expired(job: Job, *, now: datetime) -> tuple[Failure, Outcome]:
    if job.started_at is not None:
        deadline = attempt_deadline(started_at=job.started_at, timeout=job.timeout)
        if has_run_out(deadline, now=now):
            return TIMEOUT, Outcome.TIMEOUT
    return WORKER_LOST, Outcome.WORKER_LOST


def _cancelled(before: Job, after: Job, *, now: datetime) -> Transition:
    ended = replace(after, state=JobState.CANCELLED, finished_at=now)
    event = events.Cancelled(job_id=before.id, attempt=before.attempt)
    return Transition(before, ended, event)
