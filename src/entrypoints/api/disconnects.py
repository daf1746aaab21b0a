"""Noticing that a client has gone while its request waits."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from entrypoints.api.bodies import AnyRequest
from entrypoints.api.problems import ClientGoneError

T = TypeVar("T")


async def while_connected(request: AnyRequest, work: Coroutine[Any, Any, T]) -> T:
    """Return what the work returns; cancel it as soon as the client hangs up.

    The body must have been read: what is received after it is the end of the connection.
    """
    working = asyncio.create_task(work)
    gone = asyncio.create_task(_hang_up(request))
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientGoneError
        return working.result()
    finally:
        for task in (working, gone):
            task.cancel()
        await asyncio.wait({working, gone})


async def _hang_up(request: AnyRequest) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
