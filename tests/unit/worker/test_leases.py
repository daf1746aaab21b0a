"""Leases are kept alive, and what the scheduler says of them is obeyed."""

import asyncio
import threading
from datetime import timedelta

from application.outcomes import AttemptCancelled, AttemptSucceeded
from application.worker.ports import SchedulerUnavailableError
from application.worker.task import Task
from domain import moves
from domain.job import JobId, JobState
from tests.unit.worker.conftest import Workshop

SHORT = timedelta(milliseconds=600)
"""Long enough for some heartbeats, which come three times in it."""


async def lose(workshop: Workshop, job_id: JobId) -> None:
    store = workshop.scheduler.store
    job = (await store.get([job_id]))[job_id]
    await store.settle([moves.release(job, now=workshop.scheduler.clock.now())])


async def test_a_strategy_that_blocks_the_event_loop_does_not_stop_heartbeats(
    workshop: Workshop,
) -> None:
    async def run(_task: Task) -> bool:
        beaten = workshop.scheduler.beaten
        return beaten.acquire(timeout=5) and beaten.acquire(timeout=5)

    job = await workshop.outcome_of(run, timeout=SHORT)

    assert job.result == b"true"


async def test_a_short_job_causes_no_heartbeat(workshop: Workshop) -> None:
    async def run(_task: Task) -> None:
        pass

    await workshop.outcome_of(run, timeout=SHORT)

    assert not workshop.scheduler.beaten.acquire(blocking=False)


async def test_heartbeats_carry_the_progress(workshop: Workshop) -> None:
    async def run(task: Task) -> None:
        await task.progress(0.4)
        await asyncio.to_thread(workshop.scheduler.beaten.acquire, timeout=5)

    job = await workshop.outcome_of(run, timeout=SHORT)

    assert job.progress == 0.4


async def test_a_failed_heartbeat_is_made_up_for(workshop: Workshop) -> None:
    async def run(_task: Task) -> bool:
        return await asyncio.to_thread(workshop.scheduler.beaten.acquire, timeout=5)

    workshop.scheduler.troubles["heartbeat"] = [SchedulerUnavailableError("away")]
    job = await workshop.outcome_of(run, timeout=SHORT)

    assert job.result == b"true"


async def test_a_job_asked_to_stop_is_stopped_and_told_as_cancelled(workshop: Workshop) -> None:
    started = asyncio.Event()

    async def run(_task: Task) -> None:
        started.set()
        await asyncio.Event().wait()

    job_id = await workshop.scheduler.submit(timeout=SHORT)
    async with workshop.working(run):
        await started.wait()
        await workshop.scheduler.cancel(job_id)
        job = await workshop.scheduler.ended(job_id)

    assert job.state is JobState.CANCELLED
    [[outcome]] = workshop.scheduler.reports
    assert isinstance(outcome, AttemptCancelled)


async def test_a_plain_function_sees_that_it_should_stop(workshop: Workshop) -> None:
    started, looked = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def run(task: Task) -> None:
        loop.call_soon_threadsafe(started.set)
        while not task.cancelled:
            workshop.scheduler.beaten.acquire(timeout=0.01)
        looked.set()

    job_id = await workshop.scheduler.submit(timeout=SHORT)
    async with workshop.working(run):
        await started.wait()
        await workshop.scheduler.cancel(job_id)
        job = await workshop.scheduler.ended(job_id)

    assert job.state is JobState.CANCELLED
    assert looked.wait(5)


async def test_a_lost_lease_stops_the_strategy_and_reports_nothing(workshop: Workshop) -> None:
    started, stopped = asyncio.Event(), asyncio.Event()

    async def run(task: Task) -> str:
        if task.attempt > 1:
            return "again"
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return "never"

    job_id = await workshop.scheduler.submit(timeout=SHORT)
    async with workshop.working(run, slots=1):
        await started.wait()
        await lose(workshop, job_id)
        await stopped.wait()
        job = await workshop.scheduler.ended(job_id)

    assert (job.attempt, job.result) == (2, b'"again"')
    [[outcome]] = workshop.scheduler.reports
    assert isinstance(outcome, AttemptSucceeded)
    assert outcome.lease.attempt == 2
