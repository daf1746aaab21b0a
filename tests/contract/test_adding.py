"""Adding jobs and reading them back."""

from datetime import UTC, datetime, timedelta

import pytest

from application.ports import JobStore
from domain.job import JobId, JobState, Json
from domain.retry import RetryPolicy
from tests.builders import NOW, a_job
from tests.contract.steps import add, add_all, read


async def test_a_job_comes_back_as_it_was_added(store: JobStore) -> None:
    job = await add(
        store,
        job_type="mail",
        queue="slow",
        priority=-7,
        run_at=NOW + timedelta(microseconds=1),
        timeout=timedelta(days=6, microseconds=3),
        max_attempts=1000,
        retry=RetryPolicy(
            delay=timedelta(milliseconds=1),
            factor=1.1,
            max_delay=timedelta(days=3650),
            jitter=0.3,
        ),
        payload=Json(b'{"a": [1, 2.50, null]}'),
        metadata={"tenant": "größer", "nul": "\0"},
    )

    assert job.id > 0
    assert await read(store, job.id) == job


async def test_ids_rise_in_the_order_of_the_batch(store: JobStore) -> None:
    jobs = await add_all(store, [a_job(priority=n % 7) for n in range(1000)])

    ids = [job.id for job in jobs]
    assert ids == sorted(set(ids))
    stored = await store.get(ids)
    assert [stored[job_id].priority for job_id in ids] == [n % 7 for n in range(1000)]


async def test_ten_thousand_jobs_are_one_batch(store: JobStore) -> None:
    jobs = await add_all(store, [a_job()] * 10_000)

    assert len({job.id for job in jobs}) == 10_000


async def test_an_empty_batch_is_nothing(store: JobStore) -> None:
    assert await add_all(store, []) == []


async def test_unknown_ids_are_left_out(store: JobStore) -> None:
    job = await add(store)

    assert await store.get([job.id, JobId(job.id + 1), JobId(2**40)]) == {job.id: job}


async def test_a_job_due_at_this_very_instant_is_pending(store: JobStore) -> None:
    assert (await add(store, run_at=NOW)).state is JobState.PENDING


@pytest.mark.parametrize(
    "run_at",
    [
        datetime.min.replace(tzinfo=UTC),
        datetime.max.replace(tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC),
    ],
)
async def test_the_calendar_s_first_and_last_instant_are_due_times(
    store: JobStore, run_at: datetime
) -> None:
    job = await add(store, run_at=run_at)

    assert await read(store, job.id) == job


@pytest.mark.parametrize(
    "payload",
    [
        rb'{"nul": "\u0000"}',
        b'{"big": 1000000000000000000000000000000}',
        b'{"huge": 1e400}',
        rb'{"half a pair": "\ud800"}',
        b'{"key": 1, "key": 2}',
        b'{ "spaces" : [ ] }\n',
        '{"emoji": "🦊"}'.encode(),
        b'{"nested": ' + b"[" * 500 + b"]" * 500 + b"}",
    ],
)
async def test_a_payload_comes_back_byte_for_byte(store: JobStore, payload: bytes) -> None:
    job = await add(store, payload=Json(payload))

    assert (await read(store, job.id)).payload == payload
