"""Keeping leases alive."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from application.ports import Clock, JobStore
from application.requests import Beat, Renewal
from domain.job import Lease


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepLeases:
    """Renew the leases that a worker still holds."""

    store: JobStore
    clock: Clock

    async def __call__(self, beats: Sequence[Beat]) -> Mapping[Lease, Renewal]:
        """Return what became of each lease; those that are lost are missing."""
        if not beats:
            return {}
        return await self.store.renew(beats, now=self.clock.now())
