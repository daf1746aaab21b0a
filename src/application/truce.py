"""Giving workers time to be heard again after an outage.

While the store or all schedulers were away, no worker could send a heartbeat, however well it
was. Its lease has run out all the same. Taking everything back at once would run every job in
the system a second time, so the reaper first leaves workers the length of a lease to call.
"""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from domain.deadline import LEASE_LENGTH


@dataclass(slots=True, kw_only=True)
class Truce:
    """Knows when the store last answered, and until when no lease is to be taken back.

    Silence is measured on the event loop's clock: the store's own was not to be had.
    """

    lease_length: timedelta = LEASE_LENGTH
    _answered_at_s: float | None = field(default=None, init=False)
    _until_s: float = field(default=0.0, init=False)

    @property
    def holds(self) -> bool:
        """Tell whether leases that have run out are to be left alone."""
        return _time_s() < self._until_s

    def declare(self) -> None:
        """Leave all leases alone for the length of one from now."""
        self._until_s = _time_s() + self.lease_length.total_seconds()

    def store_answered(self) -> None:
        """Note that the store is there; after a silence longer than a lease, declare a truce."""
        now_s, before_s = _time_s(), self._answered_at_s
        if before_s is not None and now_s - before_s > self.lease_length.total_seconds():
            self.declare()
        self._answered_at_s = now_s

    def workers_were_heard(self, last: datetime | None, *, now: datetime) -> None:
        """At the start of a scheduler: if no worker was heard for a lease, declare a truce.

        All of them silent at once means that nobody was there to hear them.
        """
        if last is not None and now - last > self.lease_length:
            self.declare()


def _time_s() -> float:
    return asyncio.get_running_loop().time()
