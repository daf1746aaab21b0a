"""Keeping leases alive, and taking back those that never arrived."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from application.ports import Clock, EventLog, JobStore
from application.requests import Beat, Renewal
from application.settling import settle
from application.waiting_room import WaitingRoom
from domain import moves
from domain.job import Lease, Outcome

ARRIVES_WITHIN = timedelta(seconds=10)
"""A lease older than this that its worker does not know of was lost on the way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepLeases:
    """Renew the leases that a worker still holds, and hand on those it never received."""

    store: JobStore
    clock: Clock
    room: WaitingRoom
    event_log: EventLog

    async def __call__(self, worker_id: str, beats: Sequence[Beat]) -> Mapping[Lease, Renewal]:
        """Return what became of each lease; those that are lost are missing.

        The beats are the whole truth about what the worker runs.
        """
        # The time at which the beats came in: what is claimed while they are dealt with is young,
        # however long that takes.
        now = self.clock.now()
        renewed = await self.store.renew(beats, now=now) if beats else {}
        await self._take_back(worker_id, {beat.lease for beat in beats}, now=now)
        return renewed

    async def _take_back(self, worker_id: str, known: set[Lease], *, now: datetime) -> None:
        lost = await self.store.held_by(worker_id, claimed_by=now - ARRIVES_WITHIN, besides=known)
        released = [moves.release(job, now=now, reason=Outcome.NEVER_RECEIVED) for job in lost]
        await settle(released, self.store, room=self.room, event_log=self.event_log)
