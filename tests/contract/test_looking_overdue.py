"""What the reaper finds."""

from datetime import timedelta

from application.ports import JobStore, Overdue
from application.requests import Beat
from domain import moves
from domain.job import Json
from tests.builders import NOW, SECOND, a_job
from tests.contract.steps import add, add_all, after, claim, lease_of, running

BLINK = timedelta(microseconds=1)


async def test_a_lease_is_expired_at_its_very_instant_and_not_before(
    store: JobStore, overdue: Overdue
) -> None:
    job = await running(store)

    assert await overdue.expired(now=after(30) - BLINK, limit=9) == []
    assert await overdue.expired(now=after(30), limit=9) == [job]


async def test_a_renewed_lease_is_not_expired(store: JobStore, overdue: Overdue) -> None:
    job = await running(store, timeout=3600 * SECOND)
    await store.renew([Beat(lease=lease_of(job))], now=after(10))

    assert await overdue.expired(now=after(39), limit=9) == []


async def test_the_leases_that_ended_first_come_first(store: JobStore, overdue: Overdue) -> None:
    await add_all(store, [a_job(timeout=n * SECOND) for n in (5, 3, 9, 3, 1)])
    jobs = sorted(await claim(store), key=lambda job: job.id)

    expired = await overdue.expired(now=after(60), limit=4)

    assert [job.id for job in expired] == [jobs[n].id for n in (4, 1, 3, 0)]


async def test_a_job_is_due_at_its_very_instant_and_not_before(
    store: JobStore, overdue: Overdue
) -> None:
    job = await add(store, delay=SECOND)

    assert await overdue.due(now=after(1) - BLINK, limit=9) == []
    assert await overdue.due(now=after(1), limit=9) == [job]


async def test_the_jobs_due_first_come_first_whatever_their_priority(
    store: JobStore, overdue: Overdue
) -> None:
    jobs = await add_all(store, [a_job(delay=n * SECOND, priority=n) for n in (5, 3, 9, 3, 1)])

    due = await overdue.due(now=after(60), limit=4)

    assert [job.id for job in due] == [jobs[n].id for n in (4, 1, 3, 0)]


async def test_a_pending_or_finished_job_is_neither_due_nor_expired(
    store: JobStore, overdue: Overdue
) -> None:
    done = await running(store)
    await store.settle([moves.succeed(lease_of(done), result=Json(b"1"), now=NOW)])
    await add(store)

    assert await overdue.due(now=after(3600), limit=9) == []
    assert await overdue.expired(now=after(3600), limit=9) == []
    assert await overdue.next_moment() is None


async def test_the_next_moment_is_the_first_lease_s_end_or_due_time(
    store: JobStore, overdue: Overdue
) -> None:
    assert await overdue.next_moment() is None
    await add(store, delay=40 * SECOND)
    assert await overdue.next_moment() == after(40)
    await running(store)
    assert await overdue.next_moment() == after(30)
