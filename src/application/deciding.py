"""From a reported outcome to a decided move, or to the reason why there is none."""

from collections.abc import Mapping
from datetime import datetime

from application.outcomes import (
    AttemptCancelled,
    AttemptFailed,
    AttemptOutcome,
    AttemptReleased,
    AttemptSucceeded,
    Refusal,
    Verdict,
)
from domain import moves
from domain.job import Failure, Job, Outcome
from domain.transition import Transition

LARGEST_RESULT_BYTES = 2**20

TOLD: Mapping[type[AttemptOutcome], Outcome] = {
    AttemptSucceeded: Outcome.SUCCEEDED,
    AttemptFailed: Outcome.FAILED,
    AttemptCancelled: Outcome.CANCELLED,
    AttemptReleased: Outcome.RELEASED,
}
TAKEN_BACK = frozenset({Outcome.TIMEOUT, Outcome.WORKER_LOST, Outcome.NEVER_RECEIVED})


def within_bounds(outcome: AttemptOutcome) -> AttemptOutcome:
    """Turn a success whose result is too large to keep into a failure that says so."""
    if not isinstance(outcome, AttemptSucceeded):
        return outcome
    size = len(outcome.result)
    if size <= LARGEST_RESULT_BYTES:
        return outcome
    message = f"the result has {size} bytes; at most {LARGEST_RESULT_BYTES} are kept"
    failure = Failure(type="result_too_large", message=message)
    return AttemptFailed(lease=outcome.lease, failure=failure, retryable=False)


def decide_success(outcome: AttemptSucceeded, *, now: datetime) -> Transition:
    """Return the move that a success is; whether it applies, the fence will tell."""
    return moves.succeed(outcome.lease, result=outcome.result, now=now)


def decide(outcome: AttemptOutcome, job: Job, *, now: datetime, roll: float) -> Transition:
    """Return the move that an outcome is for the job that runs under its lease."""
    match outcome:
        case AttemptSucceeded():
            return decide_success(outcome, now=now)
        case AttemptFailed():
            return moves.fail(
                job,
                failure=outcome.failure,
                now=now,
                roll=roll,
                retryable=outcome.retryable,
                retry_after=outcome.retry_after,
            )
        case AttemptCancelled():
            return moves.confirm_cancel(job, now=now)
        case AttemptReleased():
            return moves.release(job, now=now)


def explain(outcome: AttemptOutcome, job: Job | None) -> Verdict:
    """Say what an outcome means for a job that does not run under its lease (any more).

    The same outcome told again is accepted again, so that a lost answer costs nothing.
    """
    lease = outcome.lease
    if job is None:
        return Verdict(lease=lease, refusal=Refusal.UNKNOWN_JOB)
    is_latest = job.attempt == lease.attempt and job.worker_id == lease.worker_id
    if not is_latest or job.outcome in TAKEN_BACK:
        return Verdict(lease=lease, refusal=Refusal.LEASE_LOST)
    if job.outcome is not TOLD[type(outcome)]:
        return Verdict(lease=lease, refusal=Refusal.ALREADY_SETTLED)
    return Verdict(lease=lease, state=job.state)
