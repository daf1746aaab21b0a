"""A PostgreSQL server of one's own: started on a directory, stopped, nothing left running."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

from adapters.local_postgres.account import account_for
from adapters.local_postgres.cluster import Cluster
from adapters.local_postgres.errors import LocalPostgresError
from adapters.local_postgres.postmaster import (
    PAUSE_S,
    Postmaster,
    left_running,
    read_postmaster,
)
from adapters.local_postgres.programs import Programs, from_wheel
from adapters.local_postgres.tuning import SETTINGS

START_PATIENCE = timedelta(minutes=3)  # recovery after a crash replays up to max_wal_size
STOP_PATIENCE = timedelta(seconds=5)
ORPHAN_PAUSE_S = 0.25


class LocalPostgres:
    """One local server, a context manager: leaving it stops the server.

    Meant for one owner a directory. A server that a killed owner left running is adopted, with
    the settings it has, and stopped with the others.
    """

    def __init__(
        self, programs: Programs | None = None, settings: Mapping[str, str] = SETTINGS
    ) -> None:
        self._programs = programs
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._server: Postmaster | None = None
        self._sockets: Path | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self, data: Path) -> str:
        """Serve the data in `<data>/postgres`, made if missing, and return its database URL.

        Raises:
            LocalPostgresError: it cannot be served; nothing is left running.
        """
        try:
            return self._start(data.absolute() / "postgres")
        except OSError as error:
            self.stop()
            message = f"PostgreSQL cannot use {data}: {error.strerror} ({error.filename})."
            raise LocalPostgresError(message) from error
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop the server; clients are disconnected, and what they committed is kept."""
        if self._process is None and self._server is None:
            return
        # Fast, then immediate (which the next start recovers from), then whatever helps.
        for how in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
            if self._gone_after(how):
                break
        if self._sockets is not None:
            with contextlib.suppress(OSError):  # not empty: it is the data directory itself
                self._sockets.rmdir()
        self._process = self._server = self._sockets = None

    def _start(self, path: Path) -> str:
        programs = self._programs or from_wheel()
        cluster = Cluster(path, programs, account_for(path))
        cluster.ensure()
        self._bury(path)
        self._server = left_running(path, START_PATIENCE) or self._launch(cluster)
        self._sockets = self._server.socket_directory
        return self._server.url

    def _launch(self, cluster: Cluster) -> Postmaster:
        self._sockets = cluster.socket_directory()
        settings = {**self._settings, "unix_socket_directories": str(self._sockets)}
        until = time.monotonic() + START_PATIENCE.total_seconds()
        while time.monotonic() < until:
            self._process = cluster.launch(settings)
            server = self._when_ready(cluster, self._process, until)
            if server is not None:
                return server
            if not cluster.held_by_orphans():
                message = f"PostgreSQL did not start: {cluster.complaint()}"
                raise LocalPostgresError(message)
            time.sleep(ORPHAN_PAUSE_S)
        message = f"PostgreSQL was not ready within {START_PATIENCE}: {cluster.complaint()}"
        raise LocalPostgresError(message)

    @staticmethod
    def _when_ready(
        cluster: Cluster, process: subprocess.Popen[bytes], until: float
    ) -> Postmaster | None:
        """Return the server once it answers, or None if it ended or the time is up."""
        while process.poll() is None and time.monotonic() < until:
            server = read_postmaster(cluster.path)
            if server is not None and server.pid == process.pid and server.answers():
                return server
            time.sleep(PAUSE_S)
        return None

    def _bury(self, path: Path) -> None:
        """Wait for a child that was killed: until then its number counts as one in use."""
        server = read_postmaster(path)
        if self._process is not None and not (server is not None and server.alive()):
            self._process.wait()

    def _gone_after(self, how: signal.Signals) -> bool:
        """Send a signal and tell whether the server ended in time."""
        until = time.monotonic() + STOP_PATIENCE.total_seconds()
        self._send(how)
        while self._running():
            if time.monotonic() > until:
                return False
            time.sleep(PAUSE_S)
        return True

    def _send(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
        elif self._server is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._server.pid, how)

    def _running(self) -> bool:
        if self._process is not None:
            return self._process.poll() is None
        return self._server is not None and self._server.alive()
