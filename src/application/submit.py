"""Accepting jobs."""

from collections.abc import Sequence
from dataclasses import dataclass

from application.ports import Clock, EventLog, JobStore
from application.waiting_room import WaitingRoom
from domain.dispatch import lanes_of
from domain.events import Submitted
from domain.job import Job
from domain.submission import Submission, submit


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitJobs:
    """Store jobs, all or none, and call a waiting worker for those that are due."""

    store: JobStore
    clock: Clock
    room: WaitingRoom
    event_log: EventLog

    async def __call__(self, submissions: Sequence[Submission]) -> Sequence[Job]:
        """Return the stored jobs in the order of the submissions."""
        now = self.clock.now()
        jobs = await self.store.add([submit(asked, now=now) for asked in submissions])
        self.event_log.record(_submitted(job) for job in jobs)
        self.room.tell_pending(lanes_of(jobs))
        return jobs


def _submitted(job: Job) -> Submitted:
    return Submitted(job_id=job.id, attempt=0, job_type=job.job_type, queue=job.queue)
