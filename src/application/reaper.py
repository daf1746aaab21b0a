"""The reaper's rounds: as late as possible, as early as needed."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta

from application.ports import Clock, Overdue, WorkerDirectory
from application.reap import BATCH, ExpireLeases, MakeDue
from application.truce import Truce
from domain.worker import FORGOTTEN_AFTER

LONGEST_REST = timedelta(seconds=1)
"""A lease or due time stored meanwhile by another process is noticed within this."""

SHORTEST_REST = timedelta(milliseconds=10)
"""Between two rounds, so that a job which cannot be moved does not spin the loop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaper:
    """Expires leases and makes jobs due, round after round."""

    expire: ExpireLeases
    make_due: MakeDue
    overdue: Overdue
    workers: WorkerDirectory
    clock: Clock
    truce: Truce

    async def round(self) -> timedelta:
        """Do all that is to be done now; return how long to rest before the next round."""
        # In turn, so that a wave of due jobs does not keep leases from being taken back.
        while max(await self.make_due(), await self._expire()) >= BATCH:
            pass
        await self.overdue.forget(now=self.clock.now())
        if self.truce.holds:
            return LONGEST_REST
        moment = await self.overdue.next_moment()
        if moment is None:
            return LONGEST_REST
        return min(max(moment - self.clock.now(), SHORTEST_REST), LONGEST_REST)

    async def _expire(self) -> int:
        self.truce.store_answered()
        return 0 if self.truce.holds else await self.expire()

    async def run(self) -> None:
        """Make rounds until cancelled; errors are the caller's to survive."""
        await self._remember_workers()
        while True:
            rest = await self.round()
            await asyncio.sleep(rest.total_seconds())

    async def _remember_workers(self) -> None:
        now = self.clock.now()
        known = await self.workers.listed(since=now - FORGOTTEN_AFTER)
        last = max((worker.last_seen for worker in known), default=None)
        self.truce.workers_were_heard(last, now=now)
