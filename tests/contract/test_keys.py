"""Unique keys and idempotency keys."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from application.ports import JobStore, Overdue
from application.requests import KEY_LIFETIME, Admission, Admitted, Receipt
from domain import moves
from domain.errors import IdempotencyKeyReusedError, UniqueKeyTakenError
from domain.job import JobState, Json
from tests.builders import NOW, SECOND, a_job
from tests.contract.steps import after, claim, lease_of, read

ONE, OTHER = Json(b'{"n": 1, "m": 2}'), Json(b'{"n": 3}')
RECEIPT = Receipt(key="order 66", fingerprint=b"abc")


async def admit(store: JobStore, **changes: Any) -> Admission:  # noqa: ANN401 - any field
    [admission] = await store.add([a_job(**changes)], now=NOW)
    return admission


async def test_a_second_job_under_a_live_key_is_the_first(store: JobStore) -> None:
    first = await admit(store, unique_key="k", payload=ONE)

    second = await admit(store, unique_key="k", payload=Json(b'{"m": 2.0, "n": 1}'))

    assert (first.how, second.how) == (Admitted.NEW, Admitted.FOUND)
    assert second.job == first.job


@pytest.mark.parametrize("changes", [{"payload": OTHER}, {"job_type": "mail"}])
async def test_other_work_under_a_live_key_is_refused(
    store: JobStore, changes: dict[str, Any]
) -> None:
    first = await admit(store, unique_key="k", payload=ONE)

    with pytest.raises(UniqueKeyTakenError) as refused:
        await store.add([a_job(), a_job(**{"unique_key": "k", "payload": ONE, **changes})], now=NOW)

    assert (refused.value.job_id, refused.value.index) == (first.job.id, 1)
    assert list(await store.get(range(1, 9))) == [first.job.id]  # type: ignore[arg-type]


@pytest.mark.parametrize("state", JobState)
async def test_a_key_is_free_once_its_job_is_final(store: JobStore, state: JobState) -> None:
    delay = timedelta(hours=1) if state is JobState.SCHEDULED else timedelta(0)
    first = (await admit(store, unique_key="k", delay=delay, max_attempts=1)).job
    if state is not JobState.PENDING and state is not JobState.SCHEDULED:
        await claim(store)
    job = await read(store, first.id)
    ways = {
        JobState.SUCCEEDED: lambda: moves.succeed(lease_of(job), result=ONE, now=NOW),
        JobState.FAILED: lambda: moves.fail(job, failure=moves.TIMEOUT, now=NOW),
        JobState.CANCELLED: lambda: moves.confirm_cancel(job, now=NOW),
    }
    if state in ways:
        await store.settle([ways[state]()])

    again = await admit(store, unique_key="k")

    assert (await read(store, first.id)).state is state
    assert again.how is (Admitted.NEW if state.is_final else Admitted.FOUND)


async def test_a_batch_finds_repeats_inside_and_outside_of_itself(store: JobStore) -> None:
    there = (await admit(store, unique_key="there")).job
    keys = ["a", None, "there", "b", "a", None, "b"]

    admissions = await store.add([a_job(unique_key=key) for key in keys], now=NOW)

    hows = [admission.how.value for admission in admissions]
    ids = [admission.job.id for admission in admissions]
    assert hows == ["new", "new", "found", "new", "found", "new", "found"]
    assert (ids[2], ids[4], ids[6]) == (there.id, ids[0], ids[3])
    new = [ids[n] for n in (0, 1, 3, 5)]
    assert new == sorted(new)
    assert len(set(new)) == 4


async def test_different_work_under_one_key_within_a_batch_is_refused(store: JobStore) -> None:
    jobs = [a_job(unique_key="k", payload=ONE), a_job(unique_key="k", payload=OTHER)]

    with pytest.raises(UniqueKeyTakenError, match="earlier job of the same batch"):
        await store.add(jobs, now=NOW)

    assert await store.get([1, 2, 3]) == {}  # type: ignore[list-item]


async def test_a_hundred_equal_submits_at_once_are_one_job(store: JobStore) -> None:
    admissions = await asyncio.gather(
        *(admit(store, unique_key="k", payload=ONE) for _ in range(100))
    )

    assert len({admission.job.id for admission in admissions}) == 1
    assert [admission.how for admission in admissions].count(Admitted.NEW) == 1


async def test_batches_that_share_keys_in_any_order_make_each_job_once(store: JobStore) -> None:
    keys = [f"k{n}" for n in range(100)]
    batches = [keys[n:] + keys[:n] for n in range(0, 80, 10)]

    answers = await asyncio.gather(
        *(store.add([a_job(unique_key=key) for key in batch], now=NOW) for batch in batches)
    )

    hows = [admission.how for answer in answers for admission in answer]
    assert hows.count(Admitted.NEW) == 100
    assert hows.count(Admitted.FOUND) == 700


async def test_a_job_comes_back_to_life_only_if_its_key_is_free(store: JobStore) -> None:
    first = (await admit(store, unique_key="k", max_attempts=1)).job
    await store.settle([moves.cancel(first, now=NOW)])
    cancelled = await read(store, first.id)
    second = (await admit(store, unique_key="k")).job

    refused = await store.settle([moves.retry(cancelled, now=NOW)])
    await store.settle([moves.cancel(second, now=NOW)])

    assert refused == [first.id]
    assert await store.settle([moves.retry(cancelled, now=NOW)]) == []


async def test_a_submit_told_again_is_stored_once(store: JobStore) -> None:
    jobs = [a_job(), a_job(unique_key="k"), a_job(unique_key="k")]
    first = await store.add(jobs, now=NOW, receipt=RECEIPT)

    again = await store.add(jobs, now=after(60), receipt=RECEIPT)

    assert [one.job for one in again] == [one.job for one in first]
    assert [one.how.value for one in again] == ["replayed", "replayed", "found"]


async def test_a_replay_answers_with_the_jobs_as_they_are_now(store: JobStore) -> None:
    await store.add([a_job()], now=NOW, receipt=RECEIPT)
    [job] = await claim(store)
    await store.settle([moves.succeed(lease_of(job), result=ONE, now=after(1))])

    [again] = await store.add([a_job()], now=after(2), receipt=RECEIPT)

    assert again.job.state is JobState.SUCCEEDED


async def test_an_idempotency_key_used_for_another_request_is_refused(store: JobStore) -> None:
    await store.add([a_job()], now=NOW, receipt=RECEIPT)

    with pytest.raises(IdempotencyKeyReusedError):
        await store.add([a_job()], now=NOW, receipt=replace(RECEIPT, fingerprint=b"xyz"))

    assert list(await store.get([1, 2])) == [1]  # type: ignore[list-item]


async def test_an_idempotency_key_lapses_after_a_day(store: JobStore) -> None:
    await store.add([a_job()], now=NOW, receipt=RECEIPT)

    [late] = await store.add([a_job()], now=NOW + KEY_LIFETIME - SECOND, receipt=RECEIPT)
    [later] = await store.add([a_job()], now=NOW + KEY_LIFETIME, receipt=RECEIPT)

    assert (late.how, later.how) == (Admitted.REPLAYED, Admitted.NEW)


async def test_receipts_that_have_lapsed_are_forgotten(store: JobStore, overdue: Overdue) -> None:
    await store.add([a_job()], now=NOW, receipt=RECEIPT)
    await overdue.forget(now=NOW + KEY_LIFETIME - SECOND)
    [kept] = await store.add([a_job()], now=NOW, receipt=RECEIPT)

    await overdue.forget(now=NOW + KEY_LIFETIME)

    [gone] = await store.add([a_job()], now=NOW, receipt=RECEIPT)
    assert (kept.how, gone.how) == (Admitted.REPLAYED, Admitted.NEW)


async def test_a_refused_submit_leaves_its_idempotency_key_unused(store: JobStore) -> None:
    await admit(store, unique_key="k", payload=ONE)
    with pytest.raises(UniqueKeyTakenError):
        await store.add([a_job(unique_key="k", payload=OTHER)], now=NOW, receipt=RECEIPT)

    [admission] = await store.add([a_job()], now=NOW, receipt=RECEIPT)

    assert admission.how is Admitted.NEW


async def test_a_hundred_submits_under_one_idempotency_key_are_one_job(store: JobStore) -> None:
    answers = await asyncio.gather(
        *(store.add([a_job()], now=NOW, receipt=RECEIPT) for _ in range(100))
    )

    assert len({answer[0].job.id for answer in answers}) == 1
