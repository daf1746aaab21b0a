"""Each adapter of the storage ports, behind the ports' own types."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import pytest
from sqlalchemy import text

from adapters.memory.board import MemoryJobBoard
from adapters.memory.store import MemoryJobStore
from adapters.memory.workers import MemoryWorkerDirectory
from adapters.postgres.board import PostgresJobBoard
from adapters.postgres.engine import Database
from adapters.postgres.migrate import upgrade
from adapters.postgres.overdue import PostgresOverdue
from adapters.postgres.store import PostgresJobStore
from adapters.postgres.workers import PostgresWorkerDirectory
from application.ports import JobBoard, JobStore, Overdue, WorkerDirectory
from tests.postgres_server import create_database, drop_database

EMPTY = text("TRUNCATE jobs, workers, attempts, receipts RESTART IDENTITY")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """One set of adapters over the same jobs."""

    store: JobStore
    overdue: Overdue
    board: JobBoard
    workers: WorkerDirectory


def in_memory() -> Ports:
    store = MemoryJobStore()
    return Ports(
        store=store,
        overdue=store,
        board=MemoryJobBoard(store),
        workers=MemoryWorkerDirectory(store),
    )


def in_postgres(database: Database) -> Ports:
    return Ports(
        store=PostgresJobStore(database),
        overdue=PostgresOverdue(database),
        board=PostgresJobBoard(database),
        workers=PostgresWorkerDirectory(database),
    )


@pytest.fixture(scope="session")
def migrated_url(postgres_url: str) -> Iterator[str]:
    """Yield the URL of a database with Taskmill's tables, shared by all tests."""
    url = create_database(postgres_url)
    asyncio.run(upgrade(url))
    yield url
    drop_database(postgres_url, url)


@pytest.fixture
async def database(migrated_url: str) -> AsyncIterator[Database]:
    """Yield the shared database with nothing in it."""
    database = Database(migrated_url)
    await database.execute(EMPTY)
    yield database
    await database.close()


@pytest.fixture(params=["memory", pytest.param("postgres", marks=pytest.mark.postgres)])
def ports(request: pytest.FixtureRequest) -> Ports:
    """Return every port, on each adapter in turn."""
    if request.param == "memory":
        return in_memory()
    return in_postgres(request.getfixturevalue("database"))


@pytest.fixture
def store(ports: Ports) -> JobStore:
    return ports.store


@pytest.fixture
def overdue(ports: Ports) -> Overdue:
    return ports.overdue


@pytest.fixture
def board(ports: Ports) -> JobBoard:
    return ports.board


@pytest.fixture
def workers(ports: Ports) -> WorkerDirectory:
    return ports.workers
