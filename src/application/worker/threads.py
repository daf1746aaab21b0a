"""Running plain functions beside the event loop."""

import asyncio
import inspect
from asyncio import AbstractEventLoop, Future
from collections.abc import Callable
from contextlib import suppress
from threading import Thread

from application.worker.task import Task

Ended = tuple[object, BaseException | None]


async def in_thread(function: Callable[[Task], object], task: Task) -> object:
    """Run a plain function in a thread of its own and return what it returns.

    A thread cannot be stopped from outside: when cancelled, this gives the function the time
    to notice `task.cancelled`; when cancelled again, it leaves the thread alone. A daemon
    thread, unlike one of an executor, keeps no process from ending.
    """
    loop = asyncio.get_running_loop()
    ended: Future[Ended] = loop.create_future()
    task.thread_ended = ended
    name = f"job {task.job_id}"
    Thread(target=_run, args=(function, task, loop, ended), name=name, daemon=True).start()
    with suppress(asyncio.CancelledError):
        await asyncio.shield(ended)
    result, error = await asyncio.shield(ended)
    if error is not None:
        raise error
    return await result if inspect.isawaitable(result) else result


def _run(
    function: Callable[[Task], object], task: Task, loop: AbstractEventLoop, ended: Future[Ended]
) -> None:
    told: Ended
    try:
        told = function(task), None
    except BaseException as error:  # noqa: BLE001 - SystemExit too ends the job, not the worker
        told = None, error
    with suppress(RuntimeError):  # the loop is closed: nobody listens any more
        loop.call_soon_threadsafe(_tell, ended, told)


def _tell(ended: Future[Ended], told: Ended) -> None:
    if not ended.done():
        ended.set_result(told)
