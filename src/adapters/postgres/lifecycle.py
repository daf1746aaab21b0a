"""What must be done before the first call to PostgreSQL, meanwhile, and after the last."""

from collections.abc import Awaitable, Callable, Mapping

from adapters.postgres.broadcast import PostgresBroadcast
from adapters.postgres.clock import PostgresClock
from adapters.postgres.engine import Database
from adapters.postgres.migrate import require_current


class PostgresLifecycle:
    """Opens and closes what the PostgreSQL adapters share."""

    def __init__(
        self, url: str, *, database: Database, clock: PostgresClock, broadcast: PostgresBroadcast
    ) -> None:
        self._url = url
        self._database = database
        self._clock = clock
        self._broadcast = broadcast

    async def check(self) -> None:
        """Find out whether `open` can succeed; needs nothing to be closed afterwards."""
        await require_current(self._url)

    async def open(self) -> None:
        """Check the schema and learn the time.

        Raises:
            WrongSchemaError: the database has another schema version.
            StoreUnavailableError: the database cannot be reached.
        """
        await require_current(self._url)
        await self._clock.sync()

    def loops(self) -> Mapping[str, Callable[[], Awaitable[None]]]:
        """Return what must run all the while, by name."""
        return {"clock": self._clock.run, "broadcast": self._broadcast.send}

    async def close(self) -> None:
        """Let go of everything."""
        await self._database.close()
