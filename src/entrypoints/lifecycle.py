"""From a container to a running scheduler or reaper, and back."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Protocol

from entrypoints.background import Loop, running
from entrypoints.container import Container


class Lifecycle(Protocol):
    """What a wiring does before its first call, meanwhile, and after its last."""

    async def check(self) -> None:
        """Raise what `open` would raise; needs nothing to be closed afterwards."""
        ...

    async def open(self) -> None:
        """Get ready."""
        ...

    def loops(self) -> Mapping[str, Callable[[], Awaitable[None]]]:
        """Return what must run all the while, by name."""
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...


@asynccontextmanager
async def opened(container: Container, loops: Mapping[str, Loop]) -> AsyncIterator[None]:
    """Keep the wiring open, and its own loops and these running."""
    lifecycle: Lifecycle = container.lifecycle()
    await lifecycle.open()
    try:
        async with running({**lifecycle.loops(), **loops}):
            yield
    finally:
        await lifecycle.close()


def scheduler_loops(container: Container) -> Mapping[str, Loop]:
    """Return the loops that a scheduler runs beside its requests."""
    loops: dict[str, Loop] = {
        "lookout": container.lookout().run,
        "relay": container.relay().run,
    }
    if container.settings().reaper:
        loops["reaper"] = container.reaper().run
    return loops
