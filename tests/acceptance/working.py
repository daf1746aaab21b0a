"""The real worker, run for the jobs of one example."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

import structlog

from adapters.http.gateway import HttpHeartbeats
from application.outcomes import AttemptOutcome
from application.requests import ClaimRequest
from application.worker.claiming import Profile
from application.worker.ports import Answer, Assignment, SchedulerGateway, WorkRequest
from application.worker.registry import Registry
from application.worker.task import Task
from application.worker.worker import Worker
from domain.dispatch import Offer
from entrypoints.container import Container
from tests.unit.worker.scheduler import assignment_of

Strategies = Mapping[str, Callable[[Task], Any]]
NOWHERE = "http://127.0.0.1:9"


async def work(
    scheduler: SchedulerGateway,
    strategies: Strategies,
    ended: Callable[[], Coroutine[Any, Any, object]],
) -> None:
    """Let Ada work with these strategies until `ended` returns.

    No job of an example runs for long enough to need a heartbeat.
    """
    registry = Registry(strategies)
    worker = Worker(
        Profile(worker_id="Ada", offer=Offer(job_types=registry.job_types), slots=5),
        registry,
        scheduler=scheduler,
        heartbeats=HttpHeartbeats(NOWHERE),
        log=structlog.get_logger("taskmill"),
        roll=lambda: 0.0,
    )
    working = asyncio.create_task(worker.run())
    await ended()
    worker.stop()
    await working


class LocalScheduler:
    """A `SchedulerGateway` that calls the use cases of a container."""

    def __init__(self, container: Container) -> None:
        self._container = container

    async def claim(self, request: WorkRequest) -> Sequence[Assignment]:
        """Claim jobs."""
        asked = ClaimRequest(worker_id=request.worker_id, offer=request.offer, limit=request.limit)
        jobs = await self._container.claim()(asked, wait=request.wait)
        return [assignment_of(job) for job in jobs]

    async def report(self, worker_id: str, outcomes: Sequence[AttemptOutcome]) -> Sequence[Answer]:
        """Settle outcomes."""
        del worker_id
        verdicts = await self._container.report()(outcomes)
        return [
            Answer(lease=told.lease, accepted=told.refusal is None, reason=told.refusal)
            for told in verdicts
        ]

    async def sign_off(self, worker_id: str) -> None:
        """Say goodbye."""
        await self._container.sign_off()(worker_id)
