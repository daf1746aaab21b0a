"""Which leases a worker must renew, when next, and what the answers mean for them.

It decides and does not act: whoever drives it tells it the time and keeps its calls apart.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from application.requests import Beat, Renewal
from application.worker.attempt import LeaseStopped, Stop
from application.worker.contact import CallError, Contact, pause_s
from application.worker.ports import Assignment
from domain.deadline import LEASE_LENGTH
from domain.job import Lease

BEATS_PER_LEASE = 3
"""Two heartbeats in a row may fail without the lease running out."""

SHORTEST_PERIOD_S = 0.05


@dataclass(slots=True)
class Held:
    """A lease to be kept alive."""

    progress: Callable[[], float | None]
    every_s: float
    due_s: float


@dataclass(slots=True, kw_only=True)
class Pulse:
    """The leases held, and when they are to be renewed. All times are those of one clock.

    Each heartbeat names all leases held, because the scheduler takes back those it does not
    hear of. `stopped` hears which attempts must stop.
    """

    worker_id: str
    contact: Contact
    stopped: LeaseStopped
    _held: dict[Lease, Held] = field(default_factory=dict)
    _failures: int = 0
    _not_before_s: float = 0.0

    def hold(
        self, assignment: Assignment, progress: Callable[[], float | None], *, now_s: float
    ) -> float:
        """Keep a lease alive from now on; return when it is to be renewed."""
        every_s = period_s(assignment)
        held = Held(progress, every_s, now_s + every_s)
        self._held[assignment.lease] = held
        return held.due_s

    def let_go(self, leases: Iterable[Lease]) -> None:
        """Speak no more of these leases."""
        for lease in leases:
            self._held.pop(lease, None)

    def due_s(self) -> float:
        """Return when the next heartbeat is due; infinity while nothing is held."""
        due_s = min((held.due_s for held in self._held.values()), default=math.inf)
        return max(due_s, self._not_before_s)

    def beats(self) -> Sequence[Beat]:
        """Return the heartbeat to be sent now."""
        held = list(self._held.items())
        return [Beat(lease=lease, progress=kept.progress()) for lease, kept in held]

    def answered(
        self, beats: Sequence[Beat], renewed: Mapping[Lease, Renewal], *, sent_s: float
    ) -> Sequence[tuple[Lease, Stop]]:
        """Note an answer; return which attempts must stop, and why."""
        self._failures = 0
        for held in self._held.values():
            held.due_s = max(held.due_s, sent_s + held.every_s)
        lost = [beat.lease for beat in beats if beat.lease not in renewed]
        self.let_go(lost)
        called_off = [lease for lease, renewal in renewed.items() if renewal.cancel_requested]
        return [
            *((lease, Stop.LOST) for lease in lost),
            *((lease, Stop.CANCELLED) for lease in called_off),
        ]

    def failed(self, *, now_s: float) -> None:
        """Note that no answer came: the next heartbeat is due after a pause."""
        self._failures += 1
        shortest_s = min((held.every_s for held in self._held.values()), default=0.0)
        wait_s = max(pause_s(self._failures, roll=self.contact.roll()), SHORTEST_PERIOD_S)
        self._not_before_s = now_s + min(wait_s, max(shortest_s, SHORTEST_PERIOD_S))

    def tell_failure(self, error: CallError) -> None:
        """Say that the scheduler did not answer."""
        self.contact.lost("heartbeat", error)

    def tell(self, stops: Iterable[tuple[Lease, Stop]]) -> None:
        """Say that the scheduler has answered, and stop what must stop."""
        self.contact.made("heartbeat")
        for lease, why in stops:
            self.stopped(lease, why)


def period_s(assignment: Assignment) -> float:
    """Return how often a lease is renewed, in seconds."""
    length = min(assignment.timeout, assignment.lease_length, LEASE_LENGTH)
    return max(length.total_seconds() / BEATS_PER_LEASE, SHORTEST_PERIOD_S)
