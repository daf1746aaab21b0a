"""The household's database: one of its own, or the one that it is told of."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from entrypoints.settings import PREFIX, Settings
from entrypoints.up.data_lock import locked
from entrypoints.up.errors import UpError

# Imported where it is needed: a household that only tells of a port in use starts at once.
# ruff: noqa: PLC0415


@contextmanager
def database(settings: Settings, data: Path) -> Iterator[str]:
    """Have a database with the current schema at hand; yield its URL."""
    if settings.store == "memory":
        yield settings.database_url
        return
    from entrypoints.migrating import migrate

    if PREFIX + "DATABASE_URL" in os.environ:
        migrate(settings.database_url)
        yield settings.database_url
    else:
        with locked(data), _own(data) as url:
            migrate(url)
            yield url


@contextmanager
def _own(data: Path) -> Iterator[str]:
    from adapters.local_postgres.errors import LocalPostgresError
    from adapters.local_postgres.server import LocalPostgres

    with LocalPostgres() as server:
        try:
            url = server.start(data)
        except LocalPostgresError as error:
            raise UpError(str(error)) from None
        yield url
