"""What the scheduler's use cases need from the world, split by who needs it."""

from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from application.queries import Census, JobQuery
from application.requests import Admission, Beat, ClaimRequest, Notice, Receipt, Renewal
from domain.attempt import Attempt
from domain.dispatch import Lane
from domain.events import Event
from domain.job import Job, JobId, Lease
from domain.transition import Transition
from domain.worker import Worker


class StoreUnavailableError(Exception):
    """The store cannot be reached just now; whether a write took effect is not known.

    Moves, claims and heartbeats are fenced, so that repeating them is safe. Repeating an `add`
    is safe under a receipt or unique keys only.
    """


class Clock(Protocol):
    """The one time that all schedulers agree on."""

    def now(self) -> datetime:
        """Return the time now, aware and in UTC."""
        ...


class JobStore(Protocol):
    """The shared set of jobs. Every method is atomic; all times are aware UTC.

    Raises:
        StoreUnavailableError: the backend cannot be reached.
    """

    async def add(
        self, jobs: Sequence[Job], *, now: datetime, receipt: Receipt | None = None
    ) -> Sequence[Admission]:
        """Store new jobs, all or none, with rising ids; answer for each in the same order.

        A job whose unique key a live job bears is not stored: that job is the answer. With a
        receipt that is known and not older than `KEY_LIFETIME`, nothing is stored and the
        jobs of the first time are the answer, as they are now.

        Raises:
            UniqueKeyTakenError: a live job with the key is other work; nothing was stored.
            IdempotencyKeyReusedError: the receipt's key names another request.
        """
        ...

    async def get(self, ids: Collection[JobId]) -> Mapping[JobId, Job]:
        """Return the jobs with these ids; unknown ids are left out."""
        ...

    async def claim(self, request: ClaimRequest, *, now: datetime) -> Sequence[Job]:
        """Hand out up to `request.limit` pending jobs, first in order first.

        Asked again with the same worker and claim id, it gives those jobs of that claim that
        still run, if any do, and no others. A job's attempt before is filed for `attempts`.
        Two calls never get the same job. A short answer may leave jobs that another call was
        just looking at.
        """
        ...

    async def renew(self, beats: Sequence[Beat], *, now: datetime) -> Mapping[Lease, Renewal]:
        """Extend the leases that are still held; those missing from the answer are lost."""
        ...

    async def settle(self, transitions: Sequence[Transition]) -> Collection[JobId]:
        """Store decided moves, at most one per job, that still apply.

        Moves that reclaim a unique key are stored last, one after the other, and only where no
        other live job bears it. Returns the ids that had moved on, are unknown, or whose key is
        taken; those are unchanged.
        """
        ...

    async def held_by(
        self, worker_id: str, *, claimed_by: datetime, besides: Collection[Lease] = ()
    ) -> Sequence[Job]:
        """Return the jobs that run under this worker's other leases since `claimed_by` or earlier.

        In order of their ids.
        """
        ...

    async def attempts(self, job_id: JobId) -> Sequence[Attempt]:
        """Return the attempts filed for a job, oldest first; the latest is in the job."""
        ...


class Overdue(Protocol):
    """What the reaper looks for. The same errors as `JobStore`."""

    async def expired(self, *, now: datetime, limit: int) -> Sequence[Job]:
        """Return running jobs whose lease has run out at `now`, longest ago first."""
        ...

    async def due(self, *, now: datetime, limit: int) -> Sequence[Job]:
        """Return scheduled jobs whose `run_at` has come at `now`, first in order of it."""
        ...

    async def forget(self, *, now: datetime) -> None:
        """Forget the receipts that have lapsed at `now`."""
        ...

    async def next_moment(self) -> datetime | None:
        """Return when the next lease runs out or job becomes due; None if neither waits."""
        ...


class JobBoard(Protocol):
    """Reading for people and for waiting requests. The same errors as `JobStore`."""

    async def find(self, query: JobQuery) -> Sequence[Job]:
        """Return one page of jobs, in the query's order."""
        ...

    async def census(self) -> Census:
        """Count the jobs by state, and by lane those that are pending or running."""
        ...

    async def pending_lanes(self) -> Collection[Lane]:
        """Return the lanes in which a job is pending."""
        ...

    async def final_among(self, ids: Collection[JobId]) -> Collection[JobId]:
        """Return those of the ids whose job is final or unknown."""
        ...

    async def ping(self) -> None:
        """Return if the store answers."""
        ...


class WorkerDirectory(Protocol):
    """Who has called lately. The same errors as `JobStore`."""

    async def seen(self, worker: Worker) -> None:
        """Remember a worker as it last told of itself."""
        ...

    async def touch(self, worker_id: str, *, now: datetime) -> None:
        """Remember that a worker called, without learning more about it."""
        ...

    async def forget(self, worker_id: str) -> None:
        """Take a worker off the list."""
        ...

    async def listed(self, *, since: datetime) -> Sequence[Worker]:
        """Return the workers seen at or after `since`, by id."""
        ...

    async def running(self) -> Mapping[str, int]:
        """Return how many leases each worker holds, by worker id."""
        ...


class Broadcast(Protocol):
    """Hints between schedulers that share a store. They may be lost, doubled or late."""

    def publish(self, notice: Notice) -> None:
        """Tell the other schedulers, soon and gathered with others; never waits or raises."""
        ...

    def notices(self) -> AsyncIterator[Notice]:
        """Yield what other schedulers tell, for ever; a lost connection is made anew."""
        ...


class EventLog(Protocol):
    """Where what happened is told."""

    def record(self, events: Iterable[Event]) -> None:
        """Take note of events that are stored facts by now; never raises."""
        ...
