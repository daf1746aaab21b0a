"""Driving the use cases themselves."""

from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from datetime import datetime, timedelta
from typing import Any

from anyio.from_thread import BlockingPortal

from application.outcomes import (
    AttemptFailed,
    AttemptOutcome,
    AttemptReleased,
    AttemptSucceeded,
)
from application.queries import JobQuery
from application.requests import Beat, ClaimRequest
from domain.dispatch import Offer
from domain.errors import InvalidValueError
from domain.job import Failure, Job, JobId, Json, Lease
from domain.retry import RetryPolicy
from domain.submission import Submission
from entrypoints.container import Container
from tests.acceptance.driver import ALL, Held, RefusedError, SeenJob
from tests.acceptance.working import LocalScheduler, Strategies, work
from tests.fakes import FakeClock


class DirectDriver:
    """A `Driver` over a container's use cases."""

    def __init__(self, container: Container, clock: FakeClock, portal: BlockingPortal) -> None:
        self._container = container
        self._clock = clock
        self._portal = portal

    def submit(self, *jobs: dict[str, Any]) -> Sequence[int]:
        submissions = [_submission(fields, index, len(jobs)) for index, fields in enumerate(jobs)]
        admissions = self._run(self._container.submit(), submissions)
        return [admission.job.id for admission in admissions]

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
    ) -> Sequence[Held]:
        return self._portal.call(self._claim, worker, limit, job_types, queues, timedelta(0))

    def succeed(self, held: Held) -> str:
        return self._report(AttemptSucceeded(lease=_lease(held), result=Json(b"null")))

    def fail(self, held: Held, *, retryable: bool = True) -> str:
        failure = Failure(type="ValueError", message="it broke")
        return self._report(AttemptFailed(lease=_lease(held), failure=failure, retryable=retryable))

    def release(self, held: Held) -> str:
        return self._report(AttemptReleased(lease=_lease(held)))

    def beat(self, held: Held) -> str:
        lease = _lease(held)
        renewed = self._run(self._container.keep_leases(), held.worker, [Beat(lease=lease)])
        if lease not in renewed:
            return "lost"
        return "cancel_requested" if renewed[lease].cancel_requested else "held"

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
        wait = timedelta(seconds=30)
        return self._portal.start_task_soon(self._claim, worker, 1, ["print"], None, wait)

    async def _claim(
        self,
        worker: str,
        limit: int,
        job_types: Sequence[str],
        queues: Sequence[str] | None,
        wait: timedelta,
    ) -> Sequence[Held]:
        await self._container.meet_worker().introduce(
            worker, job_types=tuple(job_types), queues=None, slots=None
        )
        offer = Offer(
            job_types=frozenset(job_types), queues=None if queues is None else frozenset(queues)
        )
        request = ClaimRequest(worker_id=worker, offer=offer, limit=limit)
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


def _lease(held: Held) -> Lease:
    return Lease(job_id=JobId(held.job_id), attempt=held.attempt, worker_id=held.worker)


def _held(job: Job) -> Held:
    return Held(
        job_id=job.id,
        attempt=job.attempt,
        worker=job.worker_id or "",
        payload=job.payload.decode(),
    )
