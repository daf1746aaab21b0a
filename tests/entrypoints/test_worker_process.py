"""The worker's process against a scheduler that really serves HTTP."""

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from datetime import timedelta

import httpx
import pytest
import structlog
import uvicorn

from adapters.http.gateway import HttpHeartbeats, HttpScheduler
from application.requests import Beat
from application.worker.ports import SchedulerRefusedError, SchedulerUnavailableError, WorkRequest
from domain.dispatch import Offer
from domain.job import JobId, Lease
from entrypoints.api.app import create_app
from entrypoints.container import Container
from entrypoints.settings import Settings
from entrypoints.worker import WorkerOptions, new_worker_id, work
from tests.entrypoints.api_calls import submit

NOBODY = "http://127.0.0.1:1"


class Server(uvicorn.Server):
    """Says when it serves."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.serves = threading.Event()

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override] # as called
        await super().startup(sockets)  # type: ignore[arg-type] # as above
        self.serves.set()


@pytest.fixture
def url() -> Iterator[str]:
    container = Container(settings=Settings(store="memory"))
    config = uvicorn.Config(create_app(container), port=0, log_config=None, lifespan="on")
    server = Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    assert server.serves.wait(10)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    container.room().close()
    server.should_exit = True
    thread.join()


@pytest.fixture(autouse=True)
def silent_logs() -> Iterator[None]:
    structlog.configure(processors=[_drop])
    yield
    structlog.reset_defaults()


def _drop(*_: object) -> str:
    raise structlog.DropEvent


async def test_a_worker_runs_jobs_until_a_signal_ends_it(url: str) -> None:
    working = asyncio.create_task(work(WorkerOptions(scheduler_url=url, worker_id="Ada & Söhne")))
    async with httpx.AsyncClient(base_url=url) as client:
        job = await submit(client, job_type="sleep", payload={"seconds": 0})
        ended = (await client.get(f"/jobs/{job['id']}", params={"wait": 10})).json()

        assert (ended["state"], ended["result"], ended["worker_id"]) == (
            "succeeded",
            {"slept": 0.0},
            "Ada & Söhne",
        )
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(working, 10)


async def test_a_failure_reaches_the_client(url: str) -> None:
    working = asyncio.create_task(work(WorkerOptions(scheduler_url=url)))
    async with httpx.AsyncClient(base_url=url) as client:
        job = await submit(client, job_type="sleep", payload={"seconds": -1})
        ended = (await client.get(f"/jobs/{job['id']}", params={"wait": 10})).json()
    os.kill(os.getpid(), signal.SIGINT)
    await asyncio.wait_for(working, 10)

    assert (ended["state"], ended["attempt"], ended["error"]["type"]) == (
        "failed",
        1,
        "TaskFailed",
    )


async def test_heartbeats_tell_held_asked_to_stop_and_lost(url: str) -> None:
    scheduler, heartbeats = HttpScheduler(url), HttpHeartbeats(url)
    async with httpx.AsyncClient(base_url=url) as client:
        await submit(client, job_type="print")
    [given] = await scheduler.claim(a_request())
    stranger = Lease(job_id=JobId(999), attempt=1, worker_id="ada")

    beats = [Beat(lease=given.lease, progress=0.5), Beat(lease=stranger)]
    renewed = await asyncio.to_thread(heartbeats.heartbeat, "ada", beats)

    assert list(renewed) == [given.lease]
    assert not renewed[given.lease].cancel_requested
    assert 28 < given.lease_length.total_seconds() <= 32
    heartbeats.close()
    await scheduler.close()


async def test_a_scheduler_that_is_away_and_one_that_refuses_are_told_apart(url: str) -> None:
    away, there = HttpScheduler(NOBODY), HttpScheduler(url)

    with pytest.raises(SchedulerUnavailableError):
        await away.claim(a_request())
    with pytest.raises(SchedulerRefusedError) as caught:
        await there.claim(a_request(limit=0))

    assert caught.value.status == 400
    await away.close()
    await there.close()


def test_every_process_gets_a_name_of_its_own() -> None:
    names = {new_worker_id() for _ in range(100)}

    assert len(names) == 100
    assert all(str(os.getpid()) in name and len(name) <= 200 for name in names)


def a_request(limit: int = 1) -> WorkRequest:
    return WorkRequest(
        request_id="one",
        worker_id="ada",
        offer=Offer(job_types=frozenset({"print"})),
        limit=limit,
        wait=timedelta(0),
        slots=1,
    )
