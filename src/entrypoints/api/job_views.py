"""Jobs as they are answered."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Raw

from domain.job import WAITING, Failure, Job, JobState, Json
from domain.retry import RetryPolicy
from entrypoints.api.times import plain, seconds, written


class ErrorView(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why the last failure happened."""

    type: str
    message: str
    detail: Raw | msgspec.UnsetType = msgspec.UNSET


class RetryView(msgspec.Struct, frozen=True):
    """How long a job waits before its next attempt, in seconds."""

    delay: float
    factor: float
    max_delay: float
    jitter: float


class JobView(msgspec.Struct, frozen=True):
    """A job and all that is known of it."""

    id: int
    job_type: str
    queue: str
    priority: int
    state: JobState
    payload: Raw
    metadata: Mapping[str, str]
    result: Raw | None
    error: ErrorView | None
    attempt: int
    failures: int
    max_attempts: int
    timeout: float
    retry: RetryView
    unique_key: str | None
    created_at: str
    run_at: str
    started_at: str | None
    finished_at: str | None
    worker_id: str | None
    lease_expires_at: str | None
    progress: float | None
    cancel_requested: bool


class JobsView(msgspec.Struct, frozen=True):
    """A page of jobs, and the cursor for the next one if there may be one."""

    items: Sequence[JobView]
    next_cursor: str | None


class BatchView(msgspec.Struct, frozen=True):
    """The ids of a batch's jobs, in its order."""

    ids: Sequence[int]


def view_of(job: Job) -> JobView:
    """Return the job as it is answered; one that waits is in nobody's hands."""
    return JobView(
        id=job.id,
        job_type=job.job_type,
        queue=job.queue,
        priority=job.priority,
        state=job.state,
        payload=Raw(job.payload),
        metadata=job.metadata,
        result=raw(job.result),
        error=error_view_of(job.error),
        attempt=job.attempt,
        failures=job.failures,
        max_attempts=job.max_attempts,
        timeout=seconds(job.timeout),
        retry=_retry_view_of(job.retry),
        unique_key=job.unique_key,
        created_at=written(job.created_at) or "",
        run_at=written(job.run_at) or "",
        started_at=written(job.started_at),
        finished_at=written(job.finished_at),
        worker_id=None if job.state in WAITING else job.worker_id,
        lease_expires_at=written(job.lease_expires_at),
        progress=job.progress,
        cancel_requested=job.cancel_requested,
    )


def raw(document: Json | None) -> Raw | None:
    """Return a document to be answered as it was written."""
    return None if document is None else Raw(document)


def error_view_of(failure: Failure | None) -> ErrorView | None:
    """Return a failure as it is answered."""
    if failure is None:
        return None
    detail = msgspec.UNSET if failure.detail is None else Raw(failure.detail)
    return ErrorView(type=failure.type, message=failure.message, detail=detail)


def _retry_view_of(policy: RetryPolicy) -> RetryView:
    return RetryView(
        delay=seconds(policy.delay),
        factor=plain(policy.factor),
        max_delay=seconds(policy.max_delay),
        jitter=plain(policy.jitter),
    )
