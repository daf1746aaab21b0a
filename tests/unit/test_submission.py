"""What a client may ask for."""

from datetime import datetime, timedelta

import pytest

from domain.errors import InvalidValueError
from domain.job import JobState
from domain.retry import RetryPolicy
from domain.submission import submit
from tests.builders import NOW, SECOND, a_job, a_submission

REFUSED = [
    ("job_type", {"job_type": ""}),
    ("job_type", {"job_type": "x" * 101}),
    ("job_type", {"job_type": "with space"}),
    ("job_type", {"job_type": "line\n"}),
    ("queue", {"queue": "ü"}),
    ("priority", {"priority": 32_768}),
    ("priority", {"priority": -32_769}),
    ("max_attempts", {"max_attempts": 0}),
    ("max_attempts", {"max_attempts": 1_001}),
    ("timeout", {"timeout": timedelta(0)}),
    ("timeout", {"timeout": timedelta(days=7, microseconds=1)}),
    ("delay", {"delay": timedelta(microseconds=-1)}),
    ("delay", {"delay": timedelta(days=3651)}),
    ("delay", {"delay": SECOND, "run_at": NOW}),
    ("run_at", {"run_at": datetime(2030, 1, 1)}),  # noqa: DTZ001 - that is the fault
    ("retry.delay", {"retry": RetryPolicy(delay=-SECOND)}),
    ("retry.max_delay", {"retry": RetryPolicy(max_delay=-SECOND)}),
    ("retry.factor", {"retry": RetryPolicy(factor=-0.1)}),
    ("retry.factor", {"retry": RetryPolicy(factor=float("nan"))}),
    ("retry.jitter", {"retry": RetryPolicy(jitter=float("inf"))}),
]


@pytest.mark.parametrize(("field", "changes"), REFUSED)
def test_a_value_out_of_bounds_is_refused_by_its_field(
    field: str, changes: dict[str, object]
) -> None:
    with pytest.raises(InvalidValueError) as refused:
        a_submission(**changes)

    assert refused.value.field == field


@pytest.mark.parametrize(
    "changes",
    [
        {"job_type": "A-z_0.9:" + "x" * 92},
        {"priority": 32_767},
        {"priority": -32_768},
        {"max_attempts": 1_000},
        {"timeout": timedelta(days=7)},
        {"timeout": timedelta(microseconds=1)},
        {"retry": RetryPolicy(factor=0)},
    ],
)
def test_a_value_at_its_bound_is_taken(changes: dict[str, object]) -> None:
    assert submit(a_submission(**changes), now=NOW).state is JobState.PENDING


def test_a_job_is_due_at_once_unless_asked_otherwise() -> None:
    job = a_job()

    assert (job.state, job.run_at, job.created_at) == (JobState.PENDING, NOW, NOW)


def test_a_delayed_job_is_scheduled_for_that_much_later() -> None:
    job = a_job(delay=SECOND)

    assert (job.state, job.run_at) == (JobState.SCHEDULED, NOW + SECOND)


def test_a_due_time_in_the_past_is_kept_so_that_the_job_comes_early_in_line() -> None:
    job = a_job(run_at=NOW - SECOND)

    assert (job.state, job.run_at) == (JobState.PENDING, NOW - SECOND)
    assert job.rank < a_job().rank
