"""Storing decided moves, and refusing those that came too late."""

from collections.abc import Callable
from dataclasses import replace

import anyio
import pytest

from application.ports import JobStore
from application.requests import Beat
from domain import moves
from domain.job import Failure, Job, JobId, JobState, Json, Lease, Outcome
from domain.transition import Transition
from tests.builders import BROKEN, IN_A_MINUTE, SECOND, a_job
from tests.contract.steps import add, add_all, after, claim, lease_of, read, running

DONE = Json(b'{"done": true}')
LATER = after(5)

Decide = Callable[[Job], Transition]

# Every way in which a running job moves on.
FROM_RUNNING: dict[str, Decide] = {
    "succeed": lambda job: moves.succeed(lease_of(job), result=DONE, now=LATER),
    "fail": lambda job: moves.fail(job, failure=BROKEN, now=LATER),
    "fail for good": lambda job: moves.fail(job, failure=BROKEN, now=LATER, retryable=False),
    "fail and wait": lambda job: moves.fail(job, failure=BROKEN, now=LATER, retry_after=SECOND),
    "expire": lambda job: moves.expire(job, now=after(60)),
    "release": lambda job: moves.release(job, now=LATER),
    "never received": lambda job: moves.release(job, now=LATER, reason=Outcome.NEVER_RECEIVED),
    "cancel": lambda job: moves.cancel(job, now=LATER),
    "confirm cancel": lambda job: moves.confirm_cancel(job, now=LATER),
}
each_way = pytest.mark.parametrize("decide", FROM_RUNNING.values(), ids=list(FROM_RUNNING))


async def settles(store: JobStore, move: Transition) -> bool:
    """Store one move; tell whether it still applied, having checked that else nothing changed."""
    before = await store.get([move.job_id])
    refused = await store.settle([move])
    if refused:
        assert list(refused) == [move.job_id]
        assert await store.get([move.job_id]) == before
        return False
    assert await store.get([move.job_id]) == {move.job_id: move.applied_to(before[move.job_id])}
    return True


@each_way
async def test_a_move_of_a_running_job_is_stored_whole(store: JobStore, decide: Decide) -> None:
    assert await settles(store, decide(await running(store)))


@each_way
async def test_a_move_decided_on_an_old_attempt_is_refused(store: JobStore, decide: Decide) -> None:
    first = await running(store)
    await store.settle([moves.release(first, now=after(1))])
    await claim(store, now=after(2), worker_id="ada")

    assert not await settles(store, decide(first))


@each_way
async def test_a_move_decided_on_an_attempt_yet_to_come_is_refused(
    store: JobStore, decide: Decide
) -> None:
    job = await running(store)

    assert not await settles(store, decide(replace(job, attempt=job.attempt + 1)))


@each_way
async def test_a_move_decided_under_another_worker_is_refused(
    store: JobStore, decide: Decide
) -> None:
    job = await running(store, worker_id="ada")

    assert not await settles(store, decide(replace(job, worker_id="bob")))


@each_way
@pytest.mark.parametrize("settled", FROM_RUNNING.values(), ids=list(FROM_RUNNING))
async def test_a_move_of_a_job_that_has_moved_on_is_refused(
    store: JobStore, settled: Decide, decide: Decide
) -> None:
    job = await running(store)
    late = decide(job)
    assert await settles(store, settled(job))
    stands = await read(store, job.id)

    assert await settles(store, late) == late.still_applies_to(stands)


@each_way
async def test_a_move_of_a_job_nobody_knows_is_refused(store: JobStore, decide: Decide) -> None:
    job = await running(store)
    unknown = replace(job, id=JobId(2**40))

    assert await store.settle([decide(unknown)]) == [unknown.id]


async def test_a_decision_that_knew_of_no_cancel_is_refused_once_there_is_one(
    store: JobStore,
) -> None:
    job = await running(store)
    await store.settle([moves.cancel(job, now=after(1))])

    assert not await settles(store, moves.fail(job, failure=BROKEN, now=LATER))
    asked = await read(store, job.id)
    assert await settles(store, moves.fail(asked, failure=BROKEN, now=LATER))
    assert (await read(store, job.id)).state is JobState.CANCELLED


async def test_a_success_is_taken_whether_or_not_a_cancel_was_asked_for(store: JobStore) -> None:
    job = await running(store)
    await store.settle([moves.cancel(job, now=after(1))])

    assert await settles(store, moves.succeed(lease_of(job), result=DONE, now=LATER))


async def test_an_expiry_is_refused_once_a_heartbeat_came_in_between(store: JobStore) -> None:
    job = await running(store, timeout=3600 * SECOND)
    expiry = moves.expire(job, now=after(30))
    await store.renew([Beat(lease=lease_of(job))], now=after(29))

    assert not await settles(store, expiry)


async def test_an_expiry_is_stored_if_the_lease_ends_at_that_very_instant(store: JobStore) -> None:
    job = await running(store, timeout=3600 * SECOND)
    early = Beat(lease=lease_of(job), lease_length=25 * SECOND)
    await store.renew([early], now=after(5))

    assert await settles(store, moves.expire(job, now=after(30)))


async def test_a_failure_is_stored_though_a_heartbeat_came_in_between(store: JobStore) -> None:
    job = await running(store, timeout=3600 * SECOND)
    await store.renew([Beat(lease=lease_of(job), progress=0.5)], now=after(4))

    assert await settles(store, moves.fail(job, failure=BROKEN, now=LATER))
    assert (await read(store, job.id)).progress == 0.5


