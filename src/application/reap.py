"""Rescuing what got stuck, and waking what has become due.

Any number of reapers may run at once: each stored move is fenced, so that the slower of two
changes nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass

from application.ports import Clock, EventLog, JobStore, Overdue
from application.settling import settle
from application.waiting_room import WaitingRoom
from domain import moves

BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpireLeases:
    """Take back the jobs whose lease has run out."""

    store: JobStore
    overdue: Overdue
    clock: Clock
    room: WaitingRoom
    event_log: EventLog
    roll: Callable[[], float]

    async def __call__(self) -> int:
        """Return how many leases were looked at; fewer than `BATCH` means none are left."""
        now = self.clock.now()
        jobs = await self.overdue.expired(now=now, limit=BATCH)
        expired = [moves.expire(job, now=now, roll=self.roll()) for job in jobs]
        await settle(expired, self.store, room=self.room, event_log=self.event_log)
        return len(jobs)


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeDue:
    """Make the scheduled jobs claimable whose time has come."""

    store: JobStore
    overdue: Overdue
    clock: Clock
    room: WaitingRoom
    event_log: EventLog

    async def __call__(self) -> int:
        """Return how many jobs were looked at; fewer than `BATCH` means none are left."""
        now = self.clock.now()
        jobs = await self.overdue.due(now=now, limit=BATCH)
        due = [moves.become_due(job, now=now) for job in jobs]
        await settle(due, self.store, room=self.room, event_log=self.event_log)
        return len(jobs)
