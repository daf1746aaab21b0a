"""Every way in which a strategy can end ends the job, and never the worker."""

import asyncio
import json
import sys
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from application.worker.task import Task, TaskFailed
from domain.job import JobState
from tests.unit.worker.conftest import Workshop


class UnspeakableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("not even this")


def raising(error: BaseException) -> Callable[[Task], Any]:
    async def run(_task: Task) -> None:
        raise error

    return run


def raising_in_thread(error: BaseException) -> Callable[[Task], Any]:
    def run(_task: Task) -> None:
        raise error

    return run


def returning(result: object) -> Callable[[Task], Any]:
    async def run(_task: Task) -> object:
        return result

    return run


def nested(levels: int) -> list[Any]:
    inner: list[Any] = []
    for _ in range(levels):
        inner = [inner]
    return inner


def circular() -> list[Any]:
    inner: list[Any] = []
    inner.append(inner)
    return inner


async def test_what_an_async_strategy_returns_is_the_result(workshop: Workshop) -> None:
    job = await workshop.outcome_of(returning({"n": [1, 2.5, None, "ü"]}))

    assert job.state is JobState.SUCCEEDED
    assert json.loads(job.result or b"") == {"n": [1, 2.5, None, "ü"]}


async def test_a_plain_strategy_runs_in_a_thread_of_its_own(workshop: Workshop) -> None:
    def run(task: Task) -> list[object]:
        task.report_progress(0.5)
        return [task.payload["a"], task.attempt, threading.current_thread().daemon]

    job = await workshop.outcome_of(run, payload=b'{"a": "b"}')

    assert json.loads(job.result or b"") == ["b", 1, True]


async def test_a_plain_strategy_may_return_something_to_await(workshop: Workshop) -> None:
    job = await workshop.outcome_of(lambda _task: asyncio.sleep(0, "slept"))

    assert job.result == b'"slept"'


@pytest.mark.parametrize("how", [raising, raising_in_thread])
@pytest.mark.parametrize(
    "error",
    [
        ValueError("no"),
        SystemExit(3),
        KeyboardInterrupt(),
        asyncio.CancelledError(),
        StopIteration(),
        GeneratorExit(),
        RecursionError(),
        UnspeakableError(),
        ExceptionGroup("several", [ValueError("no")]),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_whatever_a_strategy_raises_fails_its_job_only(
    workshop: Workshop, how: Callable[[BaseException], Any], error: BaseException
) -> None:
    runs = {"bad": how(error), "good": returning("fine")}
    bad = await workshop.scheduler.submit(job_type="bad", max_attempts=1)
    good = await workshop.scheduler.submit(job_type="good", run_at=None)
    worker = workshop.worker(runs, slots=1, grace_s=1)
    running = asyncio.create_task(worker.run())

    failed = await workshop.scheduler.ended(bad)
    succeeded = await workshop.scheduler.ended(good)
    worker.stop()
    await running

    assert failed.state is JobState.FAILED
    assert failed.error is not None
    stop_iteration_becomes = "RuntimeError"
    assert failed.error.type in {type(error).__name__, stop_iteration_becomes}
    assert succeeded.state is JobState.SUCCEEDED


UNKEEPABLE: dict[str, object] = {
    "object": object(),
    "set": {1, 2},
    "bytes": b"bytes",
    "not a number": float("nan"),
    "infinity": float("inf"),
    "half a surrogate pair": "\ud800",
    "half a surrogate pair as key": {"\udfff": 1},
    "tuple as key": {(1, 2): 3},
    "circle": circular(),
    "too deep": nested(sys.getrecursionlimit() * 2),
    "too many digits": 10**5000,
}


@pytest.mark.parametrize("result", UNKEEPABLE.values(), ids=UNKEEPABLE)
async def test_a_result_that_json_cannot_hold_fails_the_job_for_good(
    workshop: Workshop, result: object
) -> None:
    job = await workshop.outcome_of(returning(result), max_attempts=5)

    assert (job.state, job.attempt) == (JobState.FAILED, 1)
    assert job.error is not None
    assert job.error.type == "result_invalid"


async def test_a_result_beyond_the_limit_fails_the_job_for_good(workshop: Workshop) -> None:
    job = await workshop.outcome_of(returning("x" * 2**20), max_attempts=5)

    assert (job.state, job.attempt) == (JobState.FAILED, 1)
    assert job.error is not None
    assert job.error.type == "result_too_large"


async def test_a_result_just_within_the_limit_is_kept(workshop: Workshop) -> None:
    job = await workshop.outcome_of(returning("x" * (2**20 - 2)))

    assert job.state is JobState.SUCCEEDED


async def test_an_error_is_told_in_bounded_text_without_secrets(workshop: Workshop) -> None:
    text = "\x00\ud800\x1b[31m postgresql://me:secret@db/jobs " + "x" * 100_000
    job = await workshop.outcome_of(raising(ValueError(text)))

    assert job.error is not None
    assert len(job.error.message) <= 2000
    assert "secret" not in job.error.message
    assert not {"\x00", "\x1b", "\ud800"} & set(job.error.message)


async def test_a_strategy_can_fail_its_job_for_good(workshop: Workshop) -> None:
    failure = TaskFailed("never", retryable=False, detail={"code": 7})
    job = await workshop.outcome_of(raising(failure), max_attempts=5)

    assert (job.state, job.attempt) == (JobState.FAILED, 1)
    assert job.error is not None
    assert (job.error.type, job.error.detail) == ("TaskFailed", b'{"code": 7}')


async def test_a_strategy_can_say_when_to_try_again(workshop: Workshop) -> None:
    ran = asyncio.Event()

    async def run(_task: Task) -> None:
        ran.set()
        raise TaskFailed("later", retry_after=60)

    job_id = await workshop.scheduler.submit()
    async with workshop.working(run):
        await ran.wait()

    jobs = await workshop.scheduler.store.get([job_id])
    assert jobs[job_id].state is JobState.SCHEDULED


@pytest.mark.parametrize("is_stubborn", [False, True])
async def test_an_attempt_that_runs_too_long_fails(
    workshop: Workshop, *, is_stubborn: bool
) -> None:
    async def run(_task: Task) -> str:
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                if not is_stubborn:
                    return "as if nothing had happened"

    job = await workshop.outcome_of(run, timeout=timedelta(milliseconds=20))

    assert job.error is not None
    assert (job.state, job.error.type) == (JobState.FAILED, "timeout")


async def test_a_thread_that_never_ends_does_not_hold_up_the_worker(workshop: Workshop) -> None:
    release = threading.Event()
    job = await workshop.outcome_of(
        lambda _task: release.wait(30), timeout=timedelta(milliseconds=20)
    )
    release.set()

    assert job.error is not None
    assert job.error.type == "timeout"
