"""The worker's slots, and the attempts that occupy them."""

import asyncio
from collections.abc import Callable
from typing import Any

from application.outcomes import AttemptOutcome
from application.worker.attempt import UNWIND_S, Attempt, Stop
from application.worker.ports import Assignment
from application.worker.registry import Registry
from domain.job import Lease


class Workbench:
    """Runs up to `slots` attempts at once, and passes on what each comes to.

    A thread cannot be stopped from outside: a plain function that goes on after its attempt
    has ended keeps its slot until it returns, so that such threads never add up.
    """

    def __init__(
        self,
        slots: int,
        registry: Registry,
        on_end: Callable[[Attempt, AttemptOutcome | None], None],
    ) -> None:
        self._slots = slots
        self._registry = registry
        self._on_end = on_end
        self._attempts: dict[Lease, Attempt] = {}
        self._lingering: set[asyncio.Future[Any]] = set()
        self._has_room = asyncio.Event()
        self._is_empty = asyncio.Event()
        self._note_change()

    @property
    def running(self) -> int:
        """How many attempts run."""
        return len(self._attempts)

    @property
    def free(self) -> int:
        """How many more could run."""
        return max(self._slots - len(self._attempts) - len(self._lingering), 0)

    async def has_room(self) -> None:
        """Wait until a slot is free."""
        await self._has_room.wait()

    async def is_empty(self) -> None:
        """Wait until nothing runs."""
        await self._is_empty.wait()

    def put(self, assignment: Assignment) -> Attempt:
        """Take an attempt in and start it."""
        attempt = Attempt(assignment, self._registry, self._ended)
        self._attempts[assignment.lease] = attempt
        self._note_change()
        attempt.start()
        return attempt

    def holds(self, lease: Lease) -> bool:
        """Tell whether an attempt runs under this lease."""
        return lease in self._attempts

    def warn(self, lease: Lease) -> None:
        """Let a strategy see that it should stop; may be called from any thread."""
        attempt = self._attempts.get(lease)
        if attempt is not None:
            attempt.task.ask_to_stop()

    def stop(self, lease: Lease, why: Stop) -> None:
        """Stop an attempt, if it still runs."""
        attempt = self._attempts.get(lease)
        if attempt is not None:
            attempt.stop(why)

    def hand_back(self, *, unwind_s: float = UNWIND_S) -> None:
        """Stop all that runs, so that its jobs are released."""
        for attempt in list(self._attempts.values()):
            attempt.stop(Stop.RELEASED, unwind_s=unwind_s)

    def _ended(self, attempt: Attempt, outcome: AttemptOutcome | None) -> None:
        self._attempts.pop(attempt.lease, None)
        thread_ended = attempt.task.thread_ended
        if thread_ended is not None and not thread_ended.done():
            self._lingering.add(thread_ended)
            thread_ended.add_done_callback(self._thread_left)
        self._note_change()
        self._on_end(attempt, outcome)

    def _thread_left(self, thread_ended: asyncio.Future[Any]) -> None:
        self._lingering.discard(thread_ended)
        self._note_change()

    def _note_change(self) -> None:
        _set(self._has_room, to=self.free > 0)
        _set(self._is_empty, to=not self._attempts)


def _set(event: asyncio.Event, *, to: bool) -> None:
    if to:
        event.set()
    else:
        event.clear()
