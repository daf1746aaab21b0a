"""The database's time, on a clock that is read without asking the database."""

import asyncio
import time
from datetime import UTC, datetime, timedelta

from sqlalchemy import func, select

from adapters.postgres.engine import Database
from application.ports import StoreUnavailableError

STEP_EVERY = timedelta(seconds=10)
TIME_THERE = select(func.clock_timestamp())


class PostgresClock:
    """A `Clock` that schedulers on hosts with wrong clocks agree on.

    Counts on from the last answer by the monotonic clock, which nobody sets. Until the first
    `sync` it shows this computer's time.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._zero = datetime.now(UTC) - _since_zero()

    def now(self) -> datetime:
        """Return the database's time now, as far as this process can tell."""
        return self._zero + _since_zero()

    async def sync(self) -> None:
        """Ask the database for its time and follow it."""
        asked = _since_zero()
        [[there]] = await self._database.execute(TIME_THERE)
        answered = _since_zero()
        self._follow(there, asked=asked, answered=answered)

    async def run(self) -> None:
        """Keep in step until cancelled; while the database is away, count on."""
        while True:
            await asyncio.sleep(STEP_EVERY.total_seconds())
            try:
                await self.sync()
            except StoreUnavailableError:
                continue

    def _follow(self, there: datetime, *, asked: timedelta, answered: timedelta) -> None:
        # The database read its clock somewhere between question and answer, so that a clock
        # which is off by less than half the round trip may be right: it is left alone, and
        # does not jump to and fro with every slow answer.
        uncertainty = (answered - asked) / 2
        zero = there - (asked + uncertainty)
        if abs(zero - self._zero) > uncertainty:
            self._zero = zero


def _since_zero() -> timedelta:
    return timedelta(microseconds=time.monotonic_ns() // 1000)
