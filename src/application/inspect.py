"""Looking at jobs and workers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from application.claim import NO_WAIT
from application.patience import Patience
from application.ports import Clock, JobStore, WorkerDirectory
from application.waiting_room import WaitingRoom
from domain.errors import UnknownJobError
from domain.job import Job, JobId
from domain.worker import FORGOTTEN_AFTER, Worker, WorkerState


@dataclass(frozen=True, slots=True, kw_only=True)
class GetJob:
    """Return one job, if asked to only once it is final or the wait is over."""

    store: JobStore
    room: WaitingRoom

    async def __call__(self, job_id: JobId, *, wait: timedelta = NO_WAIT) -> Job:
        """Return the job; `UnknownJobError` if there is none."""
        patience = Patience(wait)
        with self.room.waiting_for_end(job_id) as waiter:
            while True:
                waiter.look()
                job = await self._get(job_id)
                if job.state.is_final or not await waiter.wait(at_most=patience.left):
                    return job

    async def _get(self, job_id: JobId) -> Job:
        jobs = await self.store.get([job_id])
        if job_id not in jobs:
            raise UnknownJobError(job_id=job_id)
        return jobs[job_id]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSeen:
    """A worker with its state now and the number of leases it holds."""

    worker: Worker
    state: WorkerState
    running: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ListWorkers:
    """Return the workers that called lately."""

    workers: WorkerDirectory
    clock: Clock

    async def __call__(self) -> Sequence[WorkerSeen]:
        """Return them by id."""
        now = self.clock.now()
        listed = await self.workers.listed(since=now - FORGOTTEN_AFTER)
        running: Mapping[str, int] = await self.workers.running()
        return [
            WorkerSeen(
                worker=worker, state=worker.state(now=now), running=running.get(worker.id, 0)
            )
            for worker in listed
        ]
