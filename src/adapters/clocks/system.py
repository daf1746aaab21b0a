"""The clock of this computer, good enough where nobody else must agree with it."""

from datetime import UTC, datetime


class SystemClock:
    """A `Clock` that reads the operating system's time."""

    def now(self) -> datetime:
        """Return the time now, in UTC."""
        return datetime.now(UTC)
