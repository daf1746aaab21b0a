"""Strategies that write down each start and end outside the product.

The ledger is a file that all workers append to: one short line a write, which the operating
system keeps whole. It is the witness against which the scheduler's own account is held.
"""

import asyncio
import os
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from application.worker.task import Task

LEDGER_VARIABLE = "LEDGER_FILE"


def _note(word: str, task: Task) -> None:
    line = f"{word} {task.job_id} {task.attempt} {os.getpid()} {time.time():.6f}\n"
    handle = os.open(os.environ[LEDGER_VARIABLE], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(handle, line.encode())
    finally:
        os.close(handle)


async def note(task: Task) -> str:
    """Write a start and an end, with `seconds` of sleep between them."""
    _note("start", task)
    await asyncio.sleep(task.payload.get("seconds", 0))
    _note("end", task)
    return "noted"


STRATEGIES = {"note": note}


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the ledger."""

    word: str
    job_id: int
    attempt: int
    process_id: int
    at_s: float


def read_ledger(path: Path) -> list[Entry]:
    """Return what was written so far, in order."""
    if not path.exists():
        return []
    rows = (line.split() for line in path.read_text().splitlines())
    return [Entry(word, int(job), int(n), int(pid), float(at)) for word, job, n, pid, at in rows]


def count_by_job(entries: list[Entry], word: str) -> Counter[int]:
    """Count the entries with this word by job."""
    return Counter(entry.job_id for entry in entries if entry.word == word)
