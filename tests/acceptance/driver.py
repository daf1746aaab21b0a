"""What the steps of the features can do and see, whatever the wiring."""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol

from tests.acceptance.working import Strategies

ALL = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenJob:
    """A job as an outsider sees it; `wait_s` is from the failure to the next attempt."""

    id: int
    state: str
    attempt: int
    failures: int
    priority: int
    queue: str
    result: str | None
    error: str | None
    wait_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A job in a worker's hands."""

    job_id: int
    attempt: int
    worker: str
    payload: str


class RefusedError(Exception):
    """A submit was refused because of a field."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


class ConflictError(Exception):
    """What was asked for does not go with what is there."""


class Driver(Protocol):
    """One system, driven from outside. Nothing here waits for real time to pass."""

    def submit(self, *jobs: dict[str, Any], letter: str | None = None) -> Sequence[int]:
        """Submit jobs as one batch, or a single one alone; `RefusedError` names the fault.

        The same letter sent again is the same submit. `ConflictError` if a key is taken or the
        letter was another.
        """
        ...

    def job(self, job_id: int) -> SeenJob:
        """Look a job up."""
        ...

    def jobs(self) -> Sequence[SeenJob]:
        """Return all jobs, oldest first."""
        ...

    def claim(
        self,
        worker: str,
        *,
        limit: int = 1,
        job_types: Sequence[str] = ("print", "paint"),
        queues: Sequence[str] | None = None,
        letter: str | None = None,
    ) -> Sequence[Held]:
        """Ask for jobs without waiting for any; the same letter again asks for the same jobs."""
        ...

    def succeed(self, held: Held) -> str:
        """Report success; return `accepted` or why it was not."""
        ...

    def fail(self, held: Held, *, retryable: bool = True) -> str:
        """Report a failure; the same answers."""
        ...

    def release(self, held: Held) -> str:
        """Hand a job back; the same answers."""
        ...

    def stop(self, held: Held) -> str:
        """Report that the job was stopped on request; the same answers."""
        ...

    def beat(self, worker: str, *held: Held) -> Sequence[str]:
        """Send a heartbeat for all these; return `held`, `cancel_requested` or `lost` for each."""
        ...

    def cancel(self, job_id: int) -> None:
        """Call a job off; `ConflictError` if it has ended."""
        ...

    def retry(self, job_id: int) -> None:
        """Send a job round again; `ConflictError` if it is not over."""
        ...

    def attempts(self, job_id: int) -> Sequence[str | None]:
        """Return how each attempt ended, oldest first."""
        ...

    def sign_off(self, worker: str) -> None:
        """Say goodbye."""
        ...

    def workers(self) -> dict[str, str]:
        """Return the state of each worker that is listed."""
        ...

    def pass_time(self, by: timedelta) -> None:
        """Let time pass, and the reaper do its rounds."""
        ...

    def work(self, strategies: Strategies, *, job_id: int) -> None:
        """Let Ada, a real worker, work with these strategies until a job has ended."""
        ...

    def await_end(self, job_id: int, *, at_most_s: float) -> "Future[SeenJob]":
        """Begin to wait for a job's end."""
        ...

    def await_work(self, worker: str) -> "Future[Sequence[Held]]":
        """Begin to wait for a job to claim."""
        ...
