"""What workers tell of their attempts, and what they are told back."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from domain.job import Failure, JobState, Json, Lease


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptSucceeded:
    """The strategy returned `result`."""

    lease: Lease
    result: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptFailed:
    """The strategy failed; `retry_after` is its own wish for the wait before the next try."""

    lease: Lease
    failure: Failure
    retryable: bool = True
    retry_after: timedelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptCancelled:
    """The strategy stopped because it was asked to."""

    lease: Lease


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptReleased:
    """The job is handed back unrun."""

    lease: Lease


AttemptOutcome = AttemptSucceeded | AttemptFailed | AttemptCancelled | AttemptReleased


class Refusal(StrEnum):
    """Why an outcome changed nothing."""

    LEASE_LOST = "lease_lost"
    UNKNOWN_JOB = "unknown_job"
    ALREADY_SETTLED = "already_settled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The answer to one outcome: the job's state if it was accepted, the refusal if not."""

    lease: Lease
    state: JobState | None = None
    refusal: Refusal | None = None
