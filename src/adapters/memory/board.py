"""Reading the jobs in memory for people and for waiting requests."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from adapters.memory.store import MemoryJobStore
from application.queries import Census, JobQuery, LaneCount
from domain.dispatch import Lane, lane_of, lanes_of
from domain.job import Job, JobId, JobState


class MemoryJobBoard:
    """A `JobBoard` over the jobs of a `MemoryJobStore`."""

    def __init__(self, store: MemoryJobStore) -> None:
        """Read from this store."""
        self._store = store

    async def find(self, query: JobQuery) -> Sequence[Job]:
        """Walk the jobs by id from where the last page ended."""
        jobs = list(self._store.all_jobs())
        if not query.oldest_first:
            jobs.reverse()
        return list(islice((job for job in jobs if _matches(job, query)), query.limit))

    async def census(self) -> Census:
        """Count everything, every time."""
        counted = Counter(job.state for job in self._store.all_jobs())
        by_lane: dict[Lane, list[Job]] = defaultdict(list)
        for job in self._store.live_jobs():
            by_lane[lane_of(job)].append(job)
        counts = (_count(lane, by_lane[lane]) for lane in sorted(by_lane))
        return Census(
            states={state: counted[state] for state in JobState},
            lanes=[count for count in counts if count.pending or count.running],
        )

    async def pending_lanes(self) -> Collection[Lane]:
        """Return the lanes with a pending job."""
        return lanes_of(self._store.live_jobs())

    async def final_among(self, ids: Collection[JobId]) -> Collection[JobId]:
        """Return the ids that no live job has."""
        return set(ids) - {job.id for job in self._store.live_jobs()}

    async def ping(self) -> None:
        """Memory always answers."""


def _matches(job: Job, query: JobQuery) -> bool:
    return (
        query.state in {None, job.state}
        and query.job_type in {None, job.job_type}
        and query.queue in {None, job.queue}
        and (query.after is None or _is_beyond(job.id, query.after, query))
    )


def _is_beyond(job_id: JobId, after: JobId, query: JobQuery) -> bool:
    return job_id > after if query.oldest_first else job_id < after


def _count(lane: Lane, jobs: Iterable[Job]) -> LaneCount:
    pending = [job.run_at for job in jobs if job.state is JobState.PENDING]
    return LaneCount(
        lane=lane,
        pending=len(pending),
        running=sum(job.state is JobState.RUNNING for job in jobs),
        oldest_pending=min(pending, default=None),
    )
