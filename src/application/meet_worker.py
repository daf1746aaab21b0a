"""Keeping the list of workers that call."""

from dataclasses import dataclass, field, replace
from datetime import timedelta

from application.ports import Clock, WorkerDirectory
from domain.worker import Worker

REMEMBERED_FOR = timedelta(seconds=5)
"""A worker that says nothing new is written down at most this often."""

MOST_NOTED = 10_000
"""Past this many workers all are noted afresh, so that short-lived ones take no memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetWorker:
    """Note that a worker called, and what it said of itself, without a write for each call."""

    workers: WorkerDirectory
    clock: Clock
    _noted: dict[str, Worker] = field(default_factory=dict)

    async def introduce(
        self,
        worker_id: str,
        *,
        job_types: tuple[str, ...],
        queues: tuple[str, ...] | None,
        slots: int | None,
    ) -> None:
        """Note a worker that asks for jobs."""
        now = self.clock.now()
        told = Worker(id=worker_id, last_seen=now, job_types=job_types, queues=queues, slots=slots)
        if self._is_news(told):
            await self.workers.seen(told)
            self._note(told)

    async def greet(self, worker_id: str) -> None:
        """Note a worker that calls for anything else."""
        now = self.clock.now()
        known = self._noted.get(worker_id) or Worker(id=worker_id, last_seen=now)
        told = replace(known, last_seen=now)
        if self._is_news(told):
            await self.workers.touch(worker_id, now=now)
            self._note(told)

    def forget(self, worker_id: str) -> None:
        """Meet the worker as a stranger when it calls again."""
        self._noted.pop(worker_id, None)

    def _is_news(self, told: Worker) -> bool:
        noted = self._noted.get(told.id)
        if noted is None or told.last_seen - noted.last_seen >= REMEMBERED_FOR:
            return True
        return replace(told, last_seen=noted.last_seen) != noted

    def _note(self, told: Worker) -> None:
        if len(self._noted) >= MOST_NOTED:
            self._noted.clear()
        self._noted[told.id] = told
