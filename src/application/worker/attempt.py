"""One attempt of one job, from its start to the one outcome that is told of it."""

import asyncio
from asyncio import TimerHandle
from collections.abc import Callable, Mapping
from contextlib import suppress
from enum import StrEnum

from application.outcomes import (
    AttemptCancelled,
    AttemptFailed,
    AttemptOutcome,
    AttemptReleased,
)
from application.worker.failures import failed_by
from application.worker.ports import Assignment
from application.worker.registry import Registry
from application.worker.results import succeeded_with
from application.worker.task import Task
from domain.job import Failure, Lease

UNWIND_S = 1.0
"""A stopped strategy gets this long to clean up; after that it is left to itself."""


class Stop(StrEnum):
    """Why an attempt is stopped before its strategy has come to an end."""

    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    RELEASED = "released"
    LOST = "lost"


class Attempt:
    """Runs a strategy, and calls `on_end` exactly once with the outcome, None if none is due.

    Whatever the strategy does, raises or swallows, it can neither harm the event loop nor
    keep the attempt from ending.
    """

    def __init__(
        self,
        assignment: Assignment,
        registry: Registry,
        on_end: Callable[["Attempt", AttemptOutcome | None], None],
    ) -> None:
        self.lease = assignment.lease
        self.error: BaseException | None = None
        self.task = Task(
            assignment.lease,
            job_type=assignment.job_type,
            raw_payload=assignment.payload,
            metadata=assignment.metadata,
            timeout=assignment.timeout.total_seconds(),
        )
        self._registry = registry
        self._on_end = on_end
        self._stopped_by: Stop | None = None
        self._running: asyncio.Task[AttemptOutcome | None] | None = None
        self._timer: TimerHandle | None = None

    def start(self) -> None:
        """Start the strategy and the clock that it runs against."""
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self.task.timeout, self._time_out)
        self._running = loop.create_task(self._run())
        self._running.add_done_callback(self._unwound)

    def stop(self, why: Stop, *, unwind_s: float = UNWIND_S) -> None:
        """Stop the strategy; of several reasons the first counts, unless the lease is lost."""
        if self._running is None or self._timer is None or self._running.done():
            return
        is_unwinding = self._stopped_by is not None
        if not is_unwinding or why is Stop.LOST:
            self._stopped_by = why
        if is_unwinding and unwind_s >= UNWIND_S:
            return  # told again, it gets no more time for that
        self.task.ask_to_stop()
        self._running.cancel()
        self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(unwind_s, self._abandon)

    def _time_out(self) -> None:
        # A function in a thread can only be asked to stop: its failure is told meanwhile.
        self.stop(Stop.TIMEOUT, unwind_s=UNWIND_S if self.task.thread_ended is None else 0.0)

    async def _run(self) -> AttemptOutcome | None:
        try:
            result = await self._registry[self.task.job_type](self.task)
        except BaseException as error:  # noqa: BLE001 - SystemExit too ends the job, not the worker
            self.error = error
            return failed_by(error, self.lease)
        return succeeded_with(result, self.lease)

    def _unwound(self, running: "asyncio.Task[AttemptOutcome | None]") -> None:
        # Cancelled before its first step, the strategy has not run at all.
        is_void = running.cancelled() or running.exception() is not None
        self._end(None if is_void else running.result())

    def _abandon(self) -> None:
        if self._running is not None:
            # A coroutine that swallows cancellation would keep the event loop from closing.
            with suppress(RuntimeError):
                self._running.get_coro().close()
            self._running.cancel()
        self._end(None)

    def _end(self, outcome: AttemptOutcome | None) -> None:
        if self._timer is None:
            return
        self._timer.cancel()
        self._timer = None
        if self._stopped_by is not None:
            outcome = WHEN_STOPPED[self._stopped_by](self)
        self._on_end(self, outcome)


def _timed_out(attempt: Attempt) -> AttemptOutcome:
    message = f"the attempt ran longer than its timeout of {attempt.task.timeout:g} s"
    return AttemptFailed(lease=attempt.lease, failure=Failure(type="timeout", message=message))


def _cancelled(attempt: Attempt) -> AttemptOutcome:
    return AttemptCancelled(lease=attempt.lease)


def _released(attempt: Attempt) -> AttemptOutcome:
    return AttemptReleased(lease=attempt.lease)


def _nothing(_attempt: Attempt) -> None:
    return None


WHEN_STOPPED: Mapping[Stop, Callable[[Attempt], AttemptOutcome | None]] = {
    Stop.TIMEOUT: _timed_out,
    Stop.CANCELLED: _cancelled,
    Stop.RELEASED: _released,
    Stop.LOST: _nothing,
}

LeaseStopped = Callable[[Lease, Stop], None]
"""Called when the scheduler says that an attempt must stop."""
