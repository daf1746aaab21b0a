"""Not outliving the process that one belongs to."""

import os
import signal
import sys
import time
from threading import Thread

GONE_WITHIN_S = 4


def stop_when_standard_input_ends() -> None:
    """Stop this process once its standard input is closed at the other end.

    The other end closes however the process that holds it dies. Nobody is left then to end
    what does not stop when asked to, so this process does it itself.
    """
    Thread(target=_watch, name="standard input", daemon=True).start()


def _watch() -> None:
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GONE_WITHIN_S)
    if os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)  # what it has started, too
    os.kill(os.getpid(), signal.SIGKILL)