async def test_asking_for_a_cancel_leaves_lease_and_progress_as_they_are(store: JobStore) -> None:
    job = await running(store, timeout=3600 * SECOND)
    await store.renew([Beat(lease=lease_of(job), progress=0.5)], now=after(4))

    assert await settles(store, moves.cancel(job, now=LATER))
    asked = await read(store, job.id)
    assert (asked.lease_expires_at, asked.progress) == (after(34), 0.5)


async def test_a_success_clears_the_error_of_an_earlier_attempt(store: JobStore) -> None:
    first = await running(store)
    await store.settle([moves.fail(first, failure=BROKEN, now=after(1))])
    [second] = await claim(store, now=after(2))
    assert second.error == BROKEN

    assert await settles(store, moves.succeed(lease_of(second), result=DONE, now=LATER))
    done = await read(store, second.id)
    assert (done.error, done.result, done.lease) == (None, DONE, None)


@pytest.mark.parametrize("delay_s", [0, 10])
async def test_a_job_that_nobody_runs_is_cancelled_at_once(store: JobStore, delay_s: int) -> None:
    job = await add(store, delay=delay_s * SECOND)

    assert await settles(store, moves.cancel(job, now=LATER))
    assert await claim(store, now=after(60)) == []


async def test_a_cancel_decided_before_the_job_was_claimed_is_refused(store: JobStore) -> None:
    waiting = await add(store)
    await claim(store)

    assert not await settles(store, moves.cancel(waiting, now=LATER))


async def test_a_job_that_ended_can_be_sent_round_again(store: JobStore) -> None:
    job = await running(store, max_attempts=1)
    await store.settle([moves.fail(job, failure=BROKEN, now=after(1))])

    assert await settles(store, moves.retry(await read(store, job.id), now=LATER))
    [again] = await claim(store, now=LATER)
    assert (again.id, again.attempt, again.failures) == (job.id, 2, 0)


async def test_a_job_is_made_due_once(store: JobStore) -> None:
    job = await add(store, delay=SECOND)
    due = moves.become_due(job, now=LATER)

    assert await settles(store, due)
    assert not await settles(store, due)


async def test_a_failed_job_waits_as_its_policy_says(store: JobStore) -> None:
    job = await running(store, retry=IN_A_MINUTE)

    assert await settles(store, moves.fail(job, failure=BROKEN, now=LATER))
    waits = await read(store, job.id)
    assert (waits.state, waits.run_at) == (JobState.SCHEDULED, LATER + 60 * SECOND)


async def test_of_many_moves_only_those_too_late_are_refused_in_any_order(store: JobStore) -> None:
    await add_all(store, [a_job() for _ in range(20)])
    jobs = list(reversed(await claim(store, limit=20)))
    ways = list(FROM_RUNNING.values())
    decided = [ways[n % len(ways)](job) for n, job in enumerate(jobs)]
    late = [moves.succeed(lease_of(job), result=DONE, now=after(1)) for job in jobs[:3]]
    await store.settle(late)

    assert list(await store.settle(decided)) == [job.id for job in jobs[:3]]
    stored = await store.get([job.id for job in jobs])
    for job, move in list(zip(jobs, decided, strict=True))[3:]:
        assert stored[job.id] == move.applied_to(job)


async def test_no_moves_are_none_refused(store: JobStore) -> None:
    assert list(await store.settle([])) == []


@pytest.mark.parametrize(
    "failure",
    [
        Failure(type="E", message="nul \0 and \x1f"),
        Failure(type="", message=""),
        Failure(type="E", message="🦊" * 1000),
        Failure(type="E", message="m", detail=Json(rb'{"nul": "\u0000", "big": 1e400}')),
        Failure(type="E", message="m", detail=Json(b"null")),
    ],
)
async def test_a_failure_comes_back_as_it_was_told(store: JobStore, failure: Failure) -> None:
    job = await running(store)
    await store.settle([moves.fail(job, failure=failure, now=LATER)])

    assert (await read(store, job.id)).error == failure


@pytest.mark.parametrize("result", [b"null", rb'"\ud800\u0000"', b"1e400", b"[]", b'""'])
async def test_a_result_comes_back_byte_for_byte(store: JobStore, result: bytes) -> None:
    job = await running(store)
    await store.settle([moves.succeed(lease_of(job), result=Json(result), now=LATER)])

    assert (await read(store, job.id)).result == result


async def test_ten_reports_of_one_attempt_at_once_settle_it_once(store: JobStore) -> None:
    job = await running(store)
    refused: list[JobId] = []

    async def report(n: int) -> None:
        result = Json(str(n).encode())
        refused.extend(await store.settle([moves.succeed(lease_of(job), result=result, now=LATER)]))

    async with anyio.create_task_group() as group:
        for n in range(10):
            group.start_soon(report, n)

    assert refused == [job.id] * 9


async def test_settling_and_renewing_the_same_jobs_at_once_in_any_order_ends(
    store: JobStore,
) -> None:
    await add_all(store, [a_job(timeout=3600 * SECOND) for _ in range(100)])
    jobs = await claim(store, limit=100)
    leases: list[Lease] = [lease_of(job) for job in jobs]

    async def renew(order: int) -> None:
        await store.renew([Beat(lease=lease) for lease in leases[::order]], now=after(1))

    async def settle(order: int) -> None:
        moved = [moves.succeed(lease, result=DONE, now=LATER) for lease in leases[::order]]
        await store.settle(moved)

    with anyio.fail_after(20):
        async with anyio.create_task_group() as group:
            for _ in range(4):
                for order in (1, -1):
                    group.start_soon(renew, order)
                    group.start_soon(settle, order)

    stored = await store.get([job.id for job in jobs])
    assert {job.state for job in stored.values()} == {JobState.SUCCEEDED}
