"""Letting a worker go."""

from dataclasses import dataclass

from application.ports import WorkerDirectory


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOff:
    """Take a worker off the list."""

    workers: WorkerDirectory

    async def __call__(self, worker_id: str) -> None:
        """Forget the worker; its leases run on until they are reported or run out."""
        await self.workers.forget(worker_id)
