"""Keeping leases alive."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from application.ports import Clock, JobStore
from application.requests import Beat, Renewal
from domain.job import JobId, Lease


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepLeases:
    """Renew the leases that a worker still holds."""

    store: JobStore
    clock: Clock

    async def __call__(self, beats: Sequence[Beat]) -> Mapping[Lease, Renewal]:
        """Return what became of each lease; those that are lost are missing."""
        newest = _newest_of_each_job(beats)
        if not newest:
            return {}
        renewed = await self.store.renew(list(newest.values()), now=self.clock.now())
        return {newest[job_id].lease: renewal for job_id, renewal in renewed.items()}


def _newest_of_each_job(beats: Sequence[Beat]) -> dict[JobId, Beat]:
    # Attempts only grow: of two leases on one job the older is lost, whatever the store says.
    return {beat.lease.job_id: beat for beat in sorted(beats, key=lambda beat: beat.lease.attempt)}
