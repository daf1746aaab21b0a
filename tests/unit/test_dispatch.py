"""In which order jobs are handed out, and to whom."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from domain.dispatch import (
    HIGHEST_PRIORITY,
    LOWEST_PRIORITY,
    Lane,
    claimable,
    order,
    rank,
)
from domain.job import Job, JobId
from domain.moves import waiting
from tests.builders import NOW, a_job, an_offer

priorities = st.integers(LOWEST_PRIORITY, HIGHEST_PRIORITY)
instants = st.datetimes(timezones=st.just(UTC))


@st.composite
def jobs(draw: st.DrawFn) -> Job:
    run_at = draw(instants | st.sampled_from([NOW, NOW + timedelta(microseconds=1)]))
    job = a_job(priority=draw(priorities), run_at=run_at)
    return waiting(job, until=run_at, now=NOW)


@given(one=jobs(), two=jobs())
def test_rank_orders_as_priority_then_due_time_then_id(one: Job, two: Job) -> None:
    by_rule = [(-job.priority, job.run_at, job.id) for job in (one, two)]

    assert (order(one) < order(two)) == (by_rule[0] < by_rule[1])


@given(priority=priorities, run_at=instants)
def test_every_rank_fits_a_signed_64_bit_column(priority: int, run_at: datetime) -> None:
    assert -(2**63) <= rank(priority=priority, run_at=run_at) < 2**63


def test_the_lower_id_goes_first_among_equals() -> None:
    first, second = (_with_id(n) for n in (1, 2))

    assert order(first) < order(second)


def test_an_offer_without_queues_covers_every_queue_of_its_types() -> None:
    assert an_offer("print").covers(Lane("anything", "print"))
    assert not an_offer("print").covers(Lane("anything", "sleep"))


def test_an_offer_with_queues_covers_no_other() -> None:
    offer = an_offer("print", queues=frozenset({"fast"}))

    assert offer.covers(Lane("fast", "print"))
    assert not offer.covers(Lane("slow", "print"))


def test_a_job_that_is_not_due_yet_is_not_claimable() -> None:
    assert claimable(a_job(), an_offer())
    assert not claimable(a_job(delay=timedelta(seconds=1)), an_offer())


def _with_id(number: int) -> Job:
    return replace(a_job(), id=JobId(number))
