"""Jobs in a dictionary. Every rule applied here is a function of the domain."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from heapq import nsmallest

from application.requests import Beat, ClaimRequest, Renewal
from domain import moves
from domain.deadline import has_run_out
from domain.dispatch import claimable, order
from domain.job import Job, JobId, JobState, Lease
from domain.transition import Transition


class MemoryJobStore:
    """A `JobStore` and `Overdue` for one process.

    No method awaits anything, so each is atomic on the event loop. Jobs that are not final
    are kept apart, so that a long history costs claims nothing.
    """

    def __init__(self) -> None:
        """Start empty; the first job gets the id 1."""
        self._jobs: dict[JobId, Job] = {}
        self._live: dict[JobId, Job] = {}

    async def add(self, jobs: Sequence[Job]) -> Sequence[Job]:
        """Store new jobs under the next ids."""
        first = len(self._jobs) + 1
        stored = [replace(job, id=JobId(first + n)) for n, job in enumerate(jobs)]
        for job in stored:
            self._keep(job)
        return stored

    async def get(self, ids: Collection[JobId]) -> Mapping[JobId, Job]:
        """Return the jobs that exist among these."""
        return {job_id: self._jobs[job_id] for job_id in ids if job_id in self._jobs}

    async def claim(self, request: ClaimRequest, *, now: datetime) -> Sequence[Job]:
        """Hand out the first claimable jobs."""
        waiting = (job for job in self._live.values() if claimable(job, request.offer))
        chosen = nsmallest(request.limit, waiting, key=order)
        return [self._claim(job, request, now=now) for job in chosen]

    async def renew(self, beats: Sequence[Beat], *, now: datetime) -> Mapping[Lease, Renewal]:
        """Extend the leases that are held by the very worker and attempt that beats."""
        held = [beat for beat in beats if self._is_held(beat)]
        return {beat.lease: self._renew(beat, now=now) for beat in held}

    async def settle(self, transitions: Sequence[Transition]) -> Collection[JobId]:
        """Store what still applies; return the ids of the rest."""
        return [move.job_id for move in transitions if not self._settle(move)]

    async def expired(self, *, now: datetime, limit: int) -> Sequence[Job]:
        """Return running jobs whose lease is over."""
        over = (job for job in self._live.values() if _expires_by(job, now))
        return nsmallest(limit, over, key=lambda job: (job.lease_expires_at, job.id))

    async def due(self, *, now: datetime, limit: int) -> Sequence[Job]:
        """Return scheduled jobs whose time has come."""
        ready = (job for job in self._scheduled() if job.run_at <= now)
        return nsmallest(limit, ready, key=lambda job: (job.run_at, job.id))

    async def next_moment(self) -> datetime | None:
        """Return the earliest end of a lease or due time."""
        leases = [job.lease_expires_at for job in self._live.values() if job.lease_expires_at]
        return min([*leases, *(job.run_at for job in self._scheduled())], default=None)

    def all_jobs(self) -> Collection[Job]:
        """Return every job, in order of id."""
        return self._jobs.values()

    def live_jobs(self) -> Collection[Job]:
        """Return the jobs that are not final."""
        return self._live.values()

    def _scheduled(self) -> list[Job]:
        return [job for job in self._live.values() if job.state is JobState.SCHEDULED]

    def _keep(self, job: Job) -> Job:
        self._jobs[job.id] = job
        if job.state.is_final:
            self._live.pop(job.id, None)
        else:
            self._live[job.id] = job
        return job

    def _claim(self, job: Job, request: ClaimRequest, *, now: datetime) -> Job:
        claimed = moves.claim(
            job, worker_id=request.worker_id, now=now, length=request.lease_length
        )
        return self._keep(claimed.applied_to(job))

    def _is_held(self, beat: Beat) -> bool:
        job = self._jobs.get(beat.lease.job_id)
        return job is not None and job.lease == beat.lease

    def _renew(self, beat: Beat, *, now: datetime) -> Renewal:
        held = self._jobs[beat.lease.job_id]
        job = moves.renew(held, now=now, progress=beat.progress, length=beat.lease_length)
        self._keep(job)
        return Renewal(
            expires_at=job.lease_expires_at or now, cancel_requested=job.cancel_requested
        )

    def _settle(self, move: Transition) -> bool:
        job = self._jobs.get(move.job_id)
        if job is None or not move.still_applies_to(job):
            return False
        self._keep(move.applied_to(job))
        return True


def _expires_by(job: Job, now: datetime) -> bool:
    return job.lease_expires_at is not None and has_run_out(job.lease_expires_at, now=now)
