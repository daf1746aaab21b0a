"""What the reaper looks for, each in an index of its own."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Executable, bindparam, func, select, union_all

from adapters.postgres import key_statements
from adapters.postgres.engine import Database
from adapters.postgres.mapping import job_from
from adapters.postgres.tables import IS_RUNNING, IS_SCHEDULED, jobs
from application.requests import KEY_LIFETIME
from domain.job import Job

_NOW = bindparam("now", type_=jobs.c.run_at.type)
_LIMIT = bindparam("limit", type_=jobs.c.attempt.type)

EXPIRED = (
    select(jobs)
    .where(IS_RUNNING, jobs.c.lease_expires_at <= _NOW)
    .order_by(jobs.c.lease_expires_at, jobs.c.id)
    .limit(_LIMIT)
)

DUE = (
    select(jobs)
    .where(IS_SCHEDULED, jobs.c.run_at <= _NOW)
    .order_by(jobs.c.run_at, jobs.c.id)
    .limit(_LIMIT)
)

_MOMENTS = union_all(
    select(func.min(jobs.c.lease_expires_at).label("moment")).where(IS_RUNNING),
    select(func.min(jobs.c.run_at)).where(IS_SCHEDULED),
).subquery()

NEXT_MOMENT = select(func.min(_MOMENTS.c.moment))


class PostgresOverdue:
    """An `Overdue` over the shared jobs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def expired(self, *, now: datetime, limit: int) -> Sequence[Job]:
        """Walk the index of running jobs from the lease that ended first."""
        return await self._jobs(EXPIRED, now=now, limit=limit)

    async def due(self, *, now: datetime, limit: int) -> Sequence[Job]:
        """Walk the index of scheduled jobs from the one due first."""
        return await self._jobs(DUE, now=now, limit=limit)

    async def forget(self, *, now: datetime) -> None:
        """Delete the receipts that have lapsed."""
        await self._database.fetch(key_statements.FORGET_RECEIPTS, now - KEY_LIFETIME)

    async def next_moment(self) -> datetime | None:
        """Look at the first entry of both indexes."""
        [row] = await self._database.execute(NEXT_MOMENT)
        moment: datetime | None = row.min_1
        return moment

    async def _jobs(self, statement: Executable, *, now: datetime, limit: int) -> Sequence[Job]:
        rows = await self._database.execute(statement, {"now": now, "limit": limit})
        return [job_from(row._mapping) for row in rows]  # noqa: SLF001 - SQLAlchemy's public name
