"""Leaving leases alone after an outage."""

import asyncio
from datetime import timedelta

from application.truce import Truce
from tests.builders import NOW
from tests.simulation.virtual_time import run_virtually

LEASE = timedelta(seconds=30)


def test_an_outage_longer_than_a_lease_is_followed_by_a_lease_of_truce() -> None:
    async def story() -> list[bool]:
        truce = Truce(lease_length=LEASE)
        truce.store_answered()
        await asyncio.sleep(31)
        truce.store_answered()
        seen = [truce.holds]
        for _ in range(3):
            await asyncio.sleep(10)
            truce.store_answered()
            seen.append(truce.holds)
        return seen

    assert run_virtually(story()) == [True, True, True, False]


def test_a_shorter_outage_changes_nothing() -> None:
    async def story() -> bool:
        truce = Truce(lease_length=LEASE)
        truce.store_answered()
        await asyncio.sleep(29)
        truce.store_answered()
        return truce.holds

    assert not run_virtually(story())


def test_a_scheduler_that_starts_among_silent_workers_declares_a_truce() -> None:
    async def story(silence: timedelta | None) -> bool:
        truce = Truce(lease_length=LEASE)
        last = None if silence is None else NOW - silence
        truce.workers_were_heard(last, now=NOW)
        return truce.holds

    assert [
        run_virtually(story(silence))
        for silence in (timedelta(seconds=31), timedelta(seconds=29), None)
    ] == [True, False, False]
