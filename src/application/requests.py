"""The values that the ports and use cases speak in."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from domain.deadline import LEASE_LENGTH
from domain.dispatch import Lane, Offer
from domain.job import JobId, Lease


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRequest:
    """A worker asks for up to `limit` jobs, under leases of at most `lease_length`."""

    worker_id: str
    offer: Offer
    limit: int = 1
    lease_length: timedelta = LEASE_LENGTH


@dataclass(frozen=True, slots=True, kw_only=True)
class Beat:
    """A sign of life for one lease, with the progress so far (0 to 1) where known."""

    lease: Lease
    progress: float | None = None
    lease_length: timedelta = LEASE_LENGTH


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewal:
    """A lease that is held, and whether its worker should stop."""

    expires_at: datetime
    cancel_requested: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A hint that work waits in some lanes, and that some jobs have ended.

    `everything` means that the list would have been too long: look at all.
    """

    lanes: AbstractSet[Lane] = field(default_factory=frozenset)
    ended: AbstractSet[JobId] = field(default_factory=frozenset)
    everything: bool = False
