"""The header with which a server says when to come back (RFC 9110, 10.2.3)."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after_s(header: str | None, *, now: datetime) -> float | None:
    """Return the wait in seconds; None where there is no header, or none that makes sense."""
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header.strip()[:12])
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max((aware - now).total_seconds(), 0.0)
