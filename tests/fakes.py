"""Stand-ins for what a test must hold in its own hands."""

from datetime import datetime, timedelta

from tests.builders import NOW


class FakeClock:
    """A `Clock` that moves only when told to."""

    def __init__(self, now: datetime = NOW) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def advance(self, by: timedelta) -> datetime:
        """Move on, and return the new time."""
        self._now += by
        return self._now
