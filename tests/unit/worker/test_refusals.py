"""What the scheduler will not take of an outcome still ends the job, and spoils no other."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import pytest

from application.outcomes import AttemptFailed, AttemptOutcome, AttemptReleased, AttemptSucceeded
from application.worker.contact import Contact
from application.worker.ports import Answer, SchedulerRefusedError
from application.worker.reporter import Reporter
from domain.job import Failure, JobId, Json, Lease
from tests.unit.worker.logs import KeptLog
from tests.unit.worker.scheduler import LocalScheduler

POISON = Json(b'"poison"')


class Picky(LocalScheduler):
    """Refuses poison: the whole report that holds some, or only the item."""

    def __init__(self, *, item_by_item: bool, also_plain: bool = False) -> None:
        super().__init__()
        self.item_by_item = item_by_item
        self.also_plain = also_plain
        self.taken: list[AttemptOutcome] = []

    async def report(self, worker_id: str, outcomes: Sequence[AttemptOutcome]) -> Sequence[Answer]:
        assert worker_id == "ada"
        if not self.item_by_item and any(self._dislikes(outcome) for outcome in outcomes):
            raise SchedulerRefusedError(status=400, detail="poison")
        return [self._answer(outcome) for outcome in outcomes]

    def _answer(self, outcome: AttemptOutcome) -> Answer:
        if self._dislikes(outcome):
            lease = outcome.lease
            return Answer(lease=lease, accepted=False, reason="invalid", detail="poison")
        self.taken.append(outcome)
        return Answer(lease=outcome.lease, accepted=True)

    def _dislikes(self, outcome: AttemptOutcome) -> bool:
        holds = getattr(outcome, "result", None), getattr(outcome, "failure", None)
        is_poisoned = POISON in {holds[0], getattr(holds[1], "detail", None)}
        return is_poisoned or (self.also_plain and outcome.lease.job_id == JobId(2))


def lease(number: int) -> Lease:
    return Lease(job_id=JobId(number), attempt=1, worker_id="ada")


def success(number: int, result: bytes = b"null") -> AttemptSucceeded:
    return AttemptSucceeded(lease=lease(number), result=Json(result))


def failure(number: int, *, retryable: bool = True) -> AttemptFailed:
    cause = Failure(type="ValueError", message="no", detail=POISON)
    return AttemptFailed(lease=lease(number), failure=cause, retryable=retryable)


async def settled_by(scheduler: Picky, *outcomes: AttemptOutcome) -> list[Lease]:
    """Report the outcomes; return the leases in the order in which they were let go."""
    let_go: list[Lease] = []
    log = KeptLog()
    reporter = Reporter(
        worker_id="ada",
        scheduler=scheduler,
        contact=Contact(log=log, roll=lambda: 0.0),
        log=log,
        settled=let_go.extend,
    )
    for outcome in outcomes:
        reporter.add(outcome)
    running = asyncio.create_task(reporter.run())
    async with asyncio.timeout(5):
        await reporter.flush()
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    return let_go


@pytest.fixture(params=[True, False], ids=["one item refused", "whole report refused"])
def item_by_item(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


async def test_a_refused_result_fails_its_job_for_good(*, item_by_item: bool) -> None:
    scheduler = Picky(item_by_item=item_by_item)

    let_go = await settled_by(scheduler, success(1), success(2, POISON), success(3))

    taken = {outcome.lease.job_id: outcome for outcome in scheduler.taken}
    told = taken[JobId(2)]
    assert (taken[JobId(1)], taken[JobId(3)]) == (success(1), success(3))
    assert isinstance(told, AttemptFailed)
    assert (told.failure.type, told.retryable) == ("result_invalid", False)
    assert "poison" in told.failure.message
    assert sorted(let_go, key=lambda held: held.job_id) == [lease(1), lease(2), lease(3)]


@pytest.mark.parametrize("retryable", [True, False])
async def test_a_refused_error_is_told_without_what_was_refused(
    *, item_by_item: bool, retryable: bool
) -> None:
    scheduler = Picky(item_by_item=item_by_item)

    await settled_by(scheduler, failure(1, retryable=retryable), success(2))

    told = next(outcome for outcome in scheduler.taken if outcome.lease == lease(1))
    assert isinstance(told, AttemptFailed)
    assert (told.failure.type, told.failure.detail) == ("error_invalid", None)
    assert told.retryable is retryable
    assert success(2) in scheduler.taken


async def test_what_is_refused_twice_is_given_up(*, item_by_item: bool) -> None:
    scheduler = Picky(item_by_item=item_by_item, also_plain=True)

    let_go = await settled_by(scheduler, success(1), success(2), success(3))

    assert scheduler.taken == [success(1), success(3)]
    assert lease(2) in let_go


async def test_a_refused_hand_back_is_given_up(*, item_by_item: bool) -> None:
    scheduler = Picky(item_by_item=item_by_item, also_plain=True)

    let_go = await settled_by(scheduler, AttemptReleased(lease=lease(2)), success(3))

    assert scheduler.taken == [success(3)]
    assert lease(2) in let_go
