"""Reading jobs for people and for waiting requests."""

from typing import Any

import pytest

from application.ports import JobBoard, JobStore
from application.queries import JobQuery, LaneCount
from domain import moves
from domain.dispatch import Lane
from domain.job import JobId, JobState, Json
from tests.builders import BROKEN, SECOND, a_job
from tests.contract.steps import add, add_all, after, lease_of, read, running


async def pages(board: JobBoard, **query: Any) -> list[list[int]]:  # noqa: ANN401 - any field
    """Return the ids on every page, following each page's last id."""
    found: list[list[int]] = []
    last: JobId | None = None
    while jobs := await board.find(JobQuery(after=last, **query)):
        found.append([job.id for job in jobs])
        last = jobs[-1].id
    return found


async def test_jobs_are_found_newest_first(store: JobStore, board: JobBoard) -> None:
    jobs = await add_all(store, [a_job() for _ in range(5)])

    ids = [job.id for job in reversed(jobs)]
    assert await pages(board, limit=2) == [ids[:2], ids[2:4], ids[4:]]


async def test_jobs_are_found_oldest_first_if_asked(store: JobStore, board: JobBoard) -> None:
    jobs = await add_all(store, [a_job() for _ in range(3)])

    assert await pages(board, limit=2, oldest_first=True) == [
        [jobs[0].id, jobs[1].id],
        [jobs[2].id],
    ]


async def test_found_jobs_are_whole(store: JobStore, board: JobBoard) -> None:
    job = await running(store, metadata={"tenant": "a"}, payload=Json(rb'{"nul": "\u0000"}'))

    assert await board.find(JobQuery()) == [job]


async def test_jobs_that_come_between_two_pages_neither_repeat_nor_hide_others(
    store: JobStore, board: JobBoard
) -> None:
    jobs = await add_all(store, [a_job() for _ in range(4)])
    first = await board.find(JobQuery(limit=2))
    await add_all(store, [a_job()])

    second = await board.find(JobQuery(limit=2, after=first[-1].id))

    assert [job.id for job in (*first, *second)] == [job.id for job in reversed(jobs)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"job_type": "mail"}, [3, 2]),
        ({"queue": "fast"}, [4, 3]),
        ({"job_type": "mail", "queue": "fast"}, [3]),
        ({"job_type": "sms"}, []),
        ({"state": JobState.SCHEDULED}, [4]),
        ({"state": JobState.PENDING, "queue": "default"}, [2, 1]),
        ({"state": JobState.RUNNING}, []),
    ],
)
async def test_jobs_are_found_by_state_type_and_queue(
    store: JobStore, board: JobBoard, query: dict[str, Any], expected: list[int]
) -> None:
    await add_all(
        store,
        [
            a_job(),
            a_job(job_type="mail"),
            a_job(job_type="mail", queue="fast"),
            a_job(queue="fast", delay=SECOND),
        ],
    )

    assert [job.id for job in await board.find(JobQuery(**query))] == expected


async def test_each_final_state_is_found(store: JobStore, board: JobBoard) -> None:
    succeeded, failed, cancelled = await _one_of_each_end(store)

    for job_id, state in [
        (succeeded, JobState.SUCCEEDED),
        (failed, JobState.FAILED),
        (cancelled, JobState.CANCELLED),
    ]:
        assert [job.id for job in await board.find(JobQuery(state=state))] == [job_id]


async def test_the_census_of_nothing_names_every_state(board: JobBoard) -> None:
    census = await board.census()

    assert census.states == dict.fromkeys(JobState, 0)
    assert (list(census.lanes), census.approximate) == ([], False)


async def test_the_census_counts_by_state(store: JobStore, board: JobBoard) -> None:
    await _one_of_each_end(store)
    await running(store)
    await add_all(store, [a_job(), a_job(), a_job(delay=SECOND)])

    census = await board.census()

    assert census.states == {
        JobState.SCHEDULED: 1,
        JobState.PENDING: 2,
        JobState.RUNNING: 1,
        JobState.SUCCEEDED: 1,
        JobState.FAILED: 1,
        JobState.CANCELLED: 1,
    }


async def test_the_census_counts_lanes_with_living_jobs(store: JobStore, board: JobBoard) -> None:
    await running(store, queue="z", job_type="mail")
    await add_all(
        store,
        [
            a_job(queue="b", run_at=after(-5)),
            a_job(queue="b", run_at=after(-9), priority=-1),
            a_job(queue="later", delay=SECOND),
        ],
    )

    assert list((await board.census()).lanes) == [
        LaneCount(lane=Lane("b", "print"), pending=2, running=0, oldest_pending=after(-9)),
        LaneCount(lane=Lane("z", "mail"), pending=0, running=1, oldest_pending=None),
    ]


async def test_pending_lanes_are_those_with_a_job_to_claim(
    store: JobStore, board: JobBoard
) -> None:
    assert set(await board.pending_lanes()) == set()
    await running(store, queue="busy")
    await add_all(store, [a_job(queue=queue) for queue in ("b", "a", "b")])
    await add_all(store, [a_job(queue="b", job_type="mail"), a_job(queue="later", delay=SECOND)])

    assert set(await board.pending_lanes()) == {
        Lane("a", "print"),
        Lane("b", "print"),
        Lane("b", "mail"),
    }


async def test_final_among_are_those_that_ended_or_never_were(
    store: JobStore, board: JobBoard
) -> None:
    ended = set(await _one_of_each_end(store))
    unknown = JobId(2**40)
    live = [(await running(store)).id, (await add(store)).id, (await add(store, delay=SECOND)).id]

    assert set(await board.final_among([*ended, unknown, *live])) == {*ended, unknown}
    assert set(await board.final_among([])) == set()


async def test_a_store_that_answers_answers_a_ping(board: JobBoard) -> None:
    await board.ping()


async def _one_of_each_end(store: JobStore) -> list[JobId]:
    jobs = [await running(store) for _ in range(3)]
    await store.settle(
        [
            moves.succeed(lease_of(jobs[0]), result=Json(b"1"), now=after(1)),
            moves.fail(jobs[1], failure=BROKEN, now=after(1), retryable=False),
            moves.confirm_cancel(jobs[2], now=after(1)),
        ]
    )
    assert (await read(store, jobs[2].id)).state is JobState.CANCELLED
    return [job.id for job in jobs]
