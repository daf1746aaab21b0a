"""The broadcast of a scheduler that is alone with its store."""

import asyncio
from collections.abc import AsyncIterator

from application.requests import Notice


class NoBroadcast:
    """A `Broadcast` that nobody hears: there is no other scheduler."""

    def publish(self, notice: Notice) -> None:
        """Tell nobody."""

    async def notices(self) -> AsyncIterator[Notice]:
        """Wait for ever: nobody tells anything."""
        await asyncio.Event().wait()
        yield Notice()  # never reached; makes this an async generator
