"""The scheduler as a process that serves HTTP."""

import asyncio
from socket import socket
from types import FrameType

import structlog
import uvicorn

from application.waiting_room import WaitingRoom
from entrypoints.api.app import create_app
from entrypoints.container import Container
from entrypoints.settings import Settings

FINISH_WITHIN_S = 5


class _Server(uvicorn.Server):
    """Sends waiting requests away when told to stop, instead of waiting with them."""

    def __init__(self, config: uvicorn.Config, room: WaitingRoom) -> None:
        super().__init__(config)
        self._room = room
        self._loop: asyncio.AbstractEventLoop | None = None

    async def serve(self, sockets: list[socket] | None = None) -> None:
        """Serve until told to stop."""
        self._loop = asyncio.get_running_loop()
        await super().serve(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop; between two turns of the loop, since a signal may come at any point."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._room.close)
        super().handle_exit(sig, frame)


def serve(settings: Settings) -> None:
    """Serve until SIGINT or SIGTERM.

    Raises:
        WrongSchemaError: the database has another schema version.
        StoreUnavailableError: the database cannot be reached.
    """
    container = Container(settings=settings)
    # What stands in the way is told in one line here; inside of the server it would be a
    # traceback.
    asyncio.run(container.lifecycle().check())
    config = uvicorn.Config(
        create_app(container),
        host=settings.host,
        port=settings.port,
        http="httptools",
        access_log=False,
        log_config=None,
        lifespan="on",
        server_header=False,
        timeout_graceful_shutdown=FINISH_WITHIN_S,
    )
    structlog.get_logger("taskmill").info(
        "scheduler starting", url=f"http://{settings.host}:{settings.port}", store=settings.store
    )
    _Server(config, container.room()).run()
