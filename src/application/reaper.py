"""The reaper's rounds: as late as possible, as early as needed."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta

from application.ports import Clock, Overdue
from application.reap import BATCH, ExpireLeases, MakeDue

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
    clock: Clock

    async def round(self) -> timedelta:
        """Do all that is to be done now; return how long to rest before the next round."""
        while await self.make_due() >= BATCH:
            pass
        while await self.expire() >= BATCH:
            pass
        moment = await self.overdue.next_moment()
        if moment is None:
            return LONGEST_REST
        return min(max(moment - self.clock.now(), SHORTEST_REST), LONGEST_REST)

    async def run(self) -> None:
        """Make rounds until cancelled; errors are the caller's to survive."""
        while True:
            rest = await self.round()
            await asyncio.sleep(rest.total_seconds())
