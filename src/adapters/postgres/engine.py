"""Connections to PostgreSQL: how they are made, borrowed, and thrown away when broken."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Protocol, TypeVar

import asyncpg
from sqlalchemy import Executable, PoolProxiedConnection, Row, event
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from adapters.postgres.errors import PASSING, is_unavailability, translated

TRIES = 5
"""How often a statement that was undone for another's sake is run."""

CONNECT_WITHIN = timedelta(seconds=10)
ANSWER_WITHIN = timedelta(seconds=35)
"""Longer than the server's own limit: only a server that has vanished takes so long."""

RECOVER_WITHIN = timedelta(seconds=5)

SESSION = {
    "application_name": "taskmill",
    "TimeZone": "UTC",
    "statement_timeout": "30s",
    "idle_in_transaction_session_timeout": "30s",
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}
"""What every connection asks of the server."""

INDEXES_ONLY = {
    "jit": "off",
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_bitmapscan": "off",
}
"""Keeps the plans of the statements that serve requests what they were written to be.

Each walks an index and looks rows up one by one. A plan made from the statistics of a table
that was empty a minute ago would do neither, and be kept while a burst of jobs comes in.
"""


T = TypeVar("T")
Fetch = Callable[..., Awaitable[Sequence["Record"]]]


class Record(Protocol):
    """A row, by the names of its columns."""

    def __getitem__(self, column: str, /) -> Any: ...  # noqa: ANN401 - a column's type is its own


def driver_url(url: str) -> str:
    """Return the URL as the driver itself reads it: without SQLAlchemy's `+asyncpg`."""
    scheme, separator, rest = url.partition("://")
    return scheme.removesuffix("+asyncpg") + separator + rest


async def connect(
    url: str,
    *,
    settings: Mapping[str, str] = SESSION,
    answer_within: timedelta | None = ANSWER_WITHIN,
) -> asyncpg.Connection:
    """Open one connection of our own kind; `answer_within` None waits for ever."""
    return await asyncpg.connect(
        driver_url(url),
        timeout=CONNECT_WITHIN.total_seconds(),
        command_timeout=None if answer_within is None else answer_within.total_seconds(),
        server_settings=dict(settings),
    )


def make_engine(
    url: str,
    *,
    pool_size: int,
    settings: Mapping[str, str],
    answer_within: timedelta | None = ANSWER_WITHIN,
) -> AsyncEngine:
    """Return an engine whose every statement is its own transaction."""

    async def one_more() -> asyncpg.Connection:
        return await connect(url, settings=settings, answer_within=answer_within)

    engine = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=one_more,
        isolation_level="AUTOCOMMIT",
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=CONNECT_WITHIN.total_seconds(),
        pool_use_lifo=True,  # few connections, well warmed, rather than many
        pool_reset_on_return=None,  # no transaction is ever open
    )
    event.listen(engine.sync_engine, "checkout", _refuse_closed)
    return engine


class Database:
    """Runs single statements, each atomic, on pooled connections.

    Raises `StoreUnavailableError` when the database cannot serve.
    """

    def __init__(self, url: str, *, pool_size: int = 10) -> None:
        self._engine = make_engine(url, pool_size=pool_size, settings=SESSION | INDEXES_ONLY)
        event.listen(self._engine.sync_engine, "connect", _pass_json_through)
        self._recovering = set[asyncio.Task[None]]()

    async def fetch(self, sql: str, *arguments: object) -> Sequence[Record]:
        """Run one of the hot statements on the driver's own connection, with $n arguments."""
        with translated():
            for _ in range(TRIES - 1):
                try:
                    return await self._fetch(sql, arguments)
                except PASSING:
                    continue
            return await self._fetch(sql, arguments)

    async def execute(
        self, statement: Executable, arguments: Mapping[str, object] | None = None
    ) -> Sequence[Row[Any]]:
        """Run any other statement; return its rows, none for a statement without."""
        with translated():
            async with self._engine.connect() as connection:
                result = await connection.execute(statement, arguments)
                return result.all() if result.returns_rows else []

    async def atomically(self, work: Callable[[Fetch], Awaitable[T]]) -> T:
        """Run several hot statements as one transaction, again if it was undone for another's.

        An error that the work raises undoes it all.
        """
        with translated():
            for _ in range(TRIES - 1):
                try:
                    return await self._atomically(work)
                except PASSING:
                    continue
            return await self._atomically(work)

    async def close(self) -> None:
        """Close every connection; a later call would open new ones."""
        await asyncio.gather(*self._recovering)
        await self._engine.dispose()

    async def _atomically(self, work: Callable[[Fetch], Awaitable[T]]) -> T:
        pooled = await self._engine.raw_connection()
        driver: Any = pooled.driver_connection
        is_sound = False
        try:
            async with driver.transaction():
                answer = await work(driver.fetch)
            is_sound = True
        except Exception as error:
            is_sound = not is_unavailability(error) or isinstance(error, PASSING)
            raise
        finally:
            # Cancelled in the middle, nobody knows where the transaction stands.
            _give_back(pooled, sound=is_sound)
        return answer

    async def _fetch(self, sql: str, arguments: Sequence[object]) -> Sequence[Record]:
        pooled = await self._engine.raw_connection()
        driver: Any = pooled.driver_connection
        try:
            rows: Sequence[Record] = await driver.fetch(sql, *arguments)
        except asyncio.CancelledError:
            recovery = asyncio.create_task(_recover(pooled))
            self._recovering.add(recovery)
            recovery.add_done_callback(self._recovering.discard)
            raise
        except BaseException as error:
            # A refused statement leaves its connection sound; who knows after anything else?
            _give_back(pooled, sound=_is_refusal(error))
            raise
        _give_back(pooled, sound=True)
        return rows


async def _recover(pooled: PoolProxiedConnection) -> None:
    # The driver has asked the server to stop the cancelled statement, and answers again once
    # the server has; closing the connection at once would leave the statement running there.
    driver: Any = pooled.driver_connection
    try:
        await asyncio.wait_for(driver.fetchval("SELECT 1"), RECOVER_WITHIN.total_seconds())
    except Exception:  # noqa: BLE001 - whatever it was, the connection is no good
        _give_back(pooled, sound=False)
    else:
        _give_back(pooled, sound=True)


def _give_back(pooled: PoolProxiedConnection, *, sound: bool) -> None:
    if not sound:
        pooled.invalidate()
    pooled.close()


def _is_refusal(error: BaseException) -> bool:
    return isinstance(error, asyncpg.PostgresError) and (
        isinstance(error, PASSING) or not is_unavailability(error)
    )


def _pass_json_through(adapted: Any, _record: object) -> None:  # noqa: ANN401 - a DBAPI object
    adapted.run_async(
        lambda connection: connection.set_type_codec(
            "json", schema="pg_catalog", format="binary", encoder=bytes, decoder=bytes
        )
    )


def _refuse_closed(adapted: Any, _record: object, _pooled: object) -> None:  # noqa: ANN401 - as above
    if adapted.driver_connection.is_closed():
        raise DisconnectionError
