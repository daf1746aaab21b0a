"""How much of a wait is left."""

import asyncio
from datetime import timedelta


class Patience:
    """A wait of a given length that began when this was made.

    It runs on the event loop's own clock: waiting has nothing to do with the time of day.
    """

    def __init__(self, length: timedelta) -> None:
        """Begin to wait."""
        self._until_s = asyncio.get_running_loop().time() + length.total_seconds()

    @property
    def left(self) -> timedelta:
        """The rest of the wait; zero once it is over."""
        rest_s = self._until_s - asyncio.get_running_loop().time()
        return timedelta(seconds=max(rest_s, 0.0))

    @property
    def is_over(self) -> bool:
        """Tell whether the wait is over."""
        return not self.left
