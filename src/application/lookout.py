"""Finding what no hint told of.

Hints may be lost. As long as anyone waits, the lookout asks the store a few times a second,
once for all who wait, and passes on what it sees.
"""

import asyncio
from dataclasses import dataclass
from datetime import timedelta

from application.ports import Broadcast, JobBoard
from application.requests import Notice
from application.waiting_room import WaitingRoom

LOOK_EVERY = timedelta(milliseconds=500)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookout:
    """Wakes waiting requests for what the store shows."""

    board: JobBoard
    room: WaitingRoom

    async def look(self) -> None:
        """Look once, if anybody waits."""
        if self.room.anybody_waits_for_work:
            lanes = await self.board.pending_lanes()
            self.room.hear(Notice(lanes=frozenset(lanes)))
        awaited = self.room.awaited_jobs()
        if awaited:
            ended = await self.board.final_among(awaited)
            self.room.hear(Notice(ended=frozenset(ended)))

    async def run(self) -> None:
        """Look again and again until cancelled; errors are the caller's to survive."""
        while True:
            await self.look()
            await asyncio.sleep(LOOK_EVERY.total_seconds())


@dataclass(frozen=True, slots=True, kw_only=True)
class Relay:
    """Passes on to waiting requests what other schedulers tell."""

    broadcast: Broadcast
    room: WaitingRoom

    async def run(self) -> None:
        """Listen until cancelled."""
        async for notice in self.broadcast.notices():
            self.room.hear(notice)
