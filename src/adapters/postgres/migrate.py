"""Bringing a database to the schema that this version of Taskmill works with."""

import asyncio
import threading
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from adapters.postgres.engine import SESSION, make_engine
from adapters.postgres.errors import translated

VERSION_TABLE = "taskmill_schema_version"
"""Not Alembic's own name, which another program in the same database may use."""

MIGRATION_SESSION = SESSION | {"statement_timeout": "0", "idle_in_transaction_session_timeout": "0"}
"""A migration of a large table takes the time it takes."""

_ONE_IN_THIS_PROCESS = threading.Lock()
"""Alembic keeps what it works on in a global; between processes the database has a lock."""


class WrongSchemaError(Exception):
    """The database has another schema than this version of Taskmill works with."""

    def __init__(self, *, found: str | None, expected: str) -> None:
        super().__init__(
            f"the database has schema version {found or 'none'}, and this Taskmill needs"
            f" {expected}: run `taskmill migrate` of the newer version"
        )
        self.found = found
        self.expected = expected


async def upgrade(url: str) -> None:
    """Apply the migrations that the database lacks; two at once wait for each other."""
    await asyncio.to_thread(_upgrade_alone, url)


async def require_current(url: str) -> None:
    """Raise `WrongSchemaError` unless the database has exactly the schema needed."""
    found, expected = await current_version(url), expected_version()
    if found != expected:
        raise WrongSchemaError(found=found, expected=expected)


async def current_version(url: str) -> str | None:
    """Return the schema version of the database; None before the first migration."""
    engine = make_engine(url, pool_size=1, settings=SESSION)
    try:
        with translated():
            async with engine.connect() as connection:
                return await connection.run_sync(_version_of)
    finally:
        await engine.dispose()


def expected_version() -> str:
    """Return the schema version that this version of Taskmill works with."""
    [head] = ScriptDirectory.from_config(_config()).get_heads()
    return head


def _upgrade_alone(url: str) -> None:
    with _ONE_IN_THIS_PROCESS:
        asyncio.run(_upgrade(url))


async def _upgrade(url: str) -> None:
    engine = make_engine(url, pool_size=1, settings=MIGRATION_SESSION, answer_within=None)
    try:
        with translated():
            async with engine.connect() as connection:
                await connection.execution_options(isolation_level="READ COMMITTED")
                await connection.run_sync(_to_head)
    finally:
        await engine.dispose()


def _to_head(connection: Connection) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _version_of(connection: Connection) -> str | None:
    context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
    return context.get_current_revision()


def _config() -> Config:
    config = Config()
    here = str(Path(__file__).parent / "migrations")
    config.set_main_option("script_location", here.replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
