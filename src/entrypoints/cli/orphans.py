"""Not outliving the process that one belongs to."""

import os
import signal
import sys
from threading import Thread


def stop_when_standard_input_ends() -> None:
    """Send SIGTERM to this process once its standard input is closed at the other end.

    The other end closes however the process that holds it dies.
    """
    Thread(target=_watch, name="standard input", daemon=True).start()


def _watch() -> None:
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
