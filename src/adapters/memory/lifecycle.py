"""Memory needs no opening and no closing."""

from collections.abc import Awaitable, Callable, Mapping


class MemoryLifecycle:
    """Does nothing, where other wirings connect and disconnect."""

    async def check(self) -> None:
        """Nothing can be in the way."""

    async def open(self) -> None:
        """Memory is there."""

    def loops(self) -> Mapping[str, Callable[[], Awaitable[None]]]:
        """Nothing has to be kept going."""
        return {}

    async def close(self) -> None:
        """Memory goes with the process."""
