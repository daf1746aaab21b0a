"""Workers for tests."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from application.worker.claiming import Profile
from application.worker.registry import Registry
from application.worker.task import Task
from application.worker.worker import Worker
from domain.dispatch import Offer
from domain.job import Job
from tests.unit.worker.logs import KeptLog
from tests.unit.worker.scheduler import LocalScheduler

Function = Callable[[Task], Any]


@dataclass(slots=True)
class Workshop:
    """A scheduler, and workers that run functions for it."""

    scheduler: LocalScheduler = field(default_factory=LocalScheduler)
    log: KeptLog = field(default_factory=KeptLog)

    def worker(self, strategies: Mapping[str, Function], *, slots: int, grace_s: float) -> Worker:
        """Return a worker, not yet started."""
        registry = Registry(strategies)
        offer = Offer(job_types=registry.job_types)
        return Worker(
            Profile(worker_id="ada", offer=offer, slots=slots),
            registry,
            scheduler=self.scheduler,
            heartbeats=self.scheduler,
            log=self.log,
            roll=lambda: 0.0,
            grace=timedelta(seconds=grace_s),
        )

    @asynccontextmanager
    async def working(
        self, function: Function, *, slots: int = 10, grace_s: float = 10
    ) -> AsyncIterator[Worker]:
        """Have a worker that runs jobs of the type `task`; stop it in the end."""
        worker = self.worker({"task": function}, slots=slots, grace_s=grace_s)
        running = asyncio.create_task(worker.run())
        try:
            yield worker
        finally:
            worker.stop()
            await running

    async def outcome_of(self, function: Function, **fields: object) -> Job:
        """Submit one job, run it once, and return it as it ended."""
        job_id = await self.scheduler.submit(**{"max_attempts": 1, **fields})
        async with self.working(function):
            return await self.scheduler.ended(job_id)


@pytest.fixture
def workshop() -> Workshop:
    return Workshop()
