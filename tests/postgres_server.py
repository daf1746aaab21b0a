"""One real PostgreSQL for all tests of a session, and a database of their own for each."""

import asyncio
import os
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg
import pytest

from adapters.local_postgres.server import LocalPostgres
from adapters.local_postgres.tuning import SETTINGS

# Tests throw their data away: nothing is gained by waiting for the disk.
HASTY = {**SETTINGS, "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Yield the URL of a server to make databases on: one given from outside or one of our own."""
    given = os.environ.get("TASKMILL_TEST_DATABASE_URL")
    if given:
        yield given
        return
    with (
        tempfile.TemporaryDirectory(prefix="taskmill-tests-", ignore_cleanup_errors=True) as home,
        LocalPostgres(settings=HASTY) as server,
    ):
        yield server.start(Path(home))


@pytest.fixture
def database_url(postgres_url: str) -> Iterator[str]:
    """Yield the URL of an empty database that only this test uses."""
    url = create_database(postgres_url)
    yield url
    drop_database(postgres_url, url)


def create_database(admin_url: str) -> str:
    """Make an empty database and return its URL; fit for sync and async tests alike."""
    name = f"taskmill_test_{uuid4().hex[:12]}"
    _execute(admin_url, f'CREATE DATABASE "{name}" TEMPLATE template0')
    return urlsplit(admin_url)._replace(path=f"/{name}").geturl()


def drop_database(admin_url: str, url: str) -> None:
    """Remove a database, whoever may still be connected to it."""
    _execute(admin_url, f'DROP DATABASE "{urlsplit(url).path[1:]}" WITH (FORCE)')


def _execute(url: str, statement: str) -> None:
    async def run() -> None:
        connection = await asyncpg.connect(url)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    # A thread of its own, because the test may be running in an event loop already.
    with ThreadPoolExecutor(max_workers=1) as pool:
        pool.submit(asyncio.run, run()).result()
