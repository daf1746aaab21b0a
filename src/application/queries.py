"""What people ask about jobs, and the answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from domain.dispatch import Lane
from domain.job import JobId, JobState


@dataclass(frozen=True, slots=True, kw_only=True)
class JobQuery:
    """A page of jobs by id: `limit` of them after the id `after`, in the order asked for."""

    state: JobState | None = None
    job_type: str | None = None
    queue: str | None = None
    limit: int = 50
    after: JobId | None = None
    oldest_first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneCount:
    """How a lane stands; `oldest_pending` is when its longest waiting job became due."""

    lane: Lane
    pending: int
    running: int
    oldest_pending: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """All jobs by state (every state is there), and the lanes where something is alive."""

    states: Mapping[JobState, int]
    lanes: Sequence[LaneCount]
    approximate: bool = False
