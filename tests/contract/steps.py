"""What contract tests do again and again before they come to the point."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from application.ports import JobStore
from domain.job import Job, JobId, Lease
from tests.builders import NOW, a_claim, a_job, an_offer


async def add_all(store: JobStore, jobs: Sequence[Job]) -> list[Job]:
    """Add jobs without keys and return them as stored."""
    return [admission.job for admission in await store.add(jobs, now=NOW)]


async def add(store: JobStore, **changes: Any) -> Job:  # noqa: ANN401 - any field of a submission
    [job] = await add_all(store, [a_job(**changes)])
    return job


async def claim(store: JobStore, *, now: datetime = NOW, **changes: Any) -> Sequence[Job]:  # noqa: ANN401 - any field of a claim
    return await store.claim(a_claim(**changes), now=now)


async def running(store: JobStore, *, worker_id: str = "ada", **changes: Any) -> Job:  # noqa: ANN401 - as above
    """Add one job and let a worker claim it."""
    added = await add(store, **changes)
    offer = an_offer(added.job_type)
    [job] = await store.claim(a_claim(worker_id=worker_id, offer=offer), now=NOW)
    assert job.id == added.id
    return job


async def read(store: JobStore, job_id: JobId) -> Job:
    return (await store.get([job_id]))[job_id]


def lease_of(job: Job) -> Lease:
    assert job.lease is not None
    return job.lease


def after(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)
