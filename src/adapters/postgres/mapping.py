"""Rows to jobs and jobs to arguments, one explicit function a direction."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache

import msgspec

from adapters.postgres.engine import Record
from application.requests import Renewal
from domain.attempt import Attempt
from domain.job import Failure, Job, JobId, JobState, Json, Lease, Outcome
from domain.retry import RetryPolicy
from domain.transition import Success, Transition


class StoredFailure(msgspec.Struct, omit_defaults=True):
    """A failure as the column `error` holds it."""

    type: str
    message: str
    detail: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_encode = msgspec.json.Encoder().encode
_failure_from = msgspec.json.Decoder(StoredFailure).decode
_metadata_from = msgspec.json.Decoder(dict[str, str]).decode
_NO_METADATA = b"{}"
_policy = lru_cache(maxsize=1024)(RetryPolicy)
_STATES = {str(state): state for state in JobState}
_OUTCOMES: Mapping[str | None, Outcome | None] = {
    None: None,
    **{str(outcome): outcome for outcome in Outcome},
}


def job_from(row: Record) -> Job:
    """Return the job that a row with all columns holds."""
    return Job(
        id=row["id"],
        job_type=row["job_type"],
        queue=row["queue"],
        priority=row["priority"],
        state=_STATES[row["state"]],
        created_at=row["created_at"],
        run_at=_aware(row["run_at"]),
        rank=row["rank"],
        timeout=row["timeout"],
        max_attempts=row["max_attempts"],
        retry=_retry_from(row),
        payload=row["payload"],
        metadata=_metadata(row["metadata"]),
        attempt=row["attempt"],
        failures=row["failures"],
        unique_key=row["unique_key"],
        started_at=row["started_at"],
        finished_at=row["finished_at"],
        ended_at=row["ended_at"],
        worker_id=row["worker_id"],
        claim_id=row["claim_id"],
        outcome=_OUTCOMES[row["outcome"]],
        lease_expires_at=row["lease_expires_at"],
        progress=row["progress"],
        cancel_requested=row["cancel_requested"],
        result=row["result"],
        error=_failure(row["error"]),
    )


def added(jobs: Sequence[Job]) -> tuple[Sequence[object], ...]:
    """Return the arguments of `ADD`: what a new job is, one array a column."""
    return (
        [job.job_type for job in jobs],
        [job.queue for job in jobs],
        [job.priority for job in jobs],
        [job.state for job in jobs],
        [job.rank for job in jobs],
        [job.run_at for job in jobs],
        [job.created_at for job in jobs],
        [job.timeout for job in jobs],
        [job.max_attempts for job in jobs],
        [job.retry.delay for job in jobs],
        [job.retry.factor for job in jobs],
        [job.retry.max_delay for job in jobs],
        [job.retry.jitter for job in jobs],
        [job.payload for job in jobs],
        [_encode(job.metadata) if job.metadata else _NO_METADATA for job in jobs],
        [job.unique_key for job in jobs],
    )


def fenced(moves: Sequence[Transition]) -> tuple[Sequence[object], ...]:
    """Return the arguments that say where each job must still stand."""
    return (
        [move.job_id for move in moves],
        [move.from_state for move in moves],
        [move.before.attempt for move in moves],
        [move.before.worker_id for move in moves],
        [move.from_cancel_requested for move in moves],
        [move.expired_by for move in moves],
    )


def succeeded(successes: Sequence[Success]) -> tuple[Sequence[object], ...]:
    """Return what `SUCCEED` writes."""
    return (
        [success.result for success in successes],
        [success.finished_at for success in successes],
    )


def settled(jobs: Sequence[Job]) -> tuple[Sequence[object], ...]:
    """Return what `SETTLE` writes: every column that a move after the claim may change."""
    return (
        [job.state for job in jobs],
        [job.rank for job in jobs],
        [job.run_at for job in jobs],
        [job.failures for job in jobs],
        [job.started_at for job in jobs],
        [job.finished_at for job in jobs],
        [job.worker_id for job in jobs],
        [job.outcome for job in jobs],
        [job.cancel_requested for job in jobs],
        [job.result for job in jobs],
        [_error(job.error) for job in jobs],
        [job.ended_at for job in jobs],
    )


def _aware(instant: datetime) -> datetime:
    # The driver reads the first and last instant of the calendar as infinite and naive.
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)


def _retry_from(row: Record) -> RetryPolicy:
    return _policy(
        delay=row["retry_delay"],
        factor=row["retry_factor"],
        max_delay=row["retry_max_delay"],
        jitter=row["retry_jitter"],
    )


def _metadata(stored: bytes) -> Mapping[str, str]:
    return {} if stored == _NO_METADATA else _metadata_from(stored)


def _failure(stored: bytes | None) -> Failure | None:
    if stored is None:
        return None
    read = _failure_from(stored)
    detail = None if read.detail is msgspec.UNSET else Json(bytes(read.detail))
    return Failure(type=read.type, message=read.message, detail=detail)


def _error(failure: Failure | None) -> bytes | None:
    if failure is None:
        return None
    detail = msgspec.UNSET if failure.detail is None else msgspec.Raw(failure.detail)
    return _encode(StoredFailure(type=failure.type, message=failure.message, detail=detail))


def ids_of(rows: Sequence[Record]) -> list[JobId]:
    """Return the ids of the rows, rising."""
    return sorted(row["id"] for row in rows)


def renewal_from(row: Record) -> tuple[Lease, Renewal]:
    """Return a lease that is held, and until when."""
    lease = Lease(job_id=row["id"], attempt=row["attempt"], worker_id=row["worker_id"])
    renewal = Renewal(expires_at=row["lease_expires_at"], cancel_requested=row["cancel_requested"])
    return lease, renewal


def attempt_from(row: Record) -> Attempt:
    """Return a filed attempt."""
    return Attempt(
        job_id=row["job_id"],
        number=row["number"],
        worker_id=row["worker_id"],
        started_at=row["started_at"],
        ended_at=row["ended_at"],
        outcome=_OUTCOMES[row["outcome"]],
        error=_failure(row["error"]),
    )
