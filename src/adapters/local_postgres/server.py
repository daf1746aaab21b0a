"""A PostgreSQL server of one's own: started on a directory, stopped, nothing left running."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

from adapters.local_postgres.account import account_for
from adapters.local_postgres.cluster import Cluster, last_line
from adapters.local_postgres.errors import LocalPostgresError
from adapters.local_postgres.postmaster import (
    PAUSE_S,
    PORT,
    Postmaster,
    left_running,
    read_postmaster,
)
from adapters.local_postgres.programs import Programs, from_wheel

START_PATIENCE = timedelta(minutes=3)  # recovery after a crash replays up to max_wal_size
STOP_PATIENCE = timedelta(seconds=5)

# For the machine of a developer. What makes a commit durable stays as PostgreSQL ships it.
SETTINGS: Mapping[str, str] = MappingProxyType(
    {
        "listen_addresses": "",
        "port": str(PORT),
        "max_connections": "200",
        "shared_buffers": "256MB",
        "max_wal_size": "2GB",
        "random_page_cost": "1.1",
        "jit": "off",
        "autovacuum_naptime": "10s",
        "log_checkpoints": "off",
        "timezone": "UTC",
        "log_timezone": "UTC",
    }
)


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
        self._server = left_running(path, START_PATIENCE) or self._launch(cluster)
        self._sockets = self._server.socket_directory
        return self._server.url

    def _launch(self, cluster: Cluster) -> Postmaster:
        self._sockets = cluster.socket_directory()
        where = {"unix_socket_directories": str(self._sockets)}
        self._process = cluster.launch({**self._settings, **where})
        return self._when_ready(cluster)

    def _when_ready(self, cluster: Cluster) -> Postmaster:
        assert self._process is not None  # noqa: S101 - launched just before
        until = time.monotonic() + START_PATIENCE.total_seconds()
        while time.monotonic() < until:
            if self._process.poll() is not None:
                why = last_line(cluster.log.read_text(errors="replace"))
                message = f"PostgreSQL did not start: {why} (more in {cluster.log})"
                raise LocalPostgresError(message)
            server = read_postmaster(cluster.path)
            if server is not None and server.pid == self._process.pid and server.answers():
                return server
            time.sleep(PAUSE_S)
        message = f"PostgreSQL was not ready within {START_PATIENCE}; it says why in {cluster.log}"
        raise LocalPostgresError(message)

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
