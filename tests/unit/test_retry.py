"""How long a failed job waits."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.retry import LONGEST_WAIT, RetryPolicy

waits = st.timedeltas(timedelta(0), LONGEST_WAIT)
shares = st.floats(min_value=0, allow_nan=False, allow_infinity=False)
rolls = st.floats(0, 1)


@given(
    policy=st.builds(RetryPolicy, delay=waits, factor=shares, max_delay=waits, jitter=shares),
    failures=st.integers(1, 1000),
    roll=rolls,
)
def test_every_wait_lies_between_nothing_and_ten_years(
    policy: RetryPolicy, failures: int, roll: float
) -> None:
    assert timedelta(0) <= policy.wait_after(failures, roll=roll) <= LONGEST_WAIT


@given(
    policy=st.builds(RetryPolicy, delay=waits, factor=shares, max_delay=waits),
    failures=st.integers(1, 1000),
)
def test_without_jitter_no_wait_is_longer_than_the_longest_allowed(
    policy: RetryPolicy, failures: int
) -> None:
    assert policy.wait_after(failures, roll=1) <= policy.max_delay


@pytest.mark.parametrize(("failures", "wait_s"), [(1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (9, 10)])
def test_each_wait_is_the_last_times_the_factor_up_to_the_ceiling(
    failures: int, wait_s: int
) -> None:
    policy = RetryPolicy(delay=timedelta(seconds=1), max_delay=timedelta(seconds=10))

    assert policy.wait_after(failures) == timedelta(seconds=wait_s)


def test_jitter_adds_up_to_its_share_of_the_wait() -> None:
    policy = RetryPolicy(delay=timedelta(seconds=10), jitter=0.5)

    assert policy.wait_after(1, roll=0) == timedelta(seconds=10)
    assert policy.wait_after(1, roll=1) == timedelta(seconds=15)


def test_the_default_retries_at_once() -> None:
    assert RetryPolicy().wait_after(1, roll=1) == timedelta(0)
