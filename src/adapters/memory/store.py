"""Jobs in a dictionary. Every rule applied here is a function of the domain."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from heapq import nsmallest

from adapters.memory.receipts import MemoryReceipts
from application.requests import Admission, Admitted, Beat, ClaimRequest, Receipt, Renewal
from domain import moves
from domain.attempt import Attempt, latest_attempt
from domain.deadline import has_run_out
from domain.dispatch import claimable, is_of_claim, order
from domain.job import Job, JobId, JobState, Lease
from domain.transition import Transition
from domain.uniqueness import leaders_of, require_same_work


class MemoryJobStore:
    """A `JobStore` and `Overdue` for one process.

    No method awaits anything, so each is atomic on the event loop. Jobs that are not final
    are kept apart, so that a long history costs claims nothing.
    """

    def __init__(self) -> None:
        """Start empty; the first job gets the id 1."""
        self._jobs: dict[JobId, Job] = {}
        self._live: dict[JobId, Job] = {}
        self._attempts: defaultdict[JobId, list[Attempt]] = defaultdict(list)
        self._receipts = MemoryReceipts()

    async def add(
        self, jobs: Sequence[Job], *, now: datetime, receipt: Receipt | None = None
    ) -> Sequence[Admission]:
        """Store new jobs under the next ids, unless they are there already."""
        known = receipt and self._receipts.find(receipt, now=now)
        if known:
            pairs = zip(known.ids, known.how, strict=True)
            return [Admission(job=self._jobs[job_id], how=how) for job_id, how in pairs]
        admissions = self._admit(jobs)
        for admission in admissions:
            if admission.how is Admitted.NEW:
                self._keep(admission.job)
        if receipt:
            self._receipts.keep(receipt, admissions, now=now)
        return admissions

    async def get(self, ids: Collection[JobId]) -> Mapping[JobId, Job]:
        """Return the jobs that exist among these."""
        return {job_id: self._jobs[job_id] for job_id in ids if job_id in self._jobs}

    async def claim(self, request: ClaimRequest, *, now: datetime) -> Sequence[Job]:
        """Hand out the first claimable jobs."""
        if repeated := self._claimed_before(request, now=now):
            return repeated
        waiting = (job for job in self._live.values() if claimable(job, request.offer))
        chosen = nsmallest(request.limit, waiting, key=order)
        return [self._claim(job, request, now=now) for job in chosen]

    async def renew(self, beats: Sequence[Beat], *, now: datetime) -> Mapping[Lease, Renewal]:
        """Extend the leases that are held by the very worker and attempt that beats."""
        held = [beat for beat in beats if self._is_held(beat)]
        return {beat.lease: self._renew(beat, now=now) for beat in held}

    async def settle(self, transitions: Sequence[Transition]) -> Collection[JobId]:
        """Store what still applies; return the ids of the rest."""
        in_order = sorted(transitions, key=lambda move: move.reclaims_key)
        stored = {move.job_id for move in in_order if self._settle(move)}
        return [move.job_id for move in transitions if move.job_id not in stored]

    async def held_by(
        self, worker_id: str, *, claimed_by: datetime, besides: Collection[Lease] = ()
    ) -> Sequence[Job]:
        """Return the running jobs of a worker, by id."""
        held = (job for job in self._live.values() if job.lease and job.worker_id == worker_id)
        others = (job for job in held if job.lease not in besides)
        return sorted(
            (job for job in others if job.started_at is not None and job.started_at <= claimed_by),
            key=lambda job: job.id,
        )

    async def attempts(self, job_id: JobId) -> Sequence[Attempt]:
        """Return the filed attempts."""
        return list(self._attempts.get(job_id, ()))

    async def expired(self, *, now: datetime, limit: int) -> Sequence[Job]:
        """Return running jobs whose lease is over."""
        over = (job for job in self._live.values() if _expires_by(job, now))
        return nsmallest(limit, over, key=lambda job: (job.lease_expires_at, job.id))

    async def due(self, *, now: datetime, limit: int) -> Sequence[Job]:
        """Return scheduled jobs whose time has come."""
        ready = (job for job in self._scheduled() if job.run_at <= now)
        return nsmallest(limit, ready, key=lambda job: (job.run_at, job.id))

    async def forget(self, *, now: datetime) -> None:
        """Drop the receipts that have lapsed."""
        self._receipts.forget(now=now)

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

    def _admit(self, jobs: Sequence[Job]) -> list[Admission]:
        bearers = self._bearers()
        admissions: list[Admission] = []
        next_id = len(self._jobs) + 1
        for index, (job, leader) in enumerate(zip(jobs, leaders_of(jobs), strict=True)):
            bearer = bearers.get(job.unique_key) if job.unique_key else None
            if leader != index:
                admissions.append(replace(admissions[leader], how=Admitted.FOUND))
            elif bearer is not None:
                require_same_work(job, bearer, index=index)
                admissions.append(Admission(job=bearer, how=Admitted.FOUND))
            else:
                admissions.append(Admission(job=replace(job, id=JobId(next_id))))
                next_id += 1
        return admissions

    def _bearers(self) -> dict[str, Job]:
        return {job.unique_key: job for job in self._live.values() if job.unique_key}

    def _claimed_before(self, request: ClaimRequest, *, now: datetime) -> list[Job]:
        if request.claim_id is None:
            return []
        same = partial(is_of_claim, worker_id=request.worker_id, claim_id=request.claim_id, now=now)
        return sorted(filter(same, self._live.values()), key=order)

    def _claim(self, job: Job, request: ClaimRequest, *, now: datetime) -> Job:
        claimed = moves.claim(
            job,
            worker_id=request.worker_id,
            now=now,
            length=request.lease_length,
            claim_id=request.claim_id,
        )
        before = latest_attempt(job)
        if before is not None:
            self._attempts[job.id].append(before)
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
        after = move.applied_to(job)
        if move.reclaims_key and after.unique_key in self._bearers():
            return False
        self._keep(after)
        return True


def _expires_by(job: Job, now: datetime) -> bool:
    return job.lease_expires_at is not None and has_run_out(job.lease_expires_at, now=now)
