"""Clocks that agree with the database's."""

from datetime import UTC, datetime, timedelta

import pytest

from adapters.clocks.system import SystemClock
from adapters.postgres.clock import PostgresClock
from adapters.postgres.engine import Database, connect
from application.ports import Clock, StoreUnavailableError

CLOSE = timedelta(milliseconds=50)


async def _there(url: str) -> datetime:
    connection = await connect(url)
    there: datetime = await connection.fetchval("SELECT clock_timestamp()")
    await connection.close()
    return there


def test_the_system_clock_is_in_utc() -> None:
    clock: Clock = SystemClock()

    assert clock.now().utcoffset() == timedelta(0)
    assert abs(clock.now() - datetime.now(UTC)) < CLOSE


@pytest.mark.postgres
async def test_a_clock_in_step_tells_the_database_s_time(
    database: Database, migrated_url: str
) -> None:
    clock = PostgresClock(database)
    await clock.sync()

    assert clock.now().utcoffset() == timedelta(0)
    assert abs(clock.now() - await _there(migrated_url)) < CLOSE


@pytest.mark.postgres
async def test_a_clock_that_was_wrong_is_right_after_it_asked(
    database: Database, migrated_url: str
) -> None:
    clock = PostgresClock(database)
    clock._zero += timedelta(hours=3)  # noqa: SLF001 - a host whose clock is wrong
    assert clock.now() - await _there(migrated_url) > timedelta(hours=2)

    await clock.sync()

    assert abs(clock.now() - await _there(migrated_url)) < CLOSE


async def test_a_clock_goes_on_while_the_database_is_away() -> None:
    clock = PostgresClock(Database("postgresql://nobody@127.0.0.1:1/nothing"))
    before = clock.now()

    with pytest.raises(StoreUnavailableError):
        await clock.sync()

    assert before < clock.now() < before + timedelta(minutes=1)
