"""What a user is promised, held by real processes against a ledger kept outside of them."""

import pytest

from tests.chaos.ledger import count_by_job, read_ledger
from tests.chaos.rig import Rig, wait_until

pytestmark = [pytest.mark.postgres, pytest.mark.chaos]


def test_ten_thousand_jobs_run_exactly_once_each_over_three_workers(rig: Rig) -> None:
    for _ in range(3):
        rig.start_worker(slots=50)

    ids = [
        job_id
        for _ in range(10)
        for job_id in rig.submit(*[{"job_type": "note", "timeout": 60}] * 1000)
    ]

    wait_until(lambda: rig.count("succeeded") == 10_000, at_most_s=120, what="all succeeded")
    entries = read_ledger(rig.ledger)
    assert count_by_job(entries, "start") == dict.fromkeys(ids, 1)
    assert count_by_job(entries, "end") == dict.fromkeys(ids, 1)
    assert len({entry.process_id for entry in entries}) == 3


def test_one_slot_runs_jobs_by_priority_then_due_time_then_id(rig: Rig) -> None:
    late, early, same_a, same_b, urgent = rig.submit(
        {"job_type": "note", "run_at": "2026-01-01T00:00:00.000002Z"},
        {"job_type": "note", "run_at": "2026-01-01T00:00:00.000001Z"},
        {"job_type": "note", "priority": 5, "run_at": "2026-01-01T00:00:00Z"},
        {"job_type": "note", "priority": 5, "run_at": "2026-01-01T00:00:00Z"},
        {"job_type": "note", "priority": 9},
    )

    rig.start_worker(slots=1)

    wait_until(lambda: rig.count("succeeded") == 5, at_most_s=20, what="all succeeded")
    started = [entry.job_id for entry in read_ledger(rig.ledger) if entry.word == "start"]
    assert started == [urgent, same_a, same_b, early, late]


def test_a_job_whose_worker_is_killed_is_run_by_another(rig: Rig) -> None:
    first = rig.start_worker()
    [job_id] = rig.submit({"job_type": "note", "payload": {"seconds": 1}})
    wait_until(lambda: bool(read_ledger(rig.ledger)), at_most_s=20, what="the job has started")

    rig.kill(first)
    wait_until(
        lambda: rig.job(job_id)["state"] == "pending", at_most_s=5, what="the job is pending again"
    )
    rig.start_worker()

    job = rig.job(job_id, wait_s=20)
    assert (job["state"], job["attempt"], job["failures"]) == ("succeeded", 2, 1)


def test_a_job_whose_workers_are_killed_twice_has_failed(rig: Rig) -> None:
    [job_id] = rig.submit({"job_type": "note", "payload": {"seconds": 60}, "timeout": 60})
    for starts in (1, 2):
        worker = rig.start_worker()
        _await_starts(rig, starts)
        rig.kill(worker)

    job = rig.job(job_id, wait_s=20)
    assert (job["state"], job["attempt"], job["failures"]) == ("failed", 2, 2)
    assert job["error"]["type"] == "worker_lost"


def _await_starts(rig: Rig, count: int) -> None:
    def has_started() -> bool:
        return len(read_ledger(rig.ledger)) == count

    wait_until(has_started, at_most_s=20, what="the job has started")


def test_a_job_that_runs_too_long_is_stopped_twice_and_has_failed(rig: Rig) -> None:
    rig.start_worker()
    [job_id] = rig.submit({"job_type": "note", "payload": {"seconds": 10}, "timeout": 2})

    job = rig.job(job_id, wait_s=30)

    assert (job["state"], job["attempt"]) == ("failed", 2)
    assert job["error"]["type"] == "timeout"
    words = [entry.word for entry in read_ledger(rig.ledger)]
    assert words == ["start", "start"]
