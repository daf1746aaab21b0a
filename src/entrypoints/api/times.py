"""Times and durations as they are written in answers."""

from datetime import UTC, datetime, timedelta


def written(moment: datetime | None) -> str | None:
    """Return an instant in UTC with `Z` and microseconds."""
    if moment is None:
        return None
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")


def seconds(length: timedelta) -> float:
    """Return a duration in seconds, whole where it is whole."""
    total = length.total_seconds()
    return int(total) if total.is_integer() else total
