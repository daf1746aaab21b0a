"""Every feature on every wiring: the two stores, each directly and through HTTP."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import asyncpg
import httpx
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from adapters.http.gateway import HttpScheduler
from adapters.postgres.engine import driver_url
from adapters.postgres.migrate import upgrade
from entrypoints.api.app import create_app
from entrypoints.container import Container
from entrypoints.lifecycle import opened
from entrypoints.settings import Settings
from tests.acceptance.direct_driver import DirectDriver
from tests.acceptance.driver import Driver
from tests.acceptance.http_driver import HttpDriver
from tests.acceptance.wirings import WIRING_NAMES
from tests.acceptance.world import World
from tests.fakes import FakeClock
from tests.postgres_server import create_database, drop_database

URL = "http://taskmill.test"
WIRINGS = [
    pytest.param(name, marks=pytest.mark.postgres) if name.startswith("postgres") else name
    for name in WIRING_NAMES
]


class DrivenClock(FakeClock):
    """A clock in the driver's hand, which a wiring need not keep in step with anything."""

    async def sync(self) -> None:
        """Stay as it is."""

    async def run(self) -> None:
        """Keep nothing in step, for ever."""
        await asyncio.Event().wait()


@pytest.fixture(params=WIRINGS, autouse=True)
def wiring(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def feature_database(postgres_url: str) -> Iterator[str]:
    url = create_database(postgres_url)
    asyncio.run(upgrade(url))
    yield url
    drop_database(postgres_url, url)


@pytest.fixture
def settings(wiring: str, request: pytest.FixtureRequest) -> Settings:
    store = wiring.removesuffix("-http")
    if store == "memory":
        return Settings(store="memory", reaper=False)
    url: str = request.getfixturevalue("feature_database")
    asyncio.run(_empty(url))
    return Settings(store="postgres", database_url=url, reaper=False, pool_size=3)


@pytest.fixture
def driver(wiring: str, settings: Settings) -> Iterator[Driver]:
    clock = DrivenClock()
    container = Container(settings=settings)
    container.clock.override(clock)
    drive = _http if wiring.endswith("-http") else _direct
    with start_blocking_portal() as portal, drive(container, clock, portal) as driver:
        yield driver


@contextmanager
def _direct(container: Container, clock: FakeClock, portal: BlockingPortal) -> Iterator[Driver]:
    with portal.wrap_async_context_manager(opened(container, {})):
        yield DirectDriver(container, clock, portal)


@contextmanager
def _http(container: Container, clock: FakeClock, portal: BlockingPortal) -> Iterator[Driver]:
    with portal.wrap_async_context_manager(_clients(container)) as (client, scheduler):
        yield HttpDriver(container, clock, portal, client, scheduler)


@asynccontextmanager
async def _clients(
    container: Container,
) -> AsyncIterator[tuple[httpx.AsyncClient, HttpScheduler]]:
    app = create_app(container)
    transport = httpx.ASGITransport(app)  # type: ignore[arg-type]  # litestar's own ASGI types
    scheduler = HttpScheduler(URL, transport=transport)
    async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url=URL) as client:
        yield client, scheduler
        await scheduler.close()


async def _empty(url: str) -> None:
    connection = await asyncpg.connect(driver_url(url))
    try:
        await connection.execute("TRUNCATE jobs, workers, attempts, receipts RESTART IDENTITY")
    finally:
        await connection.close()


@pytest.fixture
def world(driver: Driver) -> World:
    return World(driver)
