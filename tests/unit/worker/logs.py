"""Logs to look at."""

from collections.abc import Iterable

from domain.events import Event


class SilentEventLog:
    """An `EventLog` that forgets."""

    def record(self, events: Iterable[Event]) -> None:
        """Go through the events as any log does."""
        for _ in events:
            pass


class KeptLog:
    """A worker's `Log` that keeps what it is told."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def info(self, event: str, **_facts: object) -> None:
        """Keep the event."""
        self.events.append(event)

    def warning(self, event: str, **_facts: object) -> None:
        """Keep the event."""
        self.events.append(event)
