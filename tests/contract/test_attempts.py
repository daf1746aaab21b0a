"""Named claims, held leases, and the history of attempts."""

from dataclasses import replace
from datetime import timedelta

from application.ports import JobStore
from domain import moves
from domain.attempt import latest_attempt
from domain.dispatch import CLAIM_REMEMBERED_FOR
from domain.job import Outcome
from tests.builders import BROKEN, NOW, SECOND
from tests.contract.steps import add, after, claim, lease_of, read, running


async def test_a_claim_asked_for_again_gives_the_same_jobs_and_no_others(store: JobStore) -> None:
    for _ in range(5):
        await add(store)

    first = await claim(store, limit=2, claim_id="r")
    again = await claim(store, limit=2, claim_id="r", now=after(1))

    assert len(first) == 2
    assert again == first


async def test_a_claim_asked_for_again_gives_only_what_still_runs(store: JobStore) -> None:
    for _ in range(5):
        await add(store)
    done, held = await claim(store, limit=2, claim_id="r")
    await store.settle([moves.release(done, now=NOW)])

    assert await claim(store, limit=2, claim_id="r", now=after(1)) == [held]


async def test_a_claim_of_another_name_worker_or_time_is_another_claim(store: JobStore) -> None:
    for _ in range(5):
        await add(store, timeout=timedelta(days=1))
    [first] = await claim(store, limit=1, claim_id="r")
    late = NOW + CLAIM_REMEMBERED_FOR

    others = [
        await claim(store, limit=1, claim_id="s"),
        await claim(store, limit=1, claim_id="r", worker_id="bob"),
        await claim(store, limit=1),
        await claim(store, limit=1, claim_id="r", now=late),
    ]

    ids = [job.id for jobs in others for job in jobs]
    assert len({first.id, *ids}) == 5


async def test_the_leases_of_a_worker_are_found_by_when_they_were_claimed(store: JobStore) -> None:
    early = await running(store, job_type="early")
    await add(store, job_type="print")
    await claim(store, now=after(10))
    await running(store, worker_id="bob", job_type="other")

    assert [job.id for job in await store.held_by("ada", claimed_by=after(9))] == [early.id]
    assert len(await store.held_by("ada", claimed_by=after(10))) == 2
    others = await store.held_by("ada", claimed_by=after(10), besides=[lease_of(early)])
    assert [job.job_type for job in others] == ["print"]
    old = replace(lease_of(early), attempt=7)
    assert len(await store.held_by("ada", claimed_by=after(10), besides=[old])) == 2
    assert await store.held_by("nobody", claimed_by=after(99)) == []


async def test_an_attempt_is_filed_when_the_next_begins(store: JobStore) -> None:
    first = await running(store, max_attempts=9)
    await store.settle([moves.fail(first, failure=BROKEN, now=after(1))])
    failed = await read(store, first.id)
    before = await store.attempts(first.id)
    [second] = await claim(store, now=after(2), worker_id="bob")
    await store.settle([moves.release(second, now=after(3))])
    released = await read(store, first.id)
    await claim(store, now=after(4))

    filed = await store.attempts(first.id)

    assert before == []
    assert filed == [latest_attempt(failed), latest_attempt(released)]
    assert [(one.number, one.worker_id, one.outcome, one.error) for one in filed] == [
        (1, "ada", Outcome.FAILED, BROKEN),
        (2, "bob", Outcome.RELEASED, None),
    ]
    assert [(one.started_at, one.ended_at) for one in filed] == [
        (NOW, after(1)),
        (after(2), after(3)),
    ]


async def test_a_first_attempt_files_nothing(store: JobStore) -> None:
    job = await running(store)
    await store.settle([moves.succeed(lease_of(job), result=job.payload, now=NOW + SECOND)])

    assert await store.attempts(job.id) == []
    assert (await read(store, job.id)).ended_at == NOW + SECOND
