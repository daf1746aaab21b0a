"""Hints from one scheduler to the others."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import pytest

from adapters.postgres.broadcast import PostgresBroadcast
from adapters.postgres.engine import Database, connect
from adapters.postgres.notices import LONGEST_PAYLOAD, Gathering, decoded, encoded
from application.ports import Broadcast
from application.requests import Notice
from domain.dispatch import Lane
from domain.job import JobId
from entrypoints.background import running
from tests.contract.test_connections import kill_all

LANES = Notice(lanes=frozenset({Lane("default", "print"), Lane("a:b", "x.y")}))
ENDED = Notice(ended=frozenset({JobId(1), JobId(2**60)}))
EVERYTHING = Notice(everything=True)
LISTENERS = """
SELECT FROM pg_stat_activity
WHERE query LIKE 'LISTEN%' AND state = 'idle' AND datname = current_database()
"""


@pytest.mark.parametrize("notice", [LANES, ENDED, EVERYTHING, Notice()])
def test_a_notice_is_read_as_it_was_written(notice: Notice) -> None:
    assert decoded(encoded(notice, sender="one"), reader="two") == notice


def test_nobody_reads_his_own_notices() -> None:
    assert decoded(encoded(LANES, sender="one"), reader="one") is None


@pytest.mark.parametrize("payload", ["", "{}", "[1, 2]", "nonsense", '["x", 1, [], []]'])
def test_what_is_no_notice_is_passed_over(payload: str) -> None:
    assert decoded(payload, reader="two") is None


def test_a_notice_too_long_to_send_says_to_look_at_all() -> None:
    many = Notice(ended=frozenset(JobId(10**9 + n) for n in range(900)))

    payload = encoded(many, sender="one")

    assert decoded(payload, reader="two") == EVERYTHING
    assert len(payload) < LONGEST_PAYLOAD


def test_gathered_notices_are_one() -> None:
    gathering = Gathering()
    gathering.add(LANES)
    gathering.add(ENDED)

    assert gathering.take() == Notice(lanes=LANES.lanes, ended=ENDED.ended)
    assert gathering.take() == Notice()


def test_what_nobody_sends_does_not_pile_up() -> None:
    gathering = Gathering()
    for n in range(10_000):
        gathering.add(Notice(ended=frozenset({JobId(n)})))

    assert gathering.take() == EVERYTHING


@asynccontextmanager
async def scheduler(database: Database, url: str) -> AsyncIterator[Broadcast]:
    broadcast = PostgresBroadcast(database, url)
    async with running({"broadcast": broadcast.send}):
        yield broadcast


@asynccontextmanager
async def hearing(broadcast: Broadcast, url: str) -> AsyncIterator[asyncio.Queue[Notice]]:
    """Collect what is heard, once the server knows of the listener."""
    heard = asyncio.Queue[Notice]()

    async def listen() -> None:
        async for notice in broadcast.notices():
            heard.put_nowait(notice)

    async with anyio.create_task_group() as group:
        group.start_soon(listen)
        await _until_listening(url)
        yield heard
        group.cancel_scope.cancel()


async def _until_listening(url: str) -> None:
    connection = await connect(url)
    with anyio.fail_after(10):
        while not await connection.fetch(LISTENERS):  # noqa: ASYNC110 - the server has no event
            await asyncio.sleep(0.01)
    await connection.close()


@pytest.mark.postgres
async def test_what_one_publishes_the_other_hears_gathered_and_itself_does_not(
    database: Database, migrated_url: str
) -> None:
    async with (
        scheduler(database, migrated_url) as one,
        scheduler(database, migrated_url) as two,
        hearing(two, migrated_url) as heard,
    ):
        two.publish(Notice(ended=frozenset({JobId(99)})))
        one.publish(LANES)
        one.publish(ENDED)
        with anyio.fail_after(5):
            assert await heard.get() == Notice(lanes=LANES.lanes, ended=ENDED.ended)
            one.publish(ENDED)
            assert await heard.get() == ENDED


@pytest.mark.postgres
async def test_after_a_lost_connection_all_is_looked_at_once_and_hints_come_again(
    database: Database, migrated_url: str
) -> None:
    async with (
        scheduler(database, migrated_url) as one,
        scheduler(database, migrated_url) as two,
        hearing(two, migrated_url) as heard,
    ):
        await kill_all(migrated_url)
        with anyio.fail_after(10):
            assert await heard.get() == EVERYTHING
            one.publish(ENDED)
            assert await heard.get() == ENDED


@pytest.mark.postgres
async def test_a_scheduler_whose_database_is_away_goes_on_trying() -> None:
    away = "postgresql://nobody@127.0.0.1:1/nothing"
    database = Database(away)
    async with scheduler(database, away) as broadcast:
        broadcast.publish(ENDED)
        with anyio.move_on_after(0.3):
            async for _ in broadcast.notices():
                pytest.fail("nothing can be heard")
        broadcast.publish(ENDED)
    await database.close()
