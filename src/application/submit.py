"""Accepting jobs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from application.ports import Clock, EventLog, JobStore
from application.requests import Admission, Admitted, Receipt
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

    async def __call__(
        self, submissions: Sequence[Submission], *, receipt: Receipt | None = None
    ) -> Sequence[Admission]:
        """Return what came of each submission, in order.

        A submit that was answered before under its receipt gets that first answer again,
        whatever the jobs have come to since.
        """
        now = self.clock.now()
        jobs = [submit(asked, now=now) for asked in submissions]
        admissions = await self.store.add(jobs, now=now, receipt=receipt)
        fresh = [admission.job for admission in admissions if admission.how is Admitted.NEW]
        self.event_log.record(_submitted(job) for job in fresh)
        self.room.tell_pending(lanes_of(fresh))
        return [_first_answer(*pair) for pair in zip(admissions, submissions, strict=True)]


def _first_answer(admission: Admission, asked: Submission) -> Admission:
    if admission.how is not Admitted.REPLAYED:
        return admission
    job = admission.job
    first = replace(submit(asked, now=job.created_at), id=job.id)
    return replace(admission, job=first)


def _submitted(job: Job) -> Submitted:
    return Submitted(job_id=job.id, attempt=0, job_type=job.job_type, queue=job.queue)
