"""An event loop whose clock moves only when everybody waits.

A minute of sleeping takes no time at all, and the same seed gives the same order of events,
so that a run which failed can be replayed exactly. Nothing in it may use threads or sockets.
"""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _JumpingSelector(selectors.SelectSelector):
    """Instead of waiting for a socket, moves the loop's clock to the next timer."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise DeadlockError
        self.now_s += max(timeout, 0.0)
        return super().select(0)


class DeadlockError(Exception):
    """Everybody waits, and for nothing that a clock could bring."""

    def __init__(self) -> None:
        super().__init__("everybody waits, and no timer is set")


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop that begins at 0 s and never sleeps."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Return the virtual seconds since the start."""
        return self._jumping.now_s


def run_virtually(main: Coroutine[Any, Any, T]) -> T:
    """Run to the end on a loop of virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)
