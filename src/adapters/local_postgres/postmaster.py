"""The running server as its own file `postmaster.pid` describes it."""

import os
import socket
import time
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

from adapters.local_postgres.errors import LocalPostgresError

PAUSE_S = 0.02
PORT = 5432
PID, _DATA, _STARTED, _PORT, SOCKET_DIRECTORY, _HOST, _MEMORY, STATUS = range(8)


@dataclass(frozen=True, slots=True)
class Postmaster:
    """One server process and where it listens."""

    pid: int
    socket_directory: Path
    ready: bool

    @property
    def url(self) -> str:
        """How to connect to it."""
        return f"postgresql://postgres@/postgres?host={quote(str(self.socket_directory))}"

    def alive(self) -> bool:
        """Tell whether that process is there and still a PostgreSQL: numbers are used again."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return False  # somebody else's process has taken the number
        if not Path("/proc/self/cmdline").exists():
            return True  # a system that does not show what its processes are
        try:
            return b"postgres" in Path(f"/proc/{self.pid}/cmdline").read_bytes()
        except OSError:
            return False

    def answers(self) -> bool:
        """Tell whether it takes connections."""
        if not self.ready:
            return False
        with socket.socket(socket.AF_UNIX) as client:
            address = self.socket_directory / f".s.PGSQL.{PORT}"
            return client.connect_ex(str(address)) == 0


def read_postmaster(cluster: Path) -> Postmaster | None:
    """Return who the data directory says is running on it, or None if it says nobody is."""
    try:
        lines = _pid_file(cluster).read_text().splitlines()
    except FileNotFoundError:
        return None
    if not lines:
        return None
    lines += [""] * (STATUS + 1 - len(lines))  # a server that starts has not written all yet
    ready = lines[STATUS].strip() == "ready"
    return Postmaster(int(lines[PID]), Path(lines[SOCKET_DIRECTORY]), ready)


def left_running(cluster: Path, patience: timedelta) -> Postmaster | None:
    """Return the server that a killed owner left on this data, once it answers, or None.

    One that is only starting or stopping is waited for: it will answer or be gone.
    """
    until = time.monotonic() + patience.total_seconds()
    while (server := read_postmaster(cluster)) is not None and server.alive():
        if server.answers():
            return server
        if time.monotonic() > until:
            message = f"A PostgreSQL (process {server.pid}) holds {cluster} and does not answer."
            raise LocalPostgresError(message)
        time.sleep(PAUSE_S)
    if server is not None and Path(f"/proc/{server.pid}").exists():
        # PostgreSQL itself forgets a number that is gone, but obeys one that is used again.
        _pid_file(cluster).unlink(missing_ok=True)
        (server.socket_directory / f".s.PGSQL.{PORT}.lock").unlink(missing_ok=True)
    return None


def _pid_file(cluster: Path) -> Path:
    return cluster / "postmaster.pid"
