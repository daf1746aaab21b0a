"""The HTTP application on both stores."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from adapters.postgres.migrate import upgrade
from entrypoints.api.app import create_app
from entrypoints.container import Container
from entrypoints.settings import Settings
from tests.postgres_server import create_database, drop_database

STORES = ["memory", pytest.param("postgres", marks=pytest.mark.postgres)]


@pytest.fixture(scope="session")
def api_database(postgres_url: str) -> Iterator[str]:
    url = create_database(postgres_url)
    asyncio.run(upgrade(url))
    yield url
    drop_database(postgres_url, url)


@pytest.fixture(params=STORES)
def container(request: pytest.FixtureRequest) -> Container:
    """A scheduler whose jobs nobody but the test touches."""
    if request.param == "memory":
        return Container(settings=Settings(store="memory", reaper=False))
    url: str = request.getfixturevalue("api_database")
    return Container(
        settings=Settings(store="postgres", database_url=url, reaper=False, pool_size=3)
    )


@pytest.fixture
async def client(container: Container) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(container)
    transport = httpx.ASGITransport(app)  # type: ignore[arg-type]  # litestar's own ASGI types
    async with (
        app.lifespan(),
        httpx.AsyncClient(transport=transport, base_url="http://taskmill.test") as client,
    ):
        yield client
