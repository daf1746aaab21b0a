"""The values that the ports and use cases speak in."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from domain.deadline import LEASE_LENGTH
from domain.dispatch import Lane, Offer
from domain.job import Job, JobId, Lease

KEY_LIFETIME = timedelta(hours=24)
"""How long an idempotency key is remembered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The name a client gave to one submit, and a fingerprint of what it asked for."""

    key: str
    fingerprint: bytes


class Admitted(StrEnum):
    """What came of one submitted job."""

    NEW = "new"
    FOUND = "found"  # a live job bears its unique key
    REPLAYED = "replayed"  # it was new when the same submit came before


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """A submitted job as it is in the store, and how it came to be there."""

    job: Job
    how: Admitted = Admitted.NEW


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRequest:
    """A worker asks for up to `limit` jobs, under leases of at most `lease_length`.

    Asking again with the same `claim_id` soon after asks for the same leases.
    """

    worker_id: str
    offer: Offer
    limit: int = 1
    lease_length: timedelta = LEASE_LENGTH
    claim_id: str | None = None


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
