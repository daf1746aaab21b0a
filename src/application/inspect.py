"""Looking at jobs and workers."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from application.claim import NO_WAIT
from application.patience import Patience
from application.ports import Clock, JobBoard, JobStore, StoreUnavailableError, WorkerDirectory
from application.queries import Census, JobQuery
from application.waiting_room import WaitingRoom
from domain.attempt import Attempt, latest_attempt
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
                if job.state.is_final or patience.is_over:
                    return job
                if not await waiter.wait(at_most=patience.left):
                    return job

    async def _get(self, job_id: JobId) -> Job:
        jobs = await self.store.get([job_id])
        if job_id not in jobs:
            raise UnknownJobError(job_id=job_id)
        return jobs[job_id]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListJobs:
    """Return a page of jobs."""

    board: JobBoard

    async def __call__(self, query: JobQuery) -> Sequence[Job]:
        """Return the jobs that the query asks for, in its order."""
        return await self.board.find(query)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountJobs:
    """Count the jobs, and tell how long the oldest of each lane has waited."""

    board: JobBoard
    clock: Clock

    async def __call__(self) -> tuple[Census, datetime]:
        """Return the counts and the time at which to read their ages."""
        census = await self.board.census()
        return census, self.clock.now()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachStore:
    """Find out whether the store can be reached."""

    board: JobBoard

    async def __call__(self, *, within: timedelta) -> None:
        """Return if it answers in time; `StoreUnavailableError` if not."""
        try:
            async with asyncio.timeout(within.total_seconds()):
                await self.board.ping()
        except TimeoutError:
            raise StoreUnavailableError("the store does not answer in time") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListAttempts:
    """Return all attempts at a job."""

    store: JobStore

    async def __call__(self, job_id: JobId) -> Sequence[Attempt]:
        """Return them oldest first; `UnknownJobError` if there is no such job."""
        jobs = await self.store.get([job_id])
        if job_id not in jobs:
            raise UnknownJobError(job_id=job_id)
        filed = await self.store.attempts(job_id)
        latest = latest_attempt(jobs[job_id])
        # A claim between the two reads files the attempt that was the latest before it.
        known = {attempt.number for attempt in filed}
        return [*filed, latest] if latest and latest.number not in known else filed


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
