"""Signs of life, from a thread that no strategy can keep waiting."""

import math
import time
from collections.abc import Callable, Iterable, Sequence
from threading import Condition, Thread
from typing import Protocol

from application.requests import Beat
from application.worker.contact import CallError
from application.worker.ports import (
    Assignment,
    HeartbeatGateway,
    SchedulerRefusedError,
    SchedulerUnavailableError,
)
from application.worker.pulse import Pulse
from domain.job import Lease


class Heart(Protocol):
    """What sends the heartbeats that a pulse decides on."""

    def start(self) -> None:
        """Begin to send."""
        ...

    def close(self) -> None:
        """Send no more."""
        ...

    def hold(self, assignment: Assignment, progress: Callable[[], float | None]) -> None:
        """Keep a lease alive from now on."""
        ...

    def let_go(self, leases: Iterable[Lease]) -> None:
        """Speak no more of these leases."""
        ...


class Heartbeats:
    """A `Heart` that beats in a thread of its own, where the pulse's `stopped` is called too."""

    def __init__(self, pulse: Pulse, gateway: HeartbeatGateway) -> None:
        self._pulse = pulse
        self._gateway = gateway
        self._changed = Condition()
        self._closed = False
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
        with self._changed:
            due_s = self._pulse.hold(assignment, progress, now_s=time.monotonic())
            # Woken for every job, the thread would take its time from the event loop's.
            if due_s < self._asleep_until_s:
                self._changed.notify()

    def let_go(self, leases: Iterable[Lease]) -> None:
        """Speak no more of these leases."""
        with self._changed:
            self._pulse.let_go(leases)

    def _run(self) -> None:
        while self._is_due():
            with self._changed:
                beats = self._pulse.beats()
            try:
                self._beat(beats)
            except (SchedulerUnavailableError, SchedulerRefusedError) as error:
                self._note_failure(error)
            except Exception as error:  # noqa: BLE001 - without this thread all leases run out
                self._note_failure(SchedulerUnavailableError(repr(error)))

    def _is_due(self) -> bool:
        with self._changed:
            while not self._closed:
                self._asleep_until_s = self._pulse.due_s()
                rest_s = self._asleep_until_s - time.monotonic()
                if rest_s <= 0:
                    return True
                self._changed.wait(None if math.isinf(rest_s) else rest_s)
            return False

    def _beat(self, beats: Sequence[Beat]) -> None:
        sent_s = time.monotonic()
        renewed = self._gateway.heartbeat(self._pulse.worker_id, beats)
        with self._changed:
            stops = self._pulse.answered(beats, renewed, sent_s=sent_s)
        self._pulse.tell(stops)

    def _note_failure(self, error: CallError) -> None:
        self._pulse.tell_failure(error)
        with self._changed:
            self._pulse.failed(now_s=time.monotonic())
