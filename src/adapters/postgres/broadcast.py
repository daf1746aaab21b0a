"""Hints between schedulers over LISTEN and NOTIFY, outside of every submit's commit."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator
from datetime import timedelta

from sqlalchemy import bindparam, func, select

from adapters.postgres.engine import Database
from adapters.postgres.listening import listening
from adapters.postgres.notices import Gathering, decoded, encoded
from application.ports import StoreUnavailableError
from application.requests import Notice

CHANNEL = "taskmill"
GATHER_FOR = timedelta(milliseconds=20)
"""One notification carries what was published in this time: to commit one takes a lock that
all connections of the server share."""

SHORTEST_PAUSE = timedelta(milliseconds=100)
LONGEST_PAUSE = timedelta(seconds=5)
NOTIFY = select(func.pg_notify(CHANNEL, bindparam("payload")))


class PostgresBroadcast:
    """A `Broadcast` among all schedulers on one database.

    Nothing is sent but by the loop `send`.
    """

    def __init__(self, database: Database, url: str) -> None:
        self._database = database
        self._url = url
        self._name = secrets.token_hex(8)
        self._gathering = Gathering()
        self._news = asyncio.Event()

    def publish(self, notice: Notice) -> None:
        """Put the notice into the next notification."""
        self._gathering.add(notice)
        self._news.set()

    async def notices(self) -> AsyncIterator[Notice]:
        """Yield what others tell, and after a lost connection first that all may be new."""
        pause, lost = SHORTEST_PAUSE, False
        while True:
            try:
                async with listening(self._url, CHANNEL) as ear:
                    if lost:
                        yield Notice(everything=True)
                    pause = SHORTEST_PAUSE
                    while True:
                        notice = decoded(await ear.next(), reader=self._name)
                        if notice is not None:
                            yield notice
            except StoreUnavailableError:
                lost = True
            await asyncio.sleep(pause.total_seconds())
            pause = min(pause * 2, LONGEST_PAUSE)

    async def send(self) -> None:
        """Send what is published, until cancelled; errors are the caller's to survive."""
        while True:
            await self._news.wait()
            self._news.clear()
            payload = encoded(self._gathering.take(), sender=self._name)
            # A database that is away has nobody to tell: those who come back look at all.
            with contextlib.suppress(StoreUnavailableError):
                await self._database.execute(NOTIFY, {"payload": payload})
            await asyncio.sleep(GATHER_FOR.total_seconds())
