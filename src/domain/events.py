"""What happened to a job, as values to be told to whoever listens."""

from dataclasses import dataclass
from datetime import datetime

from domain.job import Failure, JobId, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened to one job; `attempt` is 0 before the first claim."""

    job_id: JobId
    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted(Event):
    """A client's job was stored."""

    job_type: str
    queue: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BecameDue(Event):
    """The job's time has come; workers may claim it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed(Event):
    """A worker took the job."""

    worker_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Succeeded(Event):
    """The attempt did what it should; the job is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPlanned(Event):
    """The attempt failed, and another will follow at `due`."""

    failure: Failure
    due: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class GaveUp(Event):
    """The attempt failed and was the last; the job is over."""

    failure: Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Released(Event):
    """The worker handed the job back; no failure was counted."""

    reason: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelRequested(Event):
    """The job's worker will be told to stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancelled(Event):
    """The job was called off; it is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetriedByHand(Event):
    """A finished job was sent round once more."""
