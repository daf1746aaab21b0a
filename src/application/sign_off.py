"""Letting a worker go."""

from dataclasses import dataclass

from application.ports import Clock, EventLog, JobStore, WorkerDirectory
from application.settling import settle
from application.waiting_room import WaitingRoom
from domain import moves


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOff:
    """Take a worker off the list, and hand on what it still held."""

    workers: WorkerDirectory
    store: JobStore
    clock: Clock
    room: WaitingRoom
    event_log: EventLog

    async def __call__(self, worker_id: str) -> None:
        """Release the worker's leases, with no failure counted, and forget it."""
        now = self.clock.now()
        held = await self.store.held_by(worker_id, claimed_by=now)
        released = [moves.release(job, now=now) for job in held]
        await settle(released, self.store, room=self.room, event_log=self.event_log)
        await self.workers.forget(worker_id)
