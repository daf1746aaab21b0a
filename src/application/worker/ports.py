"""What a worker needs from the world."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

from application.outcomes import AttemptOutcome
from application.requests import Beat, Renewal
from application.worker.task import Task
from domain.dispatch import Offer
from domain.job import EMPTY_OBJECT, Json, Lease

Strategy = Callable[[Task], Awaitable[object]]
"""Runs the jobs of one type. What it returns is the result; what it raises is the failure."""


class SchedulerUnavailableError(Exception):
    """The scheduler did not answer, or only that it cannot just now; the call may be repeated."""

    def __init__(self, message: str, *, retry_after: timedelta | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class SchedulerRefusedError(Exception):
    """The scheduler understood the call and will not do it."""

    def __init__(self, *, status: int, detail: str) -> None:
        super().__init__(f"the scheduler refused ({status}): {detail}")
        self.status = status
        self.detail = detail


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """A job handed to this worker, under a lease that runs out without heartbeats."""

    lease: Lease
    job_type: str
    timeout: timedelta
    lease_length: timedelta
    queue: str = "default"
    payload: Json = EMPTY_OBJECT
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkRequest:
    """A worker asks for up to `limit` jobs; re-sent with the same id it gets the same ones."""

    request_id: str
    worker_id: str
    offer: Offer
    limit: int
    wait: timedelta
    slots: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Whether a reported outcome was taken, and the scheduler's reason if it was not."""

    lease: Lease
    accepted: bool
    reason: str | None = None
    detail: str | None = None


class SchedulerGateway(Protocol):
    """The scheduler, as the worker's event loop speaks with it.

    Raises:
        SchedulerUnavailableError: no telling whether the call had an effect; repeat it.
        SchedulerRefusedError: repeating the same call would not help.
    """

    async def claim(self, request: WorkRequest) -> Sequence[Assignment]:
        """Return jobs to run, first to run first; none when the wait ended without any."""
        ...

    async def report(self, worker_id: str, outcomes: Sequence[AttemptOutcome]) -> Sequence[Answer]:
        """Tell ended attempts, at most 1000; return one answer for each, in order."""
        ...

    async def sign_off(self, worker_id: str) -> None:
        """Say that this worker will not call again."""
        ...


class HeartbeatGateway(Protocol):
    """The scheduler, as the heartbeat thread speaks with it. Errors as `SchedulerGateway`."""

    def heartbeat(self, worker_id: str, beats: Sequence[Beat]) -> Mapping[Lease, Renewal]:
        """Renew all leases that the worker holds; those missing from the answer are lost."""
        ...


class Log(Protocol):
    """Where the worker tells operators what they may want to know; never raises."""

    def info(self, event: str, **facts: object) -> object:
        """Note something worth knowing."""
        ...

    def warning(self, event: str, **facts: object) -> object:
        """Note something that may need a hand."""
        ...
