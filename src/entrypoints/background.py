"""Loops beside the requests, none of which may ever end by accident."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta

import structlog

from application.ports import StoreUnavailableError

SHORTEST_PAUSE = timedelta(milliseconds=500)
LONGEST_PAUSE = timedelta(seconds=5)
CANCEL_AGAIN_AFTER = timedelta(seconds=1)

Loop = Callable[[], Awaitable[None]]


@asynccontextmanager
async def running(loops: Mapping[str, Loop]) -> AsyncIterator[None]:
    """Run loops, each supervised, for as long as the context is open."""
    tasks = [asyncio.create_task(supervise(name, loop), name=name) for name, loop in loops.items()]
    try:
        yield
    finally:
        await end(tasks)


async def end(tasks: Collection["asyncio.Task[None]"]) -> None:
    """Cancel tasks until they have ended.

    Once is not always enough: a library that catches the cancel, as `asyncio.wait_for` could
    before Python 3.12, would leave us waiting for ever.
    """
    alive = set(tasks)
    while alive:
        for task in alive:
            task.cancel()
        _, alive = await asyncio.wait(alive, timeout=CANCEL_AGAIN_AFTER.total_seconds())


async def supervise(name: str, loop: Loop) -> None:
    """Start a loop again whenever it ends, after a pause that grows while it keeps failing.

    One line tells that it failed, and one that it runs again; a store that is away is the
    common case and no reason for a traceback.
    """
    log = structlog.get_logger("taskmill").bind(loop=name)
    pause = SHORTEST_PAUSE
    last: type[BaseException] | None = None
    while True:
        started_s = asyncio.get_running_loop().time()
        try:
            await loop()
        except Exception as error:  # noqa: BLE001 - whatever happened, the loop must go on
            if asyncio.get_running_loop().time() - started_s > LONGEST_PAUSE.total_seconds():
                pause, last = SHORTEST_PAUSE, None
            if type(error) is not last:
                _tell(log, error)
            last = type(error)
        await asyncio.sleep(pause.total_seconds() * random.uniform(0.5, 1))  # noqa: S311 - jitter
        pause = min(pause * 2, LONGEST_PAUSE)


def _tell(log: structlog.typing.FilteringBoundLogger, error: Exception) -> None:
    if isinstance(error, StoreUnavailableError):
        log.warning("the store is away; trying again", error=str(error))
    else:
        log.error("a loop failed; starting it again", exc_info=error)
