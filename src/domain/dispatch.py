"""Which jobs may be handed to a worker, and in which order."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from domain.job import Job, JobState

LOWEST_PRIORITY = -(2**15)
HIGHEST_PRIORITY = 2**15 - 1
CLAIM_REMEMBERED_FOR = timedelta(seconds=60)
"""How long a claim can be asked for again under its name."""

_TIME_BITS = 48
_LAST_TICK = 2**_TIME_BITS - 1
_DAWN = datetime(1, 1, 1, tzinfo=UTC)
_TICK = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True, order=True)
class Lane:
    """One queue's jobs of one type: the grain at which workers choose what they run."""

    queue: str
    job_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What a worker can run: these types, from these queues (None: from any)."""

    job_types: frozenset[str]
    queues: frozenset[str] | None = None

    def covers(self, lane: Lane) -> bool:
        """Tell whether jobs of this lane may go to the worker."""
        return lane.job_type in self.job_types and (
            self.queues is None or lane.queue in self.queues
        )


def rank(*, priority: int, run_at: datetime) -> int:
    """Fold priority and due time into one signed 64-bit key; lower runs first.

    The upper 16 bits are the priority turned round, the lower 48 the milliseconds since
    the year 1 (held at their maximum from the year 8920 on).
    """
    ticks: int = min((run_at - _DAWN) // _TICK, _LAST_TICK)
    return ((-1 - priority) << _TIME_BITS) | ticks


def order(job: Job) -> tuple[int, datetime, int]:
    """Return the key that sorts pending jobs: priority, then due time, then id."""
    return (job.rank, job.run_at, job.id)


def lane_of(job: Job) -> Lane:
    """Return the lane in which the job waits."""
    return Lane(job.queue, job.job_type)


def claimable(job: Job, offer: Offer) -> bool:
    """Tell whether the job waits for just such a worker."""
    return job.state is JobState.PENDING and offer.covers(lane_of(job))


def lanes_of(jobs: Collection[Job]) -> frozenset[Lane]:
    """Return the lanes in which these jobs wait to be claimed now."""
    return frozenset(lane_of(job) for job in jobs if job.state is JobState.PENDING)


def is_of_claim(job: Job, *, worker_id: str, claim_id: str, now: datetime) -> bool:
    """Tell whether the job runs since this very claim of the worker, made not long ago."""
    return (
        job.lease is not None
        and job.worker_id == worker_id
        and job.claim_id == claim_id
        and job.started_at is not None
        and now - job.started_at < CLAIM_REMEMBERED_FOR
    )
