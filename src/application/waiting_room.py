"""Where requests wait until something they wait for may have happened.

A wake-up is a hint: whoever is woken looks again, and may find that another was faster.
Nobody holds anything of the store while waiting.
"""

import asyncio
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from application.ports import Broadcast
from application.requests import Notice
from domain.dispatch import Lane, Offer
from domain.job import JobId


@dataclass(slots=True, eq=False)
class Waiter:
    """One waiting request; a hint that comes before it waits is kept for it."""

    _hint: asyncio.Event = field(default_factory=asyncio.Event)
    _is_dismissed: bool = False

    @property
    def is_called(self) -> bool:
        """Tell whether a hint has come that was not used yet."""
        return self._hint.is_set()

    def call(self) -> None:
        """Give the hint."""
        self._hint.set()

    def dismiss(self) -> None:
        """End the wait: there will be no more hints."""
        self._is_dismissed = True
        self._hint.set()

    def look(self) -> None:
        """Use up the hint: the request is about to look for itself."""
        self._hint.clear()

    async def wait(self, *, at_most: timedelta) -> bool:
        """Wait for a hint; False when the time is up without one, or there will be none."""
        try:
            async with asyncio.timeout(0 if self._is_dismissed else at_most.total_seconds()):
                await self._hint.wait()
        except TimeoutError:
            return False
        return not self._is_dismissed


class WaitingRoom:
    """Waiting requests of this scheduler, by what they wait for."""

    def __init__(self, broadcast: Broadcast) -> None:
        """Pass on to other schedulers, through `broadcast`, what is told here."""
        self._broadcast = broadcast
        self._for_work: dict[Waiter, Offer] = {}
        self._for_end: dict[JobId, set[Waiter]] = {}
        self._is_closed = False

    @contextmanager
    def waiting_for_work(self, offer: Offer) -> Iterator[Waiter]:
        """Stand in line for pending jobs that the offer covers."""
        waiter = Waiter(_is_dismissed=self._is_closed)
        self._for_work[waiter] = offer
        try:
            yield waiter
        except BaseException:
            # Gone in the middle of looking: whatever it was called for is for the next in line.
            waiter.call()
            raise
        finally:
            del self._for_work[waiter]
            if waiter.is_called:
                self.call_next(offer)

    @contextmanager
    def waiting_for_end(self, job_id: JobId) -> Iterator[Waiter]:
        """Wait until the job is final."""
        waiter = Waiter(_is_dismissed=self._is_closed)
        self._for_end.setdefault(job_id, set()).add(waiter)
        try:
            yield waiter
        finally:
            self._for_end[job_id].discard(waiter)
            if not self._for_end[job_id]:
                del self._for_end[job_id]

    def tell_pending(self, lanes: Collection[Lane]) -> None:
        """Say, here and to other schedulers, that jobs are pending in these lanes."""
        if lanes:
            self.hear(Notice(lanes=frozenset(lanes)))
            self._broadcast.publish(Notice(lanes=frozenset(lanes)))

    def tell_ended(self, ids: Collection[JobId]) -> None:
        """Say, here and to other schedulers, that these jobs are final."""
        if ids:
            self.hear(Notice(ended=frozenset(ids)))
            self._broadcast.publish(Notice(ended=frozenset(ids)))

    def hear(self, notice: Notice) -> None:
        """Wake whom a notice concerns: one in line per lane, all who await an ended job."""
        if notice.everything:
            for waiter in self._everybody():
                waiter.call()
            return
        for lane in notice.lanes:
            self._call_next_for(lane)
        for job_id in notice.ended:
            for waiter in self._for_end.get(job_id, ()):
                waiter.call()

    def call_next(self, left_by: Offer) -> None:
        """Wake the next in line who may find what a request with this offer left over.

        What is pending is not known here, only that the offer covered it: whoever has a type in
        common looks for itself.
        """
        for waiter, offer in self._for_work.items():
            if not waiter.is_called and offer.job_types & left_by.job_types:
                waiter.call()
                return

    def close(self) -> None:
        """Send all who wait away with what there is, and let nobody wait any more."""
        self._is_closed = True
        for waiter in self._everybody():
            waiter.dismiss()

    def awaited_jobs(self) -> Collection[JobId]:
        """Return the jobs whose end somebody awaits."""
        return frozenset(self._for_end)

    @property
    def anybody_waits_for_work(self) -> bool:
        """Tell whether a request stands in line for pending jobs."""
        return bool(self._for_work)

    def _everybody(self) -> Iterator[Waiter]:
        yield from self._for_work
        for waiters in self._for_end.values():
            yield from waiters

    def _call_next_for(self, lane: Lane) -> None:
        for waiter, offer in self._for_work.items():
            if not waiter.is_called and offer.covers(lane):
                waiter.call()
                return
