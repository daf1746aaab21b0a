"""Handing jobs to workers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from application.patience import Patience
from application.ports import Clock, EventLog, JobStore
from application.requests import ClaimRequest
from application.waiting_room import WaitingRoom
from domain.dispatch import Offer
from domain.events import Claimed
from domain.job import Job

NO_WAIT = timedelta(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimJobs:
    """Give a worker jobs that it can run, and wait for some if there are none yet."""

    store: JobStore
    clock: Clock
    room: WaitingRoom
    event_log: EventLog

    async def __call__(self, request: ClaimRequest, *, wait: timedelta = NO_WAIT) -> Sequence[Job]:
        """Return claimed jobs, first to run first; none when the wait ends without any."""
        patience = Patience(wait)
        with self.room.waiting_for_work(request.offer) as waiter:
            while True:
                # The hint is used up before looking, so that one that comes while the
                # store answers is not lost.
                waiter.look()
                jobs = await self.store.claim(request, now=self.clock.now())
                if jobs:
                    break
                if patience.is_over or not await waiter.wait(at_most=patience.left):
                    return []
        self._pass_on(jobs, request.offer)
        return jobs

    def _pass_on(self, jobs: Sequence[Job], offer: Offer) -> None:
        self.event_log.record(_claimed(job) for job in jobs)
        # One submit wakes one poller, however many jobs it brought; each that finds some
        # wakes the next, until one finds nothing.
        self.room.call_next(offer)


def _claimed(job: Job) -> Claimed:
    return Claimed(job_id=job.id, attempt=job.attempt, worker_id=job.worker_id or "")
