"""A worker that is stopped ends what it can and hands back the rest."""

import asyncio
from datetime import timedelta

from application.worker.ports import SchedulerUnavailableError
from application.worker.task import Task
from domain.job import Job, JobId, JobState
from tests.unit.worker.conftest import Workshop


async def stored(workshop: Workshop, job_id: JobId) -> Job:
    return (await workshop.scheduler.store.get([job_id]))[job_id]


async def test_it_never_runs_more_than_its_slots(workshop: Workshop) -> None:
    running, most = 0, 0

    async def run(_task: Task) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1

    ids = [await workshop.scheduler.submit() for _ in range(20)]
    async with workshop.working(run, slots=3):
        for job_id in ids:
            await workshop.scheduler.ended(job_id)

    assert most == 3
    assert all(request.limit <= 3 for request in workshop.scheduler.requests)


async def test_a_stopped_worker_ends_what_it_runs_and_signs_off(workshop: Workshop) -> None:
    started, finish = asyncio.Event(), asyncio.Event()

    async def run(_task: Task) -> str:
        started.set()
        await finish.wait()
        return "done"

    first = await workshop.scheduler.submit()
    async with workshop.working(run, slots=1) as worker:
        await started.wait()
        worker.stop()
        second = await workshop.scheduler.submit()
        finish.set()
        job = await workshop.scheduler.ended(first)

    assert job.state is JobState.SUCCEEDED
    assert (await stored(workshop, second)).attempt == 0
    assert workshop.scheduler.signed_off


async def test_heartbeats_go_on_to_the_end_of_the_grace(workshop: Workshop) -> None:
    started = asyncio.Event()

    async def run(_task: Task) -> bool:
        started.set()
        beaten = workshop.scheduler.beaten
        return await asyncio.to_thread(
            lambda: beaten.acquire(timeout=5) and beaten.acquire(timeout=5)
        )

    job_id = await workshop.scheduler.submit(timeout=timedelta(milliseconds=600))
    async with workshop.working(run):
        await started.wait()

    assert (await stored(workshop, job_id)).result == b"true"


async def test_what_does_not_end_within_the_grace_is_handed_back(workshop: Workshop) -> None:
    started = asyncio.Event()

    async def run(_task: Task) -> None:
        started.set()
        await asyncio.Event().wait()

    job_id = await workshop.scheduler.submit()
    async with workshop.working(run, grace_s=0):
        await started.wait()

    job = await stored(workshop, job_id)
    assert (job.state, job.attempt, job.failures) == (JobState.PENDING, 1, 0)


async def test_stopped_twice_it_hands_back_at_once(workshop: Workshop) -> None:
    started = asyncio.Event()

    async def run(_task: Task) -> None:
        started.set()
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                continue

    job_id = await workshop.scheduler.submit()
    async with workshop.working(run, grace_s=3600) as worker:
        await started.wait()
        worker.stop()

    job = await stored(workshop, job_id)
    assert (job.state, job.failures) == (JobState.PENDING, 0)


async def test_reports_are_delivered_before_it_leaves(workshop: Workshop) -> None:
    ran = asyncio.Event()

    async def run(_task: Task) -> None:
        ran.set()

    workshop.scheduler.troubles["report"] = [SchedulerUnavailableError("away")] * 5
    job_id = await workshop.scheduler.submit()
    async with workshop.working(run):
        await ran.wait()

    assert (await stored(workshop, job_id)).state is JobState.SUCCEEDED
