"""Times and durations as they are written in answers."""

from datetime import UTC, datetime, timedelta


def written(moment: datetime | None) -> str | None:
    """Return an instant in UTC with `Z` and microseconds."""
    if moment is None:
        return None
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")


def seconds(length: timedelta) -> float:
    """Return a duration in seconds, whole where it is whole."""
    return plain(length.total_seconds())


def plain(number: float) -> float:
    """Return a number that is written without a fraction where it has none."""
    return int(number) if number.is_integer() else number
