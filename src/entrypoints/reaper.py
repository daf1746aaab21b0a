"""The reaper alone, as a process of its own."""

import asyncio
import signal

import structlog

from entrypoints.container import Container
from entrypoints.lifecycle import opened
from entrypoints.settings import Settings


async def reap(settings: Settings) -> None:
    """Rescue and wake jobs until told to stop."""
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    container = Container(settings=settings)
    async with opened(container, {"reaper": container.reaper().run}):
        structlog.get_logger("taskmill").info("reaper started")
        await stopped.wait()
