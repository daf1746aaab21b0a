"""The schema and its history."""

import asyncio
import sys

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text

from adapters.postgres import migrate
from adapters.postgres.engine import SESSION, connect, make_engine
from adapters.postgres.tables import metadata

pytestmark = pytest.mark.postgres

# All that a table's columns are not: autogenerate does not look at their conditions.
CONDITIONS = text("""
SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE conrelid = ANY(ARRAY['jobs', 'workers']::regclass[])
UNION ALL
SELECT indexname, indexdef FROM pg_indexes WHERE tablename IN ('jobs', 'workers')
ORDER BY 1, 2
""")


def _differences(connection: Connection) -> list[object]:
    options = {"version_table": migrate.VERSION_TABLE, "compare_server_default": True}
    context = MigrationContext.configure(connection, opts=options)
    return list(compare_metadata(context, metadata))


async def test_the_migrations_make_the_tables_that_the_statements_know(
    migrated_url: str, database_url: str
) -> None:
    migrated = make_engine(migrated_url, pool_size=1, settings=SESSION)
    made = make_engine(database_url, pool_size=1, settings=SESSION)
    async with migrated.connect() as one, made.connect() as two:
        differences = await one.run_sync(_differences)
        await two.run_sync(metadata.create_all)
        expected = (await two.execute(CONDITIONS)).all()
        conditions = (await one.execute(CONDITIONS)).all()
    await migrated.dispose()
    await made.dispose()

    assert differences == []
    assert conditions == expected


async def test_a_database_can_be_upgraded_again_and_again(database_url: str) -> None:
    assert await migrate.current_version(database_url) is None
    for _ in range(2):
        await migrate.upgrade(database_url)

    assert await migrate.current_version(database_url) == migrate.expected_version()
    await migrate.require_current(database_url)


async def test_two_upgrades_at_once_are_one(database_url: str) -> None:
    script = (
        "import asyncio, sys; from adapters.postgres.migrate import upgrade;"
        " asyncio.run(upgrade(sys.argv[1]))"
    )
    processes = [await _python("-c", script, database_url) for _ in range(2)]
    await asyncio.gather(migrate.upgrade(database_url), migrate.upgrade(database_url))

    assert [await process.wait() for process in processes] == [0, 0]
    await migrate.require_current(database_url)


async def test_a_database_of_another_version_is_refused_in_one_line(database_url: str) -> None:
    with pytest.raises(migrate.WrongSchemaError, match="version none") as refused:
        await migrate.require_current(database_url)
    assert "taskmill migrate" in str(refused.value)

    await migrate.upgrade(database_url)
    connection = await connect(database_url)
    await connection.execute(f"UPDATE {migrate.VERSION_TABLE} SET version_num = '9999'")  # noqa: S608 - a constant
    await connection.close()

    with pytest.raises(migrate.WrongSchemaError, match="version 9999, and this Taskmill needs"):
        await migrate.require_current(database_url)


async def _python(*arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(sys.executable, *arguments)
