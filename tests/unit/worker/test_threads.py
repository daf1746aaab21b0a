"""A plain function cannot be stopped from outside, and must not cost more than its slot."""

import asyncio
import threading
from datetime import timedelta

from application.worker.task import Task
from domain.job import JobState
from tests.unit.worker.conftest import Workshop

SOON = timedelta(milliseconds=20)


async def test_a_function_that_goes_on_after_its_timeout_keeps_its_slot(
    workshop: Workshop,
) -> None:
    release = threading.Event()
    ran: list[int] = []

    def run(task: Task) -> None:
        ran.append(task.job_id)
        assert release.wait(30)

    first = await workshop.scheduler.submit(timeout=SOON, max_attempts=1)
    second = await workshop.scheduler.submit(max_attempts=1)
    async with workshop.working(run, slots=1):
        job = await workshop.scheduler.ended(first)
        ran_by_then = list(ran)
        release.set()
        other = await workshop.scheduler.ended(second)

    assert job.error is not None
    assert job.error.type == "timeout"
    assert ran_by_then == [first]
    assert other.state is JobState.SUCCEEDED


async def test_its_timeout_is_told_at_once(workshop: Workshop) -> None:
    release = threading.Event()
    job_id = await workshop.scheduler.submit(timeout=SOON, max_attempts=1)
    async with workshop.working(lambda _task: release.wait(30), slots=1):
        async with asyncio.timeout(0.5):
            job = await workshop.scheduler.ended(job_id)
        release.set()

    assert job.state is JobState.FAILED


async def test_a_stopped_worker_does_not_wait_for_it(workshop: Workshop) -> None:
    release = threading.Event()
    job_id = await workshop.scheduler.submit(timeout=SOON, max_attempts=1)
    async with asyncio.timeout(5):
        async with workshop.working(lambda _task: release.wait(30), slots=1):
            await workshop.scheduler.ended(job_id)
    release.set()

    assert workshop.scheduler.signed_off
