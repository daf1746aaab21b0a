"""One connection that only listens, and is known to be alive."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import asyncpg

from adapters.postgres.engine import connect
from adapters.postgres.errors import translated
from application.ports import StoreUnavailableError

PROBE_EVERY = timedelta(seconds=15)
ANSWER_WITHIN = timedelta(seconds=5)


class Ear:
    """What a listening connection has heard, in order."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection
        self._heard = asyncio.Queue[str | None]()
        connection.add_termination_listener(lambda _: self._heard.put_nowait(None))

    async def listen_to(self, channel: str) -> None:
        """Begin to hear a channel."""
        await self._connection.add_listener(
            channel, lambda _connection, _pid, _channel, payload: self._heard.put_nowait(payload)
        )

    async def next(self) -> str:
        """Return the next payload; raise `StoreUnavailableError` when none can come any more."""
        while True:
            try:
                # Not wait_for: before Python 3.12 it may swallow a cancel that comes together
                # with the payload.
                async with asyncio.timeout(PROBE_EVERY.total_seconds()):
                    heard = await self._heard.get()
            except TimeoutError:
                await self._probe()
                continue
            if heard is None:
                reason = "the connection that listens was lost"
                raise StoreUnavailableError(reason)
            return heard

    async def _probe(self) -> None:
        # Silence may also mean that the other end is gone without a word.
        with translated():
            await self._connection.fetchval("SELECT 1", timeout=ANSWER_WITHIN.total_seconds())


@asynccontextmanager
async def listening(url: str, channel: str) -> AsyncIterator[Ear]:
    """Hold a connection open, outside of the pool, that hears the channel."""
    with translated():
        connection = await connect(url)
    try:
        with translated():
            ear = Ear(connection)
            await ear.listen_to(channel)
        yield ear
    finally:
        with contextlib.suppress(OSError, TimeoutError, asyncpg.PostgresError):
            await connection.close(timeout=ANSWER_WITHIN.total_seconds())
