"""Reading the shared jobs for people and for waiting requests."""

from collections.abc import Collection, Sequence

from sqlalchemy import ARRAY, BigInteger, Select, any_, bindparam, literal, select, text

from adapters.postgres import statements
from adapters.postgres.census import CENSUS, EXACT_UP_TO, census_from
from adapters.postgres.engine import Database
from adapters.postgres.mapping import job_from
from adapters.postgres.tables import IS_LIVE, IS_PENDING_IN_LANE, jobs
from application.queries import Census, JobQuery
from domain.dispatch import Lane
from domain.job import Job, JobId, JobState

LIVE_AMONG = select(jobs.c.id).where(
    jobs.c.id == any_(bindparam("ids", type_=ARRAY(BigInteger))), IS_LIVE
)
PING = select(text("1"))


class PostgresJobBoard:
    """A `JobBoard` over the shared jobs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, query: JobQuery) -> Sequence[Job]:
        """Walk the primary key from where the last page ended."""
        rows = await self._database.execute(page(query))
        return [job_from(row._mapping) for row in rows]  # noqa: SLF001 - SQLAlchemy's public name

    async def census(self) -> Census:
        """Count in the indexes; successes, once they are many, by the server's own estimate."""
        return census_from(await self._database.fetch(CENSUS, EXACT_UP_TO))

    async def pending_lanes(self) -> Collection[Lane]:
        """Jump through the index of pending jobs from lane to lane."""
        rows = await self._database.fetch(statements.PENDING_LANES)
        return {Lane(row["queue"], row["job_type"]) for row in rows}

    async def final_among(self, ids: Collection[JobId]) -> Collection[JobId]:
        """Look for those that are not final; all others are final or unknown."""
        rows = await self._database.execute(LIVE_AMONG, {"ids": list(ids)})
        return set(ids) - {row.id for row in rows}

    async def ping(self) -> None:
        """Make the server answer anything."""
        await self._database.execute(PING)


def page(query: JobQuery) -> Select[tuple[object, ...]]:
    """Return the statement that finds one page of jobs."""
    key = jobs.c.id
    wanted = select(jobs).order_by(key if query.oldest_first else key.desc()).limit(query.limit)
    if query.state is not None:
        # In the text, so that the planner may use the index of just these jobs.
        wanted = wanted.where(jobs.c.state == literal(query.state, literal_execute=True))
    if query.state is JobState.PENDING:
        wanted = wanted.where(IS_PENDING_IN_LANE)
    if query.job_type is not None:
        wanted = wanted.where(jobs.c.job_type == query.job_type)
    if query.queue is not None:
        wanted = wanted.where(jobs.c.queue == query.queue)
    if query.after is not None:
        wanted = wanted.where(key > query.after if query.oldest_first else key < query.after)
    return wanted
