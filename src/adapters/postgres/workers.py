"""Which workers have called, in a table that schedulers share."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Row, bindparam, delete, func, select
from sqlalchemy.dialects.postgresql import insert

from adapters.postgres.engine import Database
from adapters.postgres.tables import IS_RUNNING, jobs, workers
from domain.worker import Worker

KEPT_FOR = timedelta(days=1)
"""Much longer than a worker is listed; every process has an id of its own, so they pile up."""

_NEW = insert(workers).values(
    {column.name: bindparam(f"new_{column.name}", type_=column.type) for column in workers.c}
)

SEEN = _NEW.on_conflict_do_update(
    index_elements=[workers.c.id],
    set_={
        column.name: _NEW.excluded[column.name] for column in workers.c if not column.primary_key
    },
)

TOUCH = _NEW.on_conflict_do_update(
    index_elements=[workers.c.id], set_={"last_seen": _NEW.excluded.last_seen}
)

FORGET = delete(workers).where(workers.c.id == bindparam("worker_id"))

# Skips what another scheduler is just clearing away, so that the two never wait for each other.
_LONG_GONE = (
    select(workers.c.id)
    .where(workers.c.last_seen < bindparam("before", type_=workers.c.last_seen.type))
    .with_for_update(skip_locked=True)
)
FORGET_LONG_GONE = delete(workers).where(workers.c.id.in_(_LONG_GONE))

LISTED = (
    select(workers)
    .where(workers.c.last_seen >= bindparam("since", type_=workers.c.last_seen.type))
    .order_by(workers.c.id)
)

RUNNING = (
    select(jobs.c.worker_id, func.count().label("leases"))
    .where(IS_RUNNING, jobs.c.worker_id.is_not(None))
    .group_by(jobs.c.worker_id)
)


class PostgresWorkerDirectory:
    """A `WorkerDirectory` that any number of processes share."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def seen(self, worker: Worker) -> None:
        """Write the worker down, over what was known of it."""
        await self._database.execute(SEEN, _row(worker))

    async def touch(self, worker_id: str, *, now: datetime) -> None:
        """Move the time of the last call; a worker not yet heard of is listed bare."""
        await self._database.execute(TOUCH, _row(Worker(id=worker_id, last_seen=now)))

    async def forget(self, worker_id: str) -> None:
        """Delete the worker."""
        await self._database.execute(FORGET, {"worker_id": worker_id})

    async def listed(self, *, since: datetime) -> Sequence[Worker]:
        """Read the list, and clear it of those whom nobody has asked about for a day."""
        await self._database.execute(FORGET_LONG_GONE, {"before": since - KEPT_FOR})
        rows = await self._database.execute(LISTED, {"since": since})
        return [_worker(row) for row in rows]

    async def running(self) -> Mapping[str, int]:
        """Count in the index of running jobs."""
        rows = await self._database.execute(RUNNING)
        return {row.worker_id: row.leases for row in rows}


def _row(worker: Worker) -> dict[str, object]:
    return {
        "new_id": worker.id,
        "new_last_seen": worker.last_seen,
        "new_job_types": list(worker.job_types),
        "new_queues": None if worker.queues is None else list(worker.queues),
        "new_slots": worker.slots,
        "new_draining": worker.draining,
    }


def _worker(row: Row[tuple[object, ...]]) -> Worker:
    return Worker(
        id=row.id,
        last_seen=row.last_seen,
        job_types=tuple(row.job_types),
        queues=None if row.queues is None else tuple(row.queues),
        slots=row.slots,
        draining=row.draining,
    )
