"""Driving the use cases themselves."""

from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from anyio.from_thread import BlockingPortal

from application.outcomes import (
    AttemptCancelled,
    AttemptFailed,
    AttemptOutcome,
    AttemptReleased,
    AttemptSucceeded,
)
from application.queries import JobQuery
from application.requests import Admission, Beat, ClaimRequest, Receipt, Renewal
from domain.dispatch import Offer
from domain.errors import (
    IdempotencyKeyReusedError,
    IllegalMoveError,
    InvalidValueError,
    KeyHeldError,
    UniqueKeyTakenError,
)
from domain.job import Failure, Job, JobId, Json, Lease
from domain.retry import RetryPolicy
from domain.submission import Submission
from entrypoints.container import Container
from tests.acceptance.driver import ALL, ConflictError, Held, RefusedError, SeenJob
from tests.acceptance.working import LocalScheduler, Strategies, work
from tests.fakes import FakeClock


class DirectDriver:
    """A `Driver` over a container's use cases."""

    def __init__(self, container: Container, clock: FakeClock, portal: BlockingPortal) -> None:
        self._container = container
        self._clock = clock
        self._portal = portal

    def submit(self, *jobs: dict[str, Any], letter: str | None = None) -> Sequence[int]:
        submissions = [_submission(fields, index, len(jobs)) for index, fields in enumerate(jobs)]
        receipt = letter and Receipt(key=letter, fingerprint=repr(jobs).encode())

        async def submit() -> Sequence[Admission]:
            return await self._container.submit()(submissions, receipt=receipt or None)

        with _conflicts():
            return [admission.job.id for admission in self._portal.call(submit)]

    def job(self, job_id: int) -> SeenJob:
        return self._seen(self._run(self._container.get_job(), JobId(job_id)))

    def jobs(self) -> Sequence[SeenJob]:
        query = JobQuery(limit=ALL, oldest_first=True)
        return [self._seen(job) for job in self._run(self._container.list_jobs(), query)]

    def claim(
        self,
        worker: str,
        *,
        limit: int = 1,
        job_types: Sequence[str] = ("print", "paint"),
        queues: Sequence[str] | None = None,
        letter: str | None = None,
    ) -> Sequence[Held]:
        offer = _offer(job_types, queues)
        request = ClaimRequest(worker_id=worker, offer=offer, limit=limit, claim_id=letter)
        return self._portal.call(self._claim, request, timedelta(0))

    def succeed(self, held: Held) -> str:
        return self._report(AttemptSucceeded(lease=_lease(held), result=Json(b"null")))

    def fail(self, held: Held, *, retryable: bool = True) -> str:
        failure = Failure(type="ValueError", message="it broke")
        return self._report(AttemptFailed(lease=_lease(held), failure=failure, retryable=retryable))

    def release(self, held: Held) -> str:
        return self._report(AttemptReleased(lease=_lease(held)))

    def stop(self, held: Held) -> str:
        return self._report(AttemptCancelled(lease=_lease(held)))

    def beat(self, worker: str, *held: Held) -> Sequence[str]:
        leases = [_lease(each) for each in held]
        beats = [Beat(lease=lease) for lease in leases]
        renewed = self._run(self._container.keep_leases(), worker, beats)
        return [_told(renewed.get(lease)) for lease in leases]

    def cancel(self, job_id: int) -> None:
        with _conflicts():
            self._run(self._container.cancel_job(), JobId(job_id))

    def retry(self, job_id: int) -> None:
        with _conflicts():
            self._run(self._container.retry_job(), JobId(job_id))

    def attempts(self, job_id: int) -> Sequence[str | None]:
        attempts = self._run(self._container.list_attempts(), JobId(job_id))
        return [attempt.outcome for attempt in attempts]

    def sign_off(self, worker: str) -> None:
        self._run(self._container.sign_off(), worker)

    def workers(self) -> dict[str, str]:
        listed = self._run(self._container.list_workers())
        return {seen.worker.id: seen.state for seen in listed}

    def pass_time(self, by: timedelta) -> None:
        self._clock.advance(by)
        self._run(self._container.reaper().round)

    def work(self, strategies: Strategies, *, job_id: int) -> None:
        async def ended() -> Job:
            return await self._container.get_job()(JobId(job_id), wait=timedelta(seconds=30))

        self._portal.call(work, LocalScheduler(self._container), strategies, ended)

    def await_end(self, job_id: int, *, at_most_s: float) -> "Future[SeenJob]":
        async def wait() -> SeenJob:
            wait = timedelta(seconds=at_most_s)
            return self._seen(await self._container.get_job()(JobId(job_id), wait=wait))

        return self._portal.start_task_soon(wait)

    def await_work(self, worker: str) -> "Future[Sequence[Held]]":
        request = ClaimRequest(worker_id=worker, offer=_offer(["print"], None))
        return self._portal.start_task_soon(self._claim, request, timedelta(seconds=30))

    async def _claim(self, request: ClaimRequest, wait: timedelta) -> Sequence[Held]:
        await self._container.meet_worker().introduce(
            request.worker_id, job_types=tuple(request.offer.job_types), queues=None, slots=None
        )
        return [_held(job) for job in await self._container.claim()(request, wait=wait)]

    def _report(self, outcome: AttemptOutcome) -> str:
        [verdict] = self._run(self._container.report(), [outcome])
        return verdict.refusal or "accepted"

    def _seen(self, job: Job) -> SeenJob:
        return SeenJob(
            id=job.id,
            state=job.state,
            attempt=job.attempt,
            failures=job.failures,
            priority=job.priority,
            queue=job.queue,
            result=None if job.result is None else job.result.decode(),
            error=None if job.error is None else job.error.type,
            wait_s=(job.run_at - self._clock.now()).total_seconds(),
        )

    def _run(self, use_case: Callable[..., Coroutine[Any, Any, Any]], *arguments: object) -> Any:  # noqa: ANN401 - whatever the use case returns
        return self._portal.call(use_case, *arguments)


def _submission(fields: dict[str, Any], index: int, count: int) -> Submission:
    given = fields | {name: _READ[name](fields[name]) for name in fields.keys() & _READ.keys()}
    try:
        return Submission(**given)
    except InvalidValueError as error:
        raise RefusedError(error.field if count == 1 else f"{error.field} of {index}") from None


def _seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


_READ: dict[str, Callable[[Any], object]] = {
    "delay": _seconds,
    "timeout": _seconds,
    "run_at": datetime.fromisoformat,
    "retry": lambda policy: RetryPolicy(delay=_seconds(policy["delay"])),
    "payload": lambda text: Json(text.encode()),
}


@contextmanager
def _conflicts() -> Iterator[None]:
    try:
        yield
    except CONFLICTS as error:
        raise ConflictError from error


CONFLICTS = (
    IdempotencyKeyReusedError,
    IllegalMoveError,
    KeyHeldError,
    UniqueKeyTakenError,
)


def _offer(job_types: Sequence[str], queues: Sequence[str] | None) -> Offer:
    return Offer(
        job_types=frozenset(job_types), queues=None if queues is None else frozenset(queues)
    )


def _told(renewal: Renewal | None) -> str:
    if renewal is None:
        return "lost"
    return "cancel_requested" if renewal.cancel_requested else "held"


def _lease(held: Held) -> Lease:
    return Lease(job_id=JobId(held.job_id), attempt=held.attempt, worker_id=held.worker)


def _held(job: Job) -> Held:
    return Held(
        job_id=job.id,
        attempt=job.attempt,
        worker=job.worker_id or "",
        payload=job.payload.decode(),
    )
