"""The list of workers that call."""

from dataclasses import replace
from datetime import timedelta

from application.ports import JobStore, WorkerDirectory
from domain.worker import Worker
from tests.builders import NOW, SECOND
from tests.contract.steps import after, running

ADA = Worker(id="ada", last_seen=NOW, job_types=("print", "mail"), queues=("b", "a"), slots=3)
BOB = Worker(id="bob", last_seen=NOW, draining=True)


async def test_workers_are_listed_by_id_as_they_told_of_themselves(
    workers: WorkerDirectory,
) -> None:
    await workers.seen(BOB)
    await workers.seen(ADA)

    assert await workers.listed(since=NOW) == [ADA, BOB]


async def test_no_queues_and_any_queue_are_not_the_same(workers: WorkerDirectory) -> None:
    await workers.seen(replace(ADA, queues=()))
    await workers.seen(replace(BOB, queues=None))

    assert [worker.queues for worker in await workers.listed(since=NOW)] == [(), None]


async def test_the_newest_word_counts(workers: WorkerDirectory) -> None:
    await workers.seen(ADA)
    newer = Worker(id="ada", last_seen=after(1), job_types=("x",), draining=True)
    await workers.seen(newer)

    assert await workers.listed(since=NOW) == [newer]


async def test_a_touch_moves_only_the_time(workers: WorkerDirectory) -> None:
    await workers.seen(ADA)
    await workers.touch("ada", now=after(9))

    assert await workers.listed(since=NOW) == [replace(ADA, last_seen=after(9))]


async def test_a_worker_touched_before_it_was_seen_is_listed_bare(
    workers: WorkerDirectory,
) -> None:
    await workers.touch("eve", now=NOW)

    assert await workers.listed(since=NOW) == [Worker(id="eve", last_seen=NOW)]


async def test_a_worker_is_listed_from_the_very_instant_asked_for(
    workers: WorkerDirectory,
) -> None:
    await workers.seen(ADA)

    assert await workers.listed(since=NOW + timedelta(microseconds=1)) == []
    assert await workers.listed(since=NOW) == [ADA]


async def test_a_forgotten_worker_is_gone(workers: WorkerDirectory) -> None:
    await workers.seen(ADA)
    await workers.forget("ada")
    await workers.forget("nobody")

    assert await workers.listed(since=NOW) == []


async def test_names_are_sorted_letter_by_letter(workers: WorkerDirectory) -> None:
    names = ["Zoë-1", "a:2", "B", "é", "a.2", "🦊"]
    for name in names:
        await workers.touch(name, now=NOW)

    assert [worker.id for worker in await workers.listed(since=NOW)] == sorted(names)


async def test_leases_are_counted_by_worker(store: JobStore, workers: WorkerDirectory) -> None:
    for worker_id in ("ada", "ada", "bob"):
        await running(store, worker_id=worker_id, timeout=SECOND)

    assert dict(await workers.running()) == {"ada": 2, "bob": 1}
