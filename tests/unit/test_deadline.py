"""How long a lease holds."""

from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from domain.deadline import LEASE_LENGTH, attempt_deadline, has_run_out, lease_until
from tests.builders import NOW, SECOND

lengths = st.timedeltas(timedelta(microseconds=1), timedelta(days=7))
moments = st.datetimes(datetime(2020, 1, 1), datetime(2100, 1, 1)).map(  # noqa: DTZ001 - given UTC
    lambda naive: naive.replace(tzinfo=NOW.tzinfo)
)


@given(started_at=moments, timeout=lengths, since=lengths)
def test_a_lease_never_outlives_its_attempt(
    started_at: datetime, timeout: timedelta, since: timedelta
) -> None:
    until = lease_until(started_at=started_at, timeout=timeout, now=started_at + since)

    assert until <= attempt_deadline(started_at=started_at, timeout=timeout)


@given(started_at=moments, timeout=lengths, length=lengths)
def test_a_lease_lasts_the_shorter_of_timeout_and_length(
    started_at: datetime, timeout: timedelta, length: timedelta
) -> None:
    until = lease_until(started_at=started_at, timeout=timeout, now=started_at, length=length)

    assert until - started_at == min(timeout, length)


def test_a_heartbeat_in_time_gives_thirty_seconds_more() -> None:
    at = NOW + 10 * SECOND
    until = lease_until(started_at=NOW, timeout=timedelta(hours=1), now=at)

    assert until == at + LEASE_LENGTH


def test_a_lease_holds_up_to_and_not_at_its_last_instant() -> None:
    assert not has_run_out(NOW, now=NOW - timedelta(microseconds=1))
    assert has_run_out(NOW, now=NOW)
