"""Schedulers that share a database, and requests that wait for them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from adapters.memory.broadcast import NoBroadcast
from application.lookout import Relay
from entrypoints.api.app import create_app
from entrypoints.container import Container
from entrypoints.settings import Settings
from tests.entrypoints.api_calls import a_type, claim, report, submit

pytestmark = pytest.mark.postgres


@asynccontextmanager
async def scheduler(url: str, *, is_deaf: bool = False) -> AsyncIterator[httpx.AsyncClient]:
    """Run a scheduler with a single database connection; a deaf one hears no other."""
    container = Container(
        settings=Settings(store="postgres", database_url=url, reaper=False, pool_size=1)
    )
    if is_deaf:
        container.relay.override(Relay(broadcast=NoBroadcast(), room=container.room()))
    app = create_app(container)
    transport = httpx.ASGITransport(app)  # type: ignore[arg-type]  # litestar's own ASGI types
    async with (
        app.lifespan(),
        httpx.AsyncClient(transport=transport, base_url="http://taskmill.test") as client,
    ):
        yield client


@pytest.mark.parametrize("is_deaf", [False, True], ids=["with notices", "with notices lost"])
async def test_a_claim_that_waits_at_one_gets_what_is_submitted_to_another(
    *, api_database: str, is_deaf: bool
) -> None:
    job_type = a_type()
    async with scheduler(api_database, is_deaf=is_deaf) as one, scheduler(api_database) as other:
        parked = asyncio.create_task(claim(one, job_type, wait=20))
        await asyncio.sleep(0)

        job = await submit(other, job_type=job_type)

        assert [lease["job_id"] for lease in await parked] == [job["id"]]


@pytest.mark.parametrize("is_deaf", [False, True], ids=["with notices", "with notices lost"])
async def test_whoever_waits_at_one_for_a_job_hears_of_its_end_at_another(
    *, api_database: str, is_deaf: bool
) -> None:
    job_type = a_type()
    async with scheduler(api_database, is_deaf=is_deaf) as one, scheduler(api_database) as other:
        job = await submit(other, job_type=job_type)
        waiting = asyncio.create_task(one.get(f"/jobs/{job['id']}", params={"wait": 20}))
        [lease] = await claim(other, job_type)
        outcome = {"job_id": lease["job_id"], "attempt": 1, "outcome": "succeeded"}

        await report(other, outcome)

        assert (await waiting).json()["state"] == "succeeded"


async def test_requests_that_wait_hold_no_connection(api_database: str) -> None:
    types = [a_type() for _ in range(50)]
    async with scheduler(api_database) as client:
        parked = [asyncio.create_task(claim(client, each, wait=30)) for each in types]
        await asyncio.sleep(0)

        jobs = [await submit(client, job_type=each) for each in types]

        leases = [lease for leases in await asyncio.gather(*parked) for lease in leases]
        assert [lease["job_id"] for lease in leases] == [job["id"] for job in jobs]
