"""A job, its states, and which moves each state allows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType

from domain.errors import IllegalMoveError
from domain.retry import RETRY_AT_ONCE, RetryPolicy

JobId = NewType("JobId", int)
UNSTORED = JobId(0)
"""The id of a job that no store has accepted yet."""

Json = NewType("Json", bytes)
"""One JSON document as the client wrote it; the domain never looks inside."""

EMPTY_OBJECT = Json(b"{}")


class JobState(StrEnum):
    """Where a job stands; the last three are final."""

    SCHEDULED = "scheduled"
    PENDING = "pending"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        """Tell whether no worker will touch the job any more."""
        return self in FINAL


class Outcome(StrEnum):
    """How an attempt ended."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    TIMEOUT = "timeout"
    WORKER_LOST = "worker_lost"
    CANCELLED = "cancelled"
    RELEASED = "released"
    NEVER_RECEIVED = "never_received"


FINAL = frozenset({JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED})
WAITING = frozenset({JobState.SCHEDULED, JobState.PENDING})


class Move(StrEnum):
    """What can happen to a job after it was submitted."""

    BECOME_DUE = "make due"
    CLAIM = "claim"
    SUCCEED = "complete"
    FAIL = "fail"
    EXPIRE = "expire"
    RELEASE = "release"
    CANCEL = "cancel"
    CONFIRM_CANCEL = "confirm the cancel of"
    RETRY = "retry"


LEGAL_FROM: Mapping[Move, frozenset[JobState]] = {
    Move.BECOME_DUE: frozenset({JobState.SCHEDULED}),
    Move.CLAIM: frozenset({JobState.PENDING}),
    Move.SUCCEED: frozenset({JobState.RUNNING}),
    Move.FAIL: frozenset({JobState.RUNNING}),
    Move.EXPIRE: frozenset({JobState.RUNNING}),
    Move.RELEASE: frozenset({JobState.RUNNING}),
    Move.CANCEL: WAITING | {JobState.RUNNING},
    Move.CONFIRM_CANCEL: frozenset({JobState.RUNNING}),
    Move.RETRY: frozenset({JobState.FAILED, JobState.CANCELLED}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A worker's right to one attempt of a job; (job_id, attempt) is the fencing token."""

    job_id: JobId
    attempt: int
    worker_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why an attempt failed. `detail` is an opaque JSON document."""

    type: str
    message: str
    detail: Json | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One piece of work and all that is known of it.

    `attempt` counts claims and only grows: it fences off every earlier holder. `failures`
    counts failed attempts and is what `max_attempts` bounds. `rank` is the sortable order
    among pending jobs. `started_at`, `ended_at`, `worker_id` and `outcome` are those of the
    latest attempt; while it runs it has no end and no outcome. `claim_id` is the name that the
    worker gave to the claim which began it, if it gave one. At most one job that is not
    final bears a given `unique_key`.
    """

    id: JobId
    job_type: str
    queue: str
    priority: int
    state: JobState
    created_at: datetime
    run_at: datetime
    rank: int
    timeout: timedelta = timedelta(seconds=30)
    max_attempts: int = 2
    retry: RetryPolicy = RETRY_AT_ONCE
    payload: Json = EMPTY_OBJECT
    metadata: Mapping[str, str] = field(default_factory=dict)
    unique_key: str | None = None
    attempt: int = 0
    failures: int = 0
    started_at: datetime | None = None
    finished_at: datetime | None = None
    ended_at: datetime | None = None
    worker_id: str | None = None
    claim_id: str | None = None
    outcome: Outcome | None = None
    lease_expires_at: datetime | None = None
    progress: float | None = None
    cancel_requested: bool = False
    result: Json | None = None
    error: Failure | None = None

    @property
    def lease(self) -> Lease | None:
        """The lease under which the job runs now, if it does."""
        if self.state is not JobState.RUNNING or self.worker_id is None:
            return None
        return Lease(job_id=self.id, attempt=self.attempt, worker_id=self.worker_id)

    @property
    def may_retry(self) -> bool:
        """Tell whether the failures so far leave another attempt."""
        return self.failures < self.max_attempts


def require(job: Job, move: Move) -> None:
    """Raise `IllegalMoveError` unless the job's state allows the move."""
    if job.state not in LEGAL_FROM[move]:
        raise IllegalMoveError(move=move, job_id=job.id, state=job.state)
