"""Which moves each state allows, and what they do."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from domain import moves
from domain.errors import IllegalMoveError
from domain.job import LEGAL_FROM, Job, JobId, JobState, Json, Move, Outcome
from domain.retry import RetryPolicy
from domain.transition import Transition
from tests.builders import BROKEN, IN_A_MINUTE, NOW, SECOND, a_job

LATER = NOW + timedelta(hours=1)

# What decides each move of a job; `SUCCEED` takes a lease and is checked by the fence alone.
DECIDE: Mapping[Move, Callable[[Job], Transition]] = {
    Move.BECOME_DUE: lambda job: moves.become_due(job, now=LATER),
    Move.CLAIM: lambda job: moves.claim(job, worker_id="ada", now=LATER),
    Move.FAIL: lambda job: moves.fail(job, failure=BROKEN, now=LATER),
    Move.EXPIRE: lambda job: moves.expire(job, now=LATER),
    Move.RELEASE: lambda job: moves.release(job, now=LATER),
    Move.CANCEL: lambda job: moves.cancel(job, now=LATER),
    Move.CONFIRM_CANCEL: lambda job: moves.confirm_cancel(job, now=LATER),
    Move.RETRY: lambda job: moves.retry(job, now=LATER),
}


def a_running_job(**changes: Any) -> Job:  # noqa: ANN401 - any field of a submission
    claimed = moves.claim(a_job(**changes), worker_id="ada", now=NOW).after
    assert isinstance(claimed, Job)
    return replace(claimed, id=JobId(7))


def after(move: Transition) -> Job:
    assert isinstance(move.after, Job)
    return move.after


def in_state(state: JobState) -> Job:
    running = a_running_job()
    if state is JobState.RUNNING:
        return running
    finished_at = NOW if state.is_final else None
    return replace(running, state=state, lease_expires_at=None, finished_at=finished_at)


@pytest.mark.parametrize("state", JobState)
@pytest.mark.parametrize("move", DECIDE)
def test_a_move_is_refused_unless_it_is_legal_from_the_state(move: Move, state: JobState) -> None:
    job = in_state(state)
    if state in LEGAL_FROM[move]:
        assert DECIDE[move](job).before is job
        return
    with pytest.raises(IllegalMoveError, match=f"cannot {move} job 7: it is {state}"):
        DECIDE[move](job)


@pytest.mark.parametrize("state", set(JobState) - LEGAL_FROM[Move.SUCCEED])
def test_a_success_does_not_apply_to_a_job_that_is_not_running(state: JobState) -> None:
    lease = a_running_job().lease
    assert lease is not None
    success = moves.succeed(lease, result=Json(b"1"), now=NOW)

    assert not success.still_applies_to(in_state(state))


@pytest.mark.parametrize("move", set(DECIDE) - {Move.CLAIM})
def test_no_move_but_a_claim_counts_an_attempt(move: Move) -> None:
    for state in LEGAL_FROM[move]:
        assert after(DECIDE[move](in_state(state))).attempt == 1


def test_a_claim_counts_an_attempt_and_forgets_how_the_last_one_ended() -> None:
    ended = replace(in_state(JobState.PENDING), outcome=Outcome.RELEASED, progress=0.5)

    claimed = after(moves.claim(ended, worker_id="bob", now=LATER))

    assert (claimed.attempt, claimed.worker_id, claimed.started_at) == (2, "bob", LATER)
    assert (claimed.outcome, claimed.progress) == (None, None)


def test_a_failure_with_attempts_left_waits_for_the_next() -> None:
    job = after(moves.fail(a_running_job(retry=IN_A_MINUTE), failure=BROKEN, now=NOW))

    assert (job.state, job.failures, job.error) == (JobState.SCHEDULED, 1, BROKEN)
    assert job.run_at == NOW + timedelta(minutes=1)


def test_a_failure_without_delay_is_pending_at_once() -> None:
    job = after(moves.fail(a_running_job(), failure=BROKEN, now=NOW))

    assert (job.state, job.finished_at) == (JobState.PENDING, None)


def test_the_last_failure_ends_the_job() -> None:
    job = after(moves.fail(a_running_job(max_attempts=1), failure=BROKEN, now=LATER))

    assert (job.state, job.finished_at, job.outcome) == (JobState.FAILED, LATER, Outcome.FAILED)


def test_a_failure_that_cannot_be_retried_ends_the_job_however_many_attempts_are_left() -> None:
    job = after(moves.fail(a_running_job(), failure=BROKEN, now=LATER, retryable=False))

    assert job.state is JobState.FAILED


def test_the_worker_s_own_wish_for_the_wait_wins_over_the_policy() -> None:
    wish = timedelta(seconds=5)
    job = a_running_job(retry=IN_A_MINUTE)

    assert after(moves.fail(job, failure=BROKEN, now=NOW, retry_after=wish)).run_at == NOW + wish


def test_a_release_counts_no_failure_and_keeps_the_place_in_line() -> None:
    running = a_running_job(priority=3)

    released = after(moves.release(running, now=LATER))

    assert (released.state, released.failures) == (JobState.PENDING, 0)
    assert (released.rank, released.run_at) == (running.rank, running.run_at)


def test_a_cancel_of_a_running_job_only_asks() -> None:
    running = a_running_job()

    asked = after(moves.cancel(running, now=LATER))

    assert asked == replace(running, cancel_requested=True)


@pytest.mark.parametrize("move", [Move.FAIL, Move.EXPIRE, Move.RELEASE])
def test_however_an_attempt_ends_a_job_asked_to_cancel_is_cancelled(move: Move) -> None:
    asked = replace(a_running_job(), cancel_requested=True)

    assert after(DECIDE[move](asked)).state is JobState.CANCELLED


def test_a_lease_that_is_still_held_cannot_expire() -> None:
    job = a_running_job()

    with pytest.raises(IllegalMoveError, match="still held"):
        moves.expire(job, now=NOW + timedelta(seconds=30) - timedelta(microseconds=1))


def test_an_attempt_that_used_up_its_time_ends_as_timeout_and_a_silent_one_as_worker_lost() -> None:
    within, past = a_running_job(timeout=60 * SECOND), a_running_job(timeout=20 * SECOND)

    assert after(moves.expire(within, now=NOW + 30 * SECOND)).outcome is Outcome.WORKER_LOST
    assert after(moves.expire(past, now=NOW + 20 * SECOND)).outcome is Outcome.TIMEOUT


def test_an_expiry_applies_only_while_the_lease_is_still_over() -> None:
    job = a_running_job(timeout=60 * SECOND)
    expiry = moves.expire(job, now=NOW + 30 * SECOND)
    renewed = moves.renew(job, now=NOW + 29 * SECOND, progress=None, length=30 * SECOND)

    assert expiry.still_applies_to(job)
    assert not expiry.still_applies_to(renewed)


def test_a_job_is_due_at_its_very_instant_and_not_before() -> None:
    job = a_job(delay=SECOND)

    assert after(moves.become_due(job, now=NOW + SECOND)).state is JobState.PENDING
    with pytest.raises(IllegalMoveError, match="due only at"):
        moves.become_due(job, now=NOW + SECOND - timedelta(microseconds=1))


def test_a_retry_by_hand_allows_as_many_failures_again() -> None:
    failed = after(moves.fail(a_running_job(max_attempts=1), failure=BROKEN, now=NOW))

    again = after(moves.retry(failed, now=LATER))

    assert (again.state, again.failures, again.may_retry) == (JobState.PENDING, 0, True)
    assert (again.finished_at, again.attempt) == (None, 1)


def test_no_policy_s_numbers_are_looked_at_before_the_move_is_legal() -> None:
    absurd = RetryPolicy(delay=timedelta(days=3650), factor=1e308)

    with pytest.raises(IllegalMoveError):
        moves.fail(a_job(retry=absurd), failure=BROKEN, now=NOW)


def test_storing_a_claim_gives_the_job_its_lease() -> None:
    job = a_job()
    claimed = moves.claim(job, worker_id="ada", now=NOW)

    assert claimed.applied_to(job) == claimed.after
