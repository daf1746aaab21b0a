"""Which workers have called, in a dictionary."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from adapters.memory.store import MemoryJobStore
from domain.job import JobState
from domain.worker import Worker


class MemoryWorkerDirectory:
    """A `WorkerDirectory` for one process."""

    def __init__(self, store: MemoryJobStore) -> None:
        """Count leases in this store."""
        self._store = store
        self._workers: dict[str, Worker] = {}

    async def seen(self, worker: Worker) -> None:
        """Keep the newest word of the worker."""
        self._workers[worker.id] = worker

    async def touch(self, worker_id: str, *, now: datetime) -> None:
        """Move the time of the last call; a worker not yet heard of is listed bare."""
        known = self._workers.get(worker_id) or Worker(id=worker_id, last_seen=now)
        self._workers[worker_id] = replace(known, last_seen=now)

    async def forget(self, worker_id: str) -> None:
        """Drop the worker."""
        self._workers.pop(worker_id, None)

    async def listed(self, *, since: datetime) -> Sequence[Worker]:
        """Return whoever called lately, by id."""
        lately = (worker for worker in self._workers.values() if worker.last_seen >= since)
        return sorted(lately, key=lambda worker: worker.id)

    async def running(self) -> Mapping[str, int]:
        """Count the running jobs by their worker."""
        running = (job for job in self._store.live_jobs() if job.state is JobState.RUNNING)
        return Counter(job.worker_id for job in running if job.worker_id is not None)
