"""How the PostgreSQL adapters meet a database that goes away, and callers that do."""

import asyncio

import anyio
import pytest

from adapters.postgres.board import PostgresJobBoard
from adapters.postgres.engine import Database, connect, driver_url
from adapters.postgres.store import PostgresJobStore
from application.ports import StoreUnavailableError
from tests.builders import a_job
from tests.contract.steps import add_all

pytestmark = pytest.mark.postgres

KILL_OTHERS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
IN_TRANSACTION = """
SELECT state FROM pg_stat_activity
WHERE datname = current_database() AND state LIKE '%transaction%'
"""
NAP = "SELECT pg_sleep(20)"


async def kill_all(url: str) -> None:
    connection = await connect(url)
    await connection.execute(KILL_OTHERS)
    await connection.close()


@pytest.mark.parametrize("scheme", ["postgresql", "postgresql+asyncpg", "postgres"])
def test_urls_with_and_without_the_driver_s_name_are_the_same(scheme: str) -> None:
    url = driver_url(f"{scheme}://u:p@h:5432/d?host=/run/pg")

    assert url == f"{scheme.removesuffix('+asyncpg')}://u:p@h:5432/d?host=/run/pg"


async def test_a_url_with_the_driver_s_name_connects(migrated_url: str) -> None:
    database = Database(migrated_url.replace("postgresql://", "postgresql+asyncpg://"))

    await PostgresJobBoard(database).ping()
    await database.close()


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://nobody@127.0.0.1:1/nothing",
        "postgresql://nobody@/nothing?host=/no/such/directory",
        "postgresql://nobody@no-such-host.invalid/nothing",
    ],
)
async def test_a_database_that_cannot_be_reached_is_unavailable(url: str) -> None:
    database = Database(url)

    with pytest.raises(StoreUnavailableError, match="the database is not available"):
        await PostgresJobStore(database).get([])
    with pytest.raises(StoreUnavailableError, match="the database is not available"):
        await PostgresJobBoard(database).ping()
    await database.close()


async def test_a_database_that_does_not_exist_is_unavailable(migrated_url: str) -> None:
    database = Database(migrated_url.replace("/taskmill_test_", "/no_such_"))

    with pytest.raises(StoreUnavailableError, match="does not exist"):
        await PostgresJobBoard(database).ping()
    await database.close()


async def test_connections_lost_at_rest_are_replaced_without_an_error(
    database: Database, migrated_url: str
) -> None:
    board = PostgresJobBoard(database)
    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(board.ping)
    await kill_all(migrated_url)
    await asyncio.sleep(0.05)  # until the closing of the sockets has been read

    for _ in range(6):
        await board.ping()
        await PostgresJobStore(database).get([])


async def test_a_connection_lost_under_a_statement_is_unavailable_and_the_next_call_works(
    database: Database, migrated_url: str
) -> None:
    async def be_killed() -> None:
        with pytest.raises(StoreUnavailableError):
            await database.fetch(NAP)

    async with anyio.create_task_group() as group:
        group.start_soon(be_killed)
        await _until_somebody_naps(migrated_url)
        await kill_all(migrated_url)

    await add_all(PostgresJobStore(database), [a_job()])


async def test_cancelled_calls_leave_no_statement_behind_and_no_place_taken(
    migrated_url: str,
) -> None:
    database = Database(migrated_url, pool_size=2)
    for _ in range(5):
        with anyio.move_on_after(0.02):
            await database.fetch(NAP)
        with anyio.move_on_after(0.02):
            async with anyio.create_task_group() as group:
                for _ in range(4):
                    group.start_soon(database.fetch, NAP)

    with anyio.fail_after(5):
        await PostgresJobBoard(database).ping()
        await database.close()
    assert await _nappers(migrated_url) == 0


async def test_a_refused_statement_is_an_error_of_its_own_and_keeps_its_connection(
    migrated_url: str,
) -> None:
    database = Database(migrated_url, pool_size=1)
    [first] = await database.fetch("SELECT pg_backend_pid() AS pid")
    with pytest.raises(Exception, match="division by zero"):
        await database.fetch("SELECT 1 / $1::integer", 0)

    [second] = await database.fetch("SELECT pg_backend_pid() AS pid")

    assert second["pid"] == first["pid"]
    await database.close()


async def test_no_connection_is_left_in_a_transaction(
    database: Database, migrated_url: str
) -> None:
    await add_all(PostgresJobStore(database), [a_job()])
    await PostgresJobBoard(database).census()
    await PostgresJobBoard(database).ping()

    connection = await connect(migrated_url)
    states = await connection.fetch(IN_TRANSACTION)
    await connection.close()
    assert states == []


async def _nappers(url: str) -> int:
    connection = await connect(url)
    count: int = await connection.fetchval(
        "SELECT count(*) FROM pg_stat_activity WHERE query = $1 AND state = 'active'", NAP
    )
    await connection.close()
    return count


async def _until_somebody_naps(url: str) -> None:
    with anyio.fail_after(10):
        while not await _nappers(url):  # noqa: ASYNC110 - the server has no event
            await asyncio.sleep(0.01)
