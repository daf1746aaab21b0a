"""Outcomes reach the scheduler in order, in batches, and whatever happens on the way."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from application.outcomes import AttemptFailed, AttemptOutcome, AttemptSucceeded
from application.worker.contact import Contact
from application.worker.ports import Answer, SchedulerRefusedError, SchedulerUnavailableError
from application.worker.reporter import Reporter
from application.worker.task import Task
from domain.job import JobId, JobState, Json, Lease
from tests.unit.worker.conftest import Workshop
from tests.unit.worker.logs import KeptLog
from tests.unit.worker.scheduler import LocalScheduler

AWAY = SchedulerUnavailableError("away")


class Ledger(LocalScheduler):
    """Takes every report, but refuses whole reports that hold a poisoned result."""

    def __init__(self) -> None:
        super().__init__()
        self.taken: list[AttemptOutcome] = []

    async def report(self, worker_id: str, outcomes: Sequence[AttemptOutcome]) -> Sequence[Answer]:
        self.reports.append(outcomes)
        assert worker_id == "ada"
        self._trouble("report")
        if any(isinstance(o, AttemptSucceeded) and o.result == b"poison" for o in outcomes):
            raise SchedulerRefusedError(status=400, detail="malformed")
        self.taken.extend(outcomes)
        return [Answer(lease=outcome.lease, accepted=True) for outcome in outcomes]


def success(number: int, result: bytes = b"null") -> AttemptSucceeded:
    lease = Lease(job_id=JobId(number), attempt=1, worker_id="ada")
    return AttemptSucceeded(lease=lease, result=Json(result))


@asynccontextmanager
async def reporting(ledger: Ledger, log: KeptLog | None = None) -> AsyncIterator[Reporter]:
    log = log or KeptLog()
    reporter = Reporter(
        worker_id="ada",
        scheduler=ledger,
        contact=Contact(log=log, roll=lambda: 0.0),
        log=log,
        settled=lambda _leases: None,
    )
    running = asyncio.create_task(reporter.run())
    yield reporter
    await reporter.flush()
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


async def test_what_gathers_goes_in_one_report_of_at_most_a_thousand() -> None:
    ledger = Ledger()
    outcomes = [success(number) for number in range(1, 2502)]

    async with reporting(ledger) as reporter:
        for outcome in outcomes:
            reporter.add(outcome)

    assert [len(report) for report in ledger.reports] == [1000, 1000, 501]
    assert ledger.taken == outcomes


async def test_big_results_are_spread_over_reports() -> None:
    ledger = Ledger()

    async with reporting(ledger) as reporter:
        for number in range(1, 21):
            reporter.add(success(number, b"1" * 2**20))

    assert [len(report) for report in ledger.reports] == [8, 8, 4]


async def test_a_report_is_sent_again_until_it_is_answered() -> None:
    ledger, log = Ledger(), KeptLog()
    ledger.troubles["report"] = [AWAY, AWAY, AWAY]

    async with reporting(ledger, log) as reporter:
        reporter.add(success(1))

    assert [len(report) for report in ledger.reports] == [1, 1, 1, 1]
    assert ledger.taken == [success(1)]
    assert log.events == ["the scheduler is away; trying again", "the scheduler is back"]


async def test_a_worker_that_may_not_report_keeps_its_outcomes() -> None:
    ledger = Ledger()
    ledger.troubles["report"] = [SchedulerRefusedError(status=403, detail="not you")]

    async with reporting(ledger) as reporter:
        reporter.add(success(1))

    assert ledger.taken == [success(1)]


async def test_one_refused_outcome_spoils_no_other() -> None:
    ledger = Ledger()

    async with reporting(ledger) as reporter:
        for number in range(1, 11):
            reporter.add(success(number, b"poison" if number == 7 else b"null"))

    assert [outcome.lease.job_id for outcome in ledger.taken] == list(range(1, 11))
    refused = ledger.taken[6]
    assert isinstance(refused, AttemptFailed)
    assert (refused.failure.type, refused.retryable) == ("result_invalid", False)


async def test_a_report_whose_answer_was_lost_is_accepted_again(workshop: Workshop) -> None:
    async def run(_task: Task) -> str:
        return "done"

    workshop.scheduler.deaf = True
    workshop.scheduler.troubles["report"] = [AWAY]
    job = await workshop.outcome_of(run)

    assert job.state is JobState.SUCCEEDED
    assert len(workshop.scheduler.reports) == 2
    assert "outcome not accepted" not in workshop.log.events
