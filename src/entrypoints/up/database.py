"""The household's database: one of its own, or the one that it is told of."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from entrypoints.settings import PREFIX, Settings
from entrypoints.up.data_lock import locked
from entrypoints.up.stopping import StopRequests, beside

# Imported where it is needed: a household that only tells of a port in use starts at once.
# ruff: noqa: PLC0415


class Database(Protocol):
    """Where the jobs are kept, as the rest of the household sees it."""

    @property
    def url(self) -> str:
        """Where it is now."""
        ...

    def mend(self) -> None:
        """Bring it back if it is gone and ours; to be called again and again."""
        ...


@dataclass(frozen=True, slots=True)
class ElsewhereKept:
    """A database that somebody else keeps going, or none at all."""

    url: str

    def mend(self) -> None:
        """Leave it to whoever keeps it."""


def is_own(settings: Settings) -> bool:
    """Tell whether the household has to bring its own database."""
    return settings.store == "postgres" and PREFIX + "DATABASE_URL" not in os.environ


@contextmanager
def database(settings: Settings, data: Path, requests: StopRequests) -> Iterator[Database]:
    """Have a database with the current schema at hand.

    Raises:
        UpError: there is none to be had.
        StoppedError: there was a request to stop before it was ready.
    """
    if is_own(settings):
        with locked(data), _own(data, requests) as own:
            yield own
    else:
        if settings.store == "postgres":
            _migrate(settings.database_url, requests)
        yield ElsewhereKept(settings.database_url)


@contextmanager
def _own(data: Path, requests: StopRequests) -> Iterator[Database]:
    from adapters.local_postgres.server import LocalPostgres
    from entrypoints.up.own_postgres import OwnPostgres

    with LocalPostgres() as server:
        own = OwnPostgres(server, data, requests)
        own.start()
        _migrate(own.url, requests)
        yield own


def _migrate(url: str, requests: StopRequests) -> None:
    from entrypoints.migrating import migrate

    requests.await_(beside(lambda: migrate(url)))
