"""A PostgreSQL that the household starts, and starts again should it die."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import structlog

from adapters.local_postgres.errors import LocalPostgresError
from adapters.local_postgres.postmaster import read_postmaster
from adapters.local_postgres.server import LocalPostgres
from entrypoints.up.errors import StoppedError, UpError
from entrypoints.up.stopping import LOOK_EVERY_S, StopRequests, beside

CHECK_EVERY_S = 1.0
START_ENDS_WITHIN_S = 5.0


class OwnPostgres:
    """A server on `<data>/postgres`; `url` is where it is."""

    def __init__(self, server: LocalPostgres, data: Path, requests: StopRequests) -> None:
        self.url = ""
        self._server = server
        self._data = data
        self._requests = requests
        self._checked_at_s = 0.0

    def start(self) -> None:
        """Start the server: a recovery may take minutes, but a request to stop is heard."""
        started = beside(lambda: self._server.start(self._data))
        try:
            self.url = self._requests.await_(started)
        except LocalPostgresError as error:
            raise UpError(str(error)) from None
        except StoppedError:
            until_s = time.monotonic() + START_ENDS_WITHIN_S
            while not started.done() and time.monotonic() < until_s:
                self._interrupt()
                time.sleep(LOOK_EVERY_S)
            raise

    def mend(self) -> None:
        """Start the server again if it is gone."""
        if time.monotonic() < self._checked_at_s + CHECK_EVERY_S:
            return
        server = read_postmaster(self._data / "postgres")
        if server is None or not server.alive():
            structlog.get_logger("taskmill").warning("PostgreSQL has ended; starting it again")
            self.start()
        self._checked_at_s = time.monotonic()

    def _interrupt(self) -> None:
        server = read_postmaster(self._data / "postgres")
        if server is not None and server.alive():
            with suppress(ProcessLookupError):
                os.kill(server.pid, signal.SIGINT)
