"""What an operator can do to a job: call it off, or send it round again."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from application.ports import Clock, EventLog, JobStore, StoreUnavailableError
from application.settling import settle
from application.waiting_room import WaitingRoom
from domain import moves
from domain.errors import KeyHeldError, UnknownJobError
from domain.job import Job, JobId, JobState
from domain.transition import Transition

Decide = Callable[[Job, datetime], Transition | None]

ROUNDS = 20
"""How often a decision is made anew because the job moved in between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Steering:
    """Reads a job, decides a move on it and stores it, again if the job moved meanwhile."""

    store: JobStore
    clock: Clock
    room: WaitingRoom
    event_log: EventLog

    async def move(self, job_id: JobId, decide: Decide) -> Job:
        """Return the job as it is after the move, or as it is where there is nothing to do."""
        refused_on: Job | None = None
        for _ in range(ROUNDS):
            job = await self.get(job_id)
            if job == refused_on:  # nothing moved, so what stands in the way is its key
                raise KeyHeldError(job_id=job_id, unique_key=job.unique_key or "")
            decided = decide(job, self.clock.now())
            if decided is None:
                return job
            if await settle([decided], self.store, room=self.room, event_log=self.event_log):
                return decided.applied_to(job)
            refused_on = job
        raise StoreUnavailableError("the job is being changed by others all the time")

    async def get(self, job_id: JobId) -> Job:
        """Return the job as it is now."""
        jobs = await self.store.get([job_id])
        if job_id not in jobs:
            raise UnknownJobError(job_id=job_id)
        return jobs[job_id]


@dataclass(frozen=True, slots=True)
class CancelJob:
    """Call a job off: at once if nobody runs it, else by asking its worker to stop."""

    steering: Steering

    async def __call__(self, job_id: JobId) -> Job:
        """Return the job; `IllegalMoveError` if it ended otherwise than by a cancel."""
        return await self.steering.move(job_id, _cancel)


@dataclass(frozen=True, slots=True)
class RetryJob:
    """Send a failed or cancelled job round again."""

    steering: Steering

    async def __call__(self, job_id: JobId) -> Job:
        """Return the pending job; `IllegalMoveError` from any other state."""
        return await self.steering.move(job_id, _retry)


def _cancel(job: Job, now: datetime) -> Transition | None:
    return None if job.state is JobState.CANCELLED else moves.cancel(job, now=now)


def _retry(job: Job, now: datetime) -> Transition:
    return moves.retry(job, now=now)
