"""A scheduler in this process: the real use cases over the memory adapter."""

import asyncio
import threading
from collections.abc import Mapping, Sequence
from datetime import timedelta

from adapters.clocks.system import SystemClock
from adapters.memory.broadcast import NoBroadcast
from adapters.memory.store import MemoryJobStore
from application.claim import ClaimJobs
from application.heartbeat import KeepLeases
from application.inspect import GetJob
from application.outcomes import AttemptOutcome
from application.report import ReportOutcomes
from application.requests import Beat, ClaimRequest, Renewal
from application.submit import SubmitJobs
from application.waiting_room import WaitingRoom
from application.worker.ports import (
    Answer,
    Assignment,
    SchedulerRefusedError,
    SchedulerUnavailableError,
    WorkRequest,
)
from domain import moves
from domain.deadline import LEASE_LENGTH
from domain.job import Job, JobId, Lease
from domain.submission import Submission
from tests.unit.worker.logs import SilentEventLog

CallError = SchedulerUnavailableError | SchedulerRefusedError


class LocalScheduler:
    """Both gateways of a worker. Errors put in `troubles` are raised by the next calls.

    With `deaf` set, a call takes effect and its answer is lost.
    """

    def __init__(self) -> None:
        self.store = MemoryJobStore()
        clock, events = SystemClock(), SilentEventLog()
        room = WaitingRoom(NoBroadcast())
        self.submit_jobs = SubmitJobs(store=self.store, clock=clock, room=room, event_log=events)
        self.get_job = GetJob(store=self.store, room=room)
        self.claim_jobs = ClaimJobs(store=self.store, clock=clock, room=room, event_log=events)
        self.keep_leases = KeepLeases(store=self.store, clock=clock, room=room, event_log=events)
        self.report_outcomes = ReportOutcomes(
            store=self.store, clock=clock, room=room, event_log=events, roll=lambda: 0.0
        )
        self.clock = clock
        self.troubles: dict[str, list[CallError]] = {"claim": [], "report": [], "heartbeat": []}
        self.deaf = False
        self.requests: list[WorkRequest] = []
        self.reports: list[Sequence[AttemptOutcome]] = []
        self.signed_off = False
        self.beaten = threading.Semaphore(0)

    async def submit(self, **fields: object) -> JobId:
        """Submit one job."""
        [admission] = await self.submit_jobs([Submission(**{"job_type": "task", **fields})])  # type: ignore[arg-type] # any field
        return admission.job.id

    async def ended(self, job_id: JobId) -> Job:
        """Return a job once it is final."""
        return await self.get_job(job_id, wait=timedelta(seconds=10))

    async def cancel(self, job_id: JobId) -> None:
        """Ask for a job's end."""
        jobs = await self.store.get([job_id])
        await self.store.settle([moves.cancel(jobs[job_id], now=self.clock.now())])

    async def claim(self, request: WorkRequest) -> Sequence[Assignment]:
        """Hand out jobs."""
        self.requests.append(request)
        self._trouble("claim")
        asked = ClaimRequest(worker_id=request.worker_id, offer=request.offer, limit=request.limit)
        jobs = await self.claim_jobs(asked, wait=request.wait)
        return [assignment_of(job) for job in jobs]

    async def report(self, worker_id: str, outcomes: Sequence[AttemptOutcome]) -> Sequence[Answer]:
        """Settle outcomes."""
        assert {outcome.lease.worker_id for outcome in outcomes} == {worker_id}
        self.reports.append(list(outcomes))
        if not self.deaf:
            self._trouble("report")
        verdicts = await self.report_outcomes(outcomes)
        if self.deaf:
            self._trouble("report")
        return [
            Answer(lease=told.lease, accepted=told.refusal is None, reason=told.refusal)
            for told in verdicts
        ]

    async def sign_off(self, worker_id: str) -> None:
        """Note the end."""
        assert worker_id
        self.signed_off = True

    def heartbeat(self, worker_id: str, beats: Sequence[Beat]) -> Mapping[Lease, Renewal]:
        """Renew leases; called in the heartbeat thread."""
        assert {beat.lease.worker_id for beat in beats} == {worker_id}
        self._trouble("heartbeat")
        renewed = asyncio.run(self._renewed(worker_id, beats))
        self.beaten.release()
        return renewed

    async def _renewed(self, worker_id: str, beats: Sequence[Beat]) -> Mapping[Lease, Renewal]:
        return await self.keep_leases(worker_id, beats)

    def _trouble(self, call: str) -> None:
        if self.troubles[call]:
            raise self.troubles[call].pop(0)


def assignment_of(job: Job) -> Assignment:
    """Return a claimed job as a worker gets it."""
    assert job.lease is not None
    return Assignment(
        lease=job.lease,
        job_type=job.job_type,
        queue=job.queue,
        payload=job.payload,
        metadata=job.metadata,
        timeout=job.timeout,
        lease_length=LEASE_LENGTH,
    )
