"""One process of the household."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

QUICK_DEATH_S = 10
LONGEST_PAUSE_S = 10


class Child:
    """A `taskmill` command in a session of its own, so that a terminal's Ctrl-C spares it.

    Its standard input is a pipe that only this process holds open: however this process ends,
    the child reads the end of it and stops.
    """

    def __init__(self, *arguments: str, environment: Mapping[str, str]) -> None:
        self.name = arguments[0]
        self.environment = dict(environment)
        self.quick_deaths = 0
        self._arguments = [*arguments, "--stop-at-eof"]
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at_s = 0.0
        self._start_after_s = 0.0

    @property
    def is_running(self) -> bool:
        """Tell whether the process is there."""
        return self._process is not None and self._process.poll() is None

    @property
    def exit_code(self) -> int | None:
        """How the process ended, if it did; minus the signal's number if one ended it."""
        return None if self._process is None else self._process.poll()

    def start(self) -> None:
        """Start the process."""
        command: Sequence[str] = [sys.executable, "-m", "entrypoints", *self._arguments]
        self._started_at_s = time.monotonic()
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            command,
            stdin=subprocess.PIPE,
            env={**os.environ, **self.environment},
            start_new_session=True,
        )

    def note_death(self) -> float:
        """Return after how many seconds to start again: longer the more often it died quickly."""
        lived_s = time.monotonic() - self._started_at_s
        self.quick_deaths = self.quick_deaths + 1 if lived_s < QUICK_DEATH_S else 0
        pause_s = min(0.5 * 2.0**self.quick_deaths, LONGEST_PAUSE_S)
        self._start_after_s = time.monotonic() + pause_s
        self.kill()
        self._process = None
        return pause_s

    def start_when_due(self) -> None:
        """Start again once the pause is over."""
        if self._process is None and time.monotonic() >= self._start_after_s:
            self.start()

    def stop(self) -> None:
        """Ask the process to end."""
        if self.is_running and self._process is not None:
            self._process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the process, and what it started and left behind."""
        if self._process is None:
            return
        if self._process.poll() is None or not _exists(self._process.pid):
            # Otherwise the number belongs to somebody else by now, and nobody of ours is left.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
