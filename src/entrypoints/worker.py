"""The worker as a process."""

import asyncio
import os
import secrets
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

import structlog

from entrypoints.container import WorkerContainer
from entrypoints.strategies import load_strategies

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
LONGEST_HOST = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerOptions:
    """How a worker is to be run; `queues` None means all of them."""

    scheduler_url: str
    slots: int = 10
    queues: Sequence[str] | None = None
    strategies: Sequence[str] = ()
    grace_s: float = 30
    worker_id: str | None = None

    @property
    def queue_names(self) -> frozenset[str] | None:
        """The queues to take jobs from; None means all."""
        return None if self.queues is None else frozenset(self.queues)

    @property
    def grace(self) -> timedelta:
        """How long running jobs may go on once the worker is stopped."""
        return timedelta(seconds=self.grace_s)


async def work(options: WorkerOptions) -> None:
    """Work until SIGINT or SIGTERM; a second signal hands back at once what still runs.

    Raises:
        StrategiesError: a named strategy cannot be had.
    """
    container = WorkerContainer(
        options=options,
        own_strategies=load_strategies(options.strategies),
        worker_id=options.worker_id or new_worker_id(),
    )
    worker = container.worker()
    structlog.get_logger("taskmill").info(
        "worker starting",
        worker_id=container.worker_id(),
        scheduler=options.scheduler_url,
        slots=options.slots,
        job_types=sorted(container.registry().job_types),
    )
    try:
        with _stopped_by_signals(worker.stop):
            await worker.run()
    finally:
        await _close(container)


def new_worker_id() -> str:
    """Return a name that no other process has: host, process and chance."""
    host = "".join(letter for letter in socket.gethostname() if letter.isprintable())
    return f"{host[:LONGEST_HOST]}-{os.getpid()}-{secrets.token_hex(4)}"


@contextmanager
def _stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in STOP_SIGNALS:
            loop.remove_signal_handler(number)


async def _close(container: WorkerContainer) -> None:
    await container.http_call().close()
    await container.scheduler().close()
    container.heartbeats().close()
