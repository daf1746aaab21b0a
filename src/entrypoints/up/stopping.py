"""Being asked to stop, at any time: also while something runs that nobody can interrupt."""

import math
import signal
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from typing import TypeVar

from entrypoints.up.errors import StoppedError

LOOK_EVERY_S = 0.05

Answer = TypeVar("Answer")


class StopRequests:
    """How often this process was asked to stop. From the second time on there is a hurry."""

    def __init__(self) -> None:
        self.count = 0
        self.hurried_at_s = math.inf

    def listen(self) -> None:
        """Take signals as requests; a terminal that goes away sends one, too."""
        signal.signal(signal.SIGINT, self._note)
        signal.signal(signal.SIGTERM, self._note)
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as `nohup` wants it
            signal.signal(signal.SIGHUP, self._note)

    def check(self) -> None:
        """Raise `StoppedError` if there was a request."""
        if self.count:
            raise StoppedError

    def await_(self, future: "Future[Answer]") -> Answer:
        """Return the result once it is there; `StoppedError` at the first request before that."""
        while not future.done():
            self.check()
            wait([future], timeout=LOOK_EVERY_S)
        return future.result()

    def _note(self, *_: object) -> None:
        self.count += 1
        if self.count == 2:  # noqa: PLR2004 - a second time is what a hurry is
            self.hurried_at_s = time.monotonic()


def beside(step: Callable[[], Answer]) -> "Future[Answer]":
    """Run a step in a thread that does not keep this process from ending."""
    future: Future[Answer] = Future()
    Thread(target=_fulfil, args=(future, step), daemon=True).start()
    return future


def _fulfil(future: "Future[Answer]", step: Callable[[], Answer]) -> None:
    try:
        future.set_result(step())
    except BaseException as error:  # noqa: BLE001 - whatever it is, the one who waits gets it
        future.set_exception(error)
