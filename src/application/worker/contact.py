"""Living with a scheduler that is away."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from threading import Lock
from typing import TypeVar

from application.worker.ports import Log, SchedulerRefusedError, SchedulerUnavailableError

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 5.0
MOST_DOUBLINGS = 16
REFUSED = 6
"""A refusal is waited out like so many failures in a row: only a person can change it."""

Answered = TypeVar("Answered")
CallError = SchedulerUnavailableError | SchedulerRefusedError

NEWS: Mapping[type[CallError], str] = {
    SchedulerUnavailableError: "the scheduler is away; trying again",
    SchedulerRefusedError: "the scheduler refuses this worker; trying again",
}


def pause_s(failures: int, *, roll: float, retry_after: timedelta | None = None) -> float:
    """Return how long to wait after so many failures in a row (1 for the first).

    Full jitter: anything from nothing to a bound that doubles up to `LONGEST_PAUSE_S`, so that
    workers that lost a scheduler together do not come back together. What the scheduler asks
    for comes on top, within the same bound.
    """
    doublings = min(failures - 1, MOST_DOUBLINGS)
    bound_s = min(FIRST_PAUSE_S * float(2**doublings), LONGEST_PAUSE_S)
    asked_s = 0.0 if retry_after is None else retry_after.total_seconds()
    return min(bound_s * roll + asked_s, LONGEST_PAUSE_S)


@dataclass(slots=True, kw_only=True)
class Contact:
    """Says once that the scheduler is away, and once that it is back. Safe between threads."""

    log: Log
    roll: Callable[[], float]
    _lock: Lock = field(default_factory=Lock)
    _failing: set[str] = field(default_factory=set)

    def lost(self, call: str, error: CallError) -> None:
        """Note that a kind of call failed."""
        with self._lock:
            is_news = not self._failing
            self._failing.add(call)
        if is_news:
            self.log.warning(NEWS[type(error)], call=call, error=str(error))

    def made(self, call: str) -> None:
        """Note that a kind of call was answered."""
        if call not in self._failing:
            return
        with self._lock:
            self._failing.discard(call)
            is_news = not self._failing
        if is_news:
            self.log.info("the scheduler is back")

    async def insist(self, call: str, attempt: Callable[[], Awaitable[Answered]]) -> Answered:
        """Repeat a call until the scheduler answers it; only a refusal is raised."""
        failures = 0
        while True:
            try:
                answer = await attempt()
            except SchedulerUnavailableError as error:
                failures += 1
                self.lost(call, error)
                await self.pause(failures, retry_after=error.retry_after)
            else:
                self.made(call)
                return answer

    async def pause(self, failures: int, *, retry_after: timedelta | None = None) -> None:
        """Wait as long as so many failures in a row demand."""
        await asyncio.sleep(pause_s(failures, roll=self.roll(), retry_after=retry_after))
