"""What is known of a worker from its calls."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

FORGOTTEN_AFTER = timedelta(minutes=5)
"""A worker is listed until this long after its last call."""

LOST_AFTER = timedelta(seconds=90)
"""Longer than the longest poll (60 s): a living worker has called again by then."""


class WorkerState(StrEnum):
    """Whether a worker can be expected to take jobs."""

    ACTIVE = "active"
    DRAINING = "draining"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """A worker as its last calls told; `slots` is how many jobs it runs at once, if it said."""

    id: str
    last_seen: datetime
    job_types: tuple[str, ...] = ()
    queues: tuple[str, ...] | None = None
    slots: int | None = None
    draining: bool = False

    def state(self, *, now: datetime) -> WorkerState:
        """Tell how the worker stands at `now`."""
        if now - self.last_seen >= LOST_AFTER:
            return WorkerState.LOST
        return WorkerState.DRAINING if self.draining else WorkerState.ACTIVE
