"""Signs of life, from a thread that no strategy can keep waiting."""

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Condition, Thread

from application.requests import Beat, Renewal
from application.worker.attempt import LeaseStopped, Stop
from application.worker.contact import CallError, Contact, pause_s
from application.worker.ports import (
    Assignment,
    HeartbeatGateway,
    SchedulerRefusedError,
    SchedulerUnavailableError,
)
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


class Heartbeats:
    """Keeps leases alive from a thread of its own.

    Each heartbeat names all leases held, because the scheduler takes back those it does not
    hear of. `stopped` is called in the thread.
    """

    def __init__(
        self, worker_id: str, gateway: HeartbeatGateway, *, contact: Contact, stopped: LeaseStopped
    ) -> None:
        self._worker_id = worker_id
        self._gateway = gateway
        self._contact = contact
        self._stopped = stopped
        self._held: dict[Lease, Held] = {}
        self._changed = Condition()
        self._closed = False
        self._failures = 0
        self._not_before_s = 0.0
        self._asleep_until_s = math.inf
        self._thread = Thread(target=self._run, name="heartbeats", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Let the thread end; a heartbeat under way is not waited for."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def hold(self, assignment: Assignment, progress: Callable[[], float | None]) -> None:
        """Keep a lease alive from now on."""
        every_s = period_s(assignment)
        held = Held(progress, every_s, time.monotonic() + every_s)
        with self._changed:
            self._held[assignment.lease] = held
            # Woken for every job, the thread would take its time from the event loop's.
            if held.due_s < self._asleep_until_s:
                self._changed.notify()

    def let_go(self, leases: Iterable[Lease]) -> None:
        """Speak no more of these leases."""
        with self._changed:
            for lease in leases:
                self._held.pop(lease, None)

    def _run(self) -> None:
        while self._is_due():
            beats = self._beats()
            sent_s = time.monotonic()
            try:
                renewed = self._gateway.heartbeat(self._worker_id, beats)
            except (SchedulerUnavailableError, SchedulerRefusedError) as error:
                self._note_failure(error)
            except Exception as error:  # noqa: BLE001 - without this thread all leases run out
                self._note_failure(SchedulerUnavailableError(repr(error)))
            else:
                self._note(beats, renewed, sent_s)

    def _is_due(self) -> bool:
        with self._changed:
            while not self._closed:
                due_s = min((held.due_s for held in self._held.values()), default=math.inf)
                self._asleep_until_s = max(due_s, self._not_before_s)
                rest_s = self._asleep_until_s - time.monotonic()
                if rest_s <= 0:
                    return True
                self._changed.wait(None if math.isinf(rest_s) else rest_s)
            return False

    def _beats(self) -> Sequence[Beat]:
        with self._changed:
            held = list(self._held.items())
        return [Beat(lease=lease, progress=kept.progress()) for lease, kept in held]

    def _note(self, beats: Sequence[Beat], renewed: Mapping[Lease, Renewal], sent_s: float) -> None:
        self._contact.made("heartbeat")
        self._failures = 0
        with self._changed:
            for held in self._held.values():
                held.due_s = max(held.due_s, sent_s + held.every_s)
        lost = [beat.lease for beat in beats if beat.lease not in renewed]
        self.let_go(lost)
        for lease in lost:
            self._stopped(lease, Stop.LOST)
        for lease, renewal in renewed.items():
            if renewal.cancel_requested:
                self._stopped(lease, Stop.CANCELLED)

    def _note_failure(self, error: CallError) -> None:
        self._contact.lost("heartbeat", error)
        self._failures += 1
        with self._changed:
            shortest_s = min((held.every_s for held in self._held.values()), default=0.0)
        wait_s = max(pause_s(self._failures, roll=self._contact.roll()), SHORTEST_PERIOD_S)
        self._not_before_s = time.monotonic() + min(wait_s, max(shortest_s, SHORTEST_PERIOD_S))


def period_s(assignment: Assignment) -> float:
    """Return how often a lease is renewed, in seconds."""
    length = min(assignment.timeout, assignment.lease_length, LEASE_LENGTH)
    return max(length.total_seconds() / BEATS_PER_LEASE, SHORTEST_PERIOD_S)
