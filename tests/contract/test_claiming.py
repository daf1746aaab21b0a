"""Handing out jobs."""

import anyio
import pytest

from application.ports import JobStore
from application.requests import Beat
from domain import moves
from domain.job import Job, JobState
from tests.builders import BROKEN, NOW, SECOND, a_claim, a_job, an_offer
from tests.contract.steps import add, add_all, after, claim, lease_of, read, running


async def test_a_claimed_job_runs_under_a_lease_of_its_worker(store: JobStore) -> None:
    added = await add(store)

    [job] = await claim(store, worker_id="ada")

    assert job == moves.claim(added, worker_id="ada", now=NOW).after
    assert await read(store, job.id) == job


async def test_a_claim_of_nothing_is_empty(store: JobStore) -> None:
    assert await claim(store) == []


async def test_no_claim_is_longer_than_its_limit(store: JobStore) -> None:
    await add_all(store, [a_job() for _ in range(5)])

    assert [len(await claim(store, limit=2)) for _ in range(4)] == [2, 2, 1, 0]


async def test_a_claim_with_a_limit_changes_no_other_job(store: JobStore) -> None:
    jobs = await add_all(store, [a_job() for _ in range(5)])

    await claim(store, limit=2)

    stored = await store.get([job.id for job in jobs])
    assert [stored[job.id] for job in jobs[2:]] == list(jobs[2:])


@pytest.mark.parametrize("limit", [1, 4, 10])
async def test_jobs_come_by_priority_then_due_time_then_id(store: JobStore, limit: int) -> None:
    jobs = await add_all(
        store,
        [
            a_job(priority=0, run_at=after(-0.9997)),
            a_job(priority=9),
            a_job(priority=0, run_at=after(-2)),
            a_job(priority=-9, run_at=after(-99)),
            a_job(priority=9),
            a_job(priority=0, run_at=after(-0.9999)),  # the same millisecond
        ],
    )

    claimed: list[int] = []
    while batch := await claim(store, limit=limit):
        claimed += [job.id for job in batch]

    assert claimed == [jobs[n].id for n in (1, 4, 2, 5, 0, 3)]


async def test_the_first_of_many_come_in_order_over_several_claims(store: JobStore) -> None:
    jobs = await add_all(store, [a_job(priority=n * 37 % 101) for n in range(101)])
    claimed: list[Job] = []
    while batch := await claim(store, limit=7):
        claimed += batch

    assert claimed == sorted(claimed, key=lambda job: -job.priority)
    assert {job.id for job in claimed} == {job.id for job in jobs}


@pytest.mark.parametrize("queues", [None, frozenset({"default", "other"})])
async def test_the_order_holds_across_lanes(store: JobStore, queues: frozenset[str] | None) -> None:
    lanes = [("a", "default"), ("b", "other"), ("b", "default"), ("a", "other")]
    jobs = await add_all(
        store,
        [a_job(job_type=lanes[n % 4][0], queue=lanes[n % 4][1], priority=-n) for n in range(12)],
    )

    claimed = await claim(store, offer=an_offer("a", "b", queues=queues), limit=5)

    assert [job.id for job in claimed] == [job.id for job in jobs[:5]]


@pytest.mark.parametrize("queues", [None, frozenset({"default"})])
async def test_the_order_holds_however_many_jobs_of_another_lane_came_before(
    store: JobStore, queues: frozenset[str] | None
) -> None:
    await add_all(store, [a_job(job_type="a") for _ in range(100)])
    urgent = await add(store, job_type="b", priority=1)

    [first] = await claim(store, offer=an_offer("a", "b", queues=queues), limit=1)

    assert first.id == urgent.id


async def test_a_worker_gets_only_types_that_it_offers(store: JobStore) -> None:
    await add(store, job_type="mail", priority=9)
    wanted = await add(store, job_type="print")

    assert [job.id for job in await claim(store, offer=an_offer("print", "x"))] == [wanted.id]


async def test_a_worker_that_names_queues_gets_jobs_of_no_other(store: JobStore) -> None:
    for queue in ("a", "c", "default"):
        await add(store, queue=queue, priority=9)
    wanted = [await add(store, queue=queue) for queue in ("b", "d")]
    offer = an_offer("print", "mail", queues=frozenset({"b", "d", "e", "0"}))

    assert [job.id for job in await claim(store, offer=offer)] == [job.id for job in wanted]


async def test_a_worker_that_names_no_queue_at_all_gets_nothing(store: JobStore) -> None:
    await add(store)

    assert await claim(store, offer=an_offer("print", queues=frozenset())) == []


async def test_a_job_that_is_not_due_is_not_handed_out_however_late_it_is(store: JobStore) -> None:
    job = await add(store, delay=SECOND)

    assert await claim(store, now=after(1)) == []
    await store.settle([moves.become_due(job, now=after(1))])
    assert len(await claim(store, now=after(1))) == 1


async def test_a_job_is_handed_out_once(store: JobStore) -> None:
    await running(store)

    assert await claim(store, worker_id="bob", now=after(3600)) == []


@pytest.mark.parametrize(
    ("timeout_s", "length_s", "lease_s"), [(60, 30, 30), (5, 30, 5), (60, 7, 7)]
)
async def test_a_lease_lasts_the_shorter_of_timeout_and_length(
    store: JobStore, timeout_s: int, length_s: int, lease_s: int
) -> None:
    await add(store, timeout=timeout_s * SECOND)

    [job] = await claim(store, lease_length=length_s * SECOND)

    assert job.lease_expires_at == after(lease_s)


async def test_every_claim_counts_an_attempt_and_forgets_the_last_outcome(store: JobStore) -> None:
    first = await running(store)
    await store.renew([Beat(lease=lease_of(first), progress=0.5)], now=after(1))
    await store.settle([moves.fail(first, failure=BROKEN, now=after(1))])

    [second] = await claim(store, worker_id="bob", now=after(2))

    assert (second.attempt, second.error) == (2, BROKEN)
    assert (second.outcome, second.progress) == (None, None)
    assert (second.worker_id, second.started_at) == ("bob", after(2))


async def test_a_released_job_comes_back_to_its_old_place(store: JobStore) -> None:
    first = await running(store)
    await add(store)
    await store.settle([moves.release(first, now=after(1))])

    [again] = await claim(store, limit=1)

    assert again.id == first.id


@pytest.mark.parametrize("queues", [None, frozenset({"default"})])
async def test_twenty_claimers_at_once_hand_out_each_job_once(
    store: JobStore, queues: frozenset[str] | None
) -> None:
    jobs = await add_all(store, [a_job(priority=n % 3) for n in range(500)])
    claimed: list[Job] = []

    async def drain(worker_id: str) -> None:
        request = a_claim(worker_id=worker_id, limit=5, offer=an_offer(queues=queues))
        while len(claimed) < len(jobs):
            claimed.extend(await store.claim(request, now=NOW))
            await anyio.lowlevel.checkpoint()

    with anyio.fail_after(30):
        async with anyio.create_task_group() as group:
            for n in range(20):
                group.start_soon(drain, f"worker-{n}")

    assert sorted(job.id for job in claimed) == [job.id for job in jobs]
    stored = await store.get([job.id for job in jobs])
    assert all(job.state is JobState.RUNNING and job.attempt == 1 for job in stored.values())
