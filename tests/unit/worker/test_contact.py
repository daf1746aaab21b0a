"""A scheduler that is away is waited for, with patience and without noise."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from application.worker.contact import Contact, pause_s
from application.worker.ports import SchedulerRefusedError, SchedulerUnavailableError
from application.worker.task import Task
from domain.job import JobState
from tests.unit.worker.conftest import Workshop
from tests.unit.worker.logs import KeptLog

AWAY = SchedulerUnavailableError("away")


@given(failures=st.integers(1, 10_000), roll=st.floats(0, 1), asked_s=st.floats(0, 1e6))
def test_no_pause_is_longer_than_five_seconds(failures: int, roll: float, asked_s: float) -> None:
    pause = pause_s(failures, roll=roll, retry_after=timedelta(seconds=asked_s))

    assert 0 <= pause <= 5


@pytest.mark.parametrize(("failures", "bound_s"), [(1, 0.1), (2, 0.2), (6, 3.2), (7, 5), (99, 5)])
def test_the_bound_doubles_and_chance_picks_within_it(failures: int, bound_s: float) -> None:
    assert pause_s(failures, roll=1.0) == pytest.approx(bound_s)
    assert pause_s(failures, roll=0.5) == pytest.approx(bound_s / 2)
    assert pause_s(failures, roll=0.0) == 0


def test_what_the_scheduler_asks_for_is_waited() -> None:
    assert pause_s(1, roll=0.0, retry_after=timedelta(seconds=2)) == 2


def test_an_absence_is_told_once_however_many_calls_notice_it() -> None:
    log = KeptLog()
    contact = Contact(log=log, roll=lambda: 0.0)

    for call in ("claim", "report", "claim", "heartbeat"):
        contact.lost(call, AWAY)
    for call in ("claim", "report", "heartbeat", "claim"):
        contact.made(call)

    assert log.events == ["the scheduler is away; trying again", "the scheduler is back"]


async def test_a_claim_is_repeated_under_the_same_id_until_it_is_answered(
    workshop: Workshop,
) -> None:
    async def run(_task: Task) -> None:
        pass

    workshop.scheduler.troubles["claim"] = [AWAY, AWAY]
    job = await workshop.outcome_of(run)

    assert job.state is JobState.SUCCEEDED
    first, second, third = workshop.scheduler.requests[:3]
    assert first == second == third


async def test_a_refused_claim_does_not_end_the_worker(workshop: Workshop) -> None:
    async def run(_task: Task) -> None:
        pass

    refusal = SchedulerRefusedError(status=401, detail="who are you?")
    workshop.scheduler.troubles["claim"] = [refusal]
    job = await workshop.outcome_of(run)

    assert job.state is JobState.SUCCEEDED
