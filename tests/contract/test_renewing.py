"""Keeping leases."""

from dataclasses import replace

from application.ports import JobStore
from application.requests import Beat, Renewal
from domain import moves
from domain.job import JobId, Json, Lease
from tests.builders import BROKEN, SECOND, a_job
from tests.contract.steps import add, add_all, after, claim, lease_of, read, running


async def test_a_beat_extends_the_lease(store: JobStore) -> None:
    job = await running(store, timeout=3600 * SECOND)

    renewals = await store.renew([Beat(lease=lease_of(job))], now=after(10))

    assert renewals == {lease_of(job): Renewal(expires_at=after(40))}
    assert await read(store, job.id) == replace(job, lease_expires_at=after(40))


async def test_no_beat_extends_a_lease_past_the_attempt_s_deadline(store: JobStore) -> None:
    job = await running(store, timeout=35 * SECOND)

    renewals = await store.renew([Beat(lease=lease_of(job))], now=after(20))

    assert renewals[lease_of(job)].expires_at == after(35)


async def test_a_beat_may_ask_for_a_shorter_lease(store: JobStore) -> None:
    job = await running(store, timeout=3600 * SECOND)

    renewals = await store.renew([Beat(lease=lease_of(job), lease_length=SECOND)], now=after(1))

    assert renewals[lease_of(job)].expires_at == after(2)


async def test_a_lease_that_ran_out_but_was_not_taken_back_can_be_renewed(store: JobStore) -> None:
    job = await running(store, timeout=3600 * SECOND)

    assert lease_of(job) in await store.renew([Beat(lease=lease_of(job))], now=after(99))


async def test_progress_is_kept_until_another_is_told(store: JobStore) -> None:
    job = await running(store)
    for progress in (0.25, None):
        await store.renew([Beat(lease=lease_of(job), progress=progress)], now=after(1))

    assert (await read(store, job.id)).progress == 0.25


async def test_a_beat_learns_that_a_cancel_was_asked_for(store: JobStore) -> None:
    job = await running(store)
    await store.settle([moves.cancel(job, now=after(1))])

    renewals = await store.renew([Beat(lease=lease_of(job))], now=after(2))

    assert renewals[lease_of(job)].cancel_requested


async def test_another_worker_s_beat_changes_nothing(store: JobStore) -> None:
    job = await running(store, worker_id="ada")
    stolen = Lease(job_id=job.id, attempt=job.attempt, worker_id="bob")

    assert await store.renew([Beat(lease=stolen)], now=after(1)) == {}
    assert await read(store, job.id) == job


async def test_a_beat_for_an_earlier_or_later_attempt_changes_nothing(store: JobStore) -> None:
    first = await running(store)
    await store.settle([moves.fail(first, failure=BROKEN, now=after(1))])
    [second] = await claim(store, now=after(2))
    lease = lease_of(second)

    for attempt in (0, 1, 3, 2**40):
        beat = Beat(lease=replace(lease, attempt=attempt))
        assert await store.renew([beat], now=after(3)) == {}
    assert await read(store, second.id) == second


async def test_a_beat_for_a_later_attempt_does_not_hide_the_one_that_holds(
    store: JobStore,
) -> None:
    job = await running(store, timeout=3600 * SECOND)
    future = replace(lease_of(job), attempt=2)

    renewals = await store.renew([Beat(lease=lease_of(job)), Beat(lease=future)], now=after(1))

    assert set(renewals) == {lease_of(job)}


async def test_a_beat_for_a_job_that_is_over_or_unknown_changes_nothing(store: JobStore) -> None:
    job = await running(store)
    lease = lease_of(job)
    await store.settle([moves.succeed(lease, result=Json(b"1"), now=after(1))])
    done = await read(store, job.id)

    beats = [Beat(lease=lease), Beat(lease=replace(lease, job_id=JobId(2**40)))]

    assert await store.renew(beats, now=after(2)) == {}
    assert await read(store, job.id) == done


async def test_many_leases_are_renewed_together_whatever_their_order(store: JobStore) -> None:
    await add_all(store, [a_job(timeout=3600 * SECOND) for _ in range(20)])
    jobs = await claim(store, limit=20)
    beats = [Beat(lease=lease_of(job), progress=job.id / 100) for job in reversed(jobs)]

    renewals = await store.renew(beats, now=after(1))

    assert set(renewals) == {lease_of(job) for job in jobs}
    stored = await store.get([job.id for job in jobs])
    assert all(job.progress == job.id / 100 for job in stored.values())


async def test_no_beats_are_no_renewals(store: JobStore) -> None:
    await add(store)

    assert await store.renew([], now=after(1)) == {}
