"""When an attempt must have ended, and how long a lease lasts without a heartbeat."""

from datetime import datetime, timedelta

LEASE_LENGTH = timedelta(seconds=30)
"""A lease lasts this long from the claim and from each heartbeat, unless told otherwise."""


def attempt_deadline(*, started_at: datetime, timeout: timedelta) -> datetime:
    """Return the instant at which an attempt has used up its time."""
    return started_at + timeout


def lease_until(
    *,
    started_at: datetime,
    timeout: timedelta,
    now: datetime,
    length: timedelta = LEASE_LENGTH,
) -> datetime:
    """Return when a lease given or renewed at `now` runs out.

    min(timeout, length) from now, and never past the attempt's own deadline.
    """
    return min(
        now + min(timeout, length),
        attempt_deadline(started_at=started_at, timeout=timeout),
    )


def has_run_out(expires_at: datetime, *, now: datetime) -> bool:
    """Tell whether a lease is over: it holds up to, and not at, its last instant."""
    return expires_at <= now
