"""Exceptions as they are told."""

import pytest

from application.worker.failures import failed_by, readable
from application.worker.task import TaskFailed
from domain.job import JobId, Lease

LEASE = Lease(job_id=JobId(1), attempt=1, worker_id="ada")


def test_a_failure_is_of_the_type_that_the_strategy_gives_it() -> None:
    assert failed_by(TaskFailed("full", type="quota_exceeded"), LEASE).failure.type == (
        "quota_exceeded"
    )


def test_without_one_it_is_of_its_class() -> None:
    assert failed_by(TaskFailed("full"), LEASE).failure.type == "TaskFailed"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("caf\udce9", "caf\\udce9"),
        ("\ud800", "\\ud800"),
        ("a\x00b", "a\N{REPLACEMENT CHARACTER}b"),
        ("two\nlines\t", "two\nlines\t"),
        ("ü \N{GRINNING FACE}", "ü \N{GRINNING FACE}"),
    ],
)
def test_what_no_text_can_hold_stays_recognisable(text: str, told: str) -> None:
    assert readable(text, longest=100) == told


def test_a_text_of_nothing_but_halves_of_pairs_stays_bounded() -> None:
    assert len(readable("\ud800" * 5000, longest=2000)) <= 2000


@pytest.mark.parametrize("start", range(60, 100))
def test_a_secret_is_masked_wherever_the_text_is_cut(start: int) -> None:
    told = readable("x" * start + "postgresql://me:secret@db/jobs", longest=100)

    assert "secr" not in told
