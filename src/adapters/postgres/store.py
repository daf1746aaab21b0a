"""The jobs in PostgreSQL: each method is one statement a kind of move, and holds no rule."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial

import asyncpg

from adapters.postgres import lease_statements, mapping, statements
from adapters.postgres.admitting import admit, admit_under
from adapters.postgres.engine import Database, Record
from application.requests import Admission, Beat, ClaimRequest, Receipt, Renewal
from domain.attempt import Attempt
from domain.dispatch import CLAIM_REMEMBERED_FOR
from domain.job import Job, JobId, JobState, Lease
from domain.transition import Success, Transition

LOOKS = 4
"""How often a claim that found nothing but other claims' jobs looks, in all."""


class PostgresJobStore:
    """A `JobStore` that any number of processes share."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self, jobs: Sequence[Job], *, now: datetime, receipt: Receipt | None = None
    ) -> Sequence[Admission]:
        """Store new jobs with one INSERT, however many there are.

        Only keys take more: they need a transaction, since the jobs that bear them are read.
        """
        if receipt is not None:
            under = partial(admit_under, jobs=jobs, receipt=receipt, now=now)
            return await self._database.atomically(under)
        if any(job.unique_key is not None for job in jobs):
            return await self._database.atomically(partial(admit, jobs=jobs))
        rows = await self._database.fetch(statements.ADD, *mapping.added(jobs))
        pairs = zip(jobs, mapping.ids_of(rows), strict=True)
        return [Admission(job=replace(job, id=job_id)) for job, job_id in pairs]

    async def get(self, ids: Collection[JobId]) -> Mapping[JobId, Job]:
        """Look the ids up in the primary key."""
        rows = await self._database.fetch(statements.GET, list(ids))
        return {row["id"]: mapping.job_from(row) for row in rows}

    async def claim(self, request: ClaimRequest, *, now: datetime) -> Sequence[Job]:
        """Lock and hand out the first jobs that nobody else holds.

        Looks again only while it has nothing at all: what it has is handed out at once.
        """
        if repeated := await self._claimed_before(request, now=now):
            return repeated
        for _ in range(LOOKS):
            rows = await self._claim(request, now=now)
            if rows[0]["id"] is not None:
                return [mapping.job_from(row) for row in rows]
            if rows[0]["candidates"] == 0:
                break
        return []

    async def renew(self, beats: Sequence[Beat], *, now: datetime) -> Mapping[Lease, Renewal]:
        """Extend what the fence (job, attempt, worker) still holds."""
        rows = await self._database.fetch(
            statements.RENEW,
            JobState.RUNNING,
            now,
            [beat.lease.job_id for beat in beats],
            [beat.lease.attempt for beat in beats],
            [beat.lease.worker_id for beat in beats],
            [beat.progress for beat in beats],
            [beat.lease_length for beat in beats],
        )
        return dict(map(mapping.renewal_from, rows))

    async def settle(self, transitions: Sequence[Transition]) -> Collection[JobId]:
        """Store successes with one statement and all other moves with another.

        Moves of one call are of different jobs and know nothing of each other, so that two
        statements are as good as one; a success writes a few columns only. What reclaims a key
        goes alone: where the index refuses, it must not take others with it.
        """
        alone = [move for move in transitions if move.reclaims_key]
        together = [move for move in transitions if not move.reclaims_key]
        stored = await self._settle_successes(together) | await self._settle_jobs(together)
        for move in alone:
            with suppress(asyncpg.UniqueViolationError):
                stored |= await self._settle_jobs([move])
        return [move.job_id for move in transitions if move.job_id not in stored]

    async def held_by(
        self, worker_id: str, *, claimed_by: datetime, besides: Collection[Lease] = ()
    ) -> Sequence[Job]:
        """Walk the index of running jobs by worker."""
        known = [lease.job_id for lease in besides], [lease.attempt for lease in besides]
        rows = await self._database.fetch(lease_statements.HELD_BY, worker_id, claimed_by, *known)
        return [mapping.job_from(row) for row in rows]

    async def attempts(self, job_id: JobId) -> Sequence[Attempt]:
        """Return the history that claims have filed."""
        rows = await self._database.fetch(lease_statements.ATTEMPTS, job_id)
        return [mapping.attempt_from(row) for row in rows]

    async def _claimed_before(self, request: ClaimRequest, *, now: datetime) -> Sequence[Job]:
        if request.claim_id is None:
            return []
        since = now - CLAIM_REMEMBERED_FOR
        rows = await self._database.fetch(
            lease_statements.CLAIMED_BEFORE, request.worker_id, request.claim_id, since
        )
        return [mapping.job_from(row) for row in rows]

    async def _claim(self, request: ClaimRequest, *, now: datetime) -> Sequence[Record]:
        offer = request.offer
        asked = [request.worker_id, now, request.lease_length, request.limit, [*offer.job_types]]
        if offer.queues is None:
            return await self._database.fetch(statements.CLAIM, *asked, request.claim_id)
        return await self._database.fetch(
            statements.CLAIM_IN_QUEUES, *asked, [*offer.queues], request.claim_id
        )

    async def _settle_successes(self, transitions: Sequence[Transition]) -> set[JobId]:
        pairs = [(move, move.after) for move in transitions if isinstance(move.after, Success)]
        if not pairs:
            return set()
        moves, afters = zip(*pairs, strict=True)
        return await self._settle(statements.SUCCEED, moves, mapping.succeeded(afters))

    async def _settle_jobs(self, transitions: Sequence[Transition]) -> set[JobId]:
        pairs = [(move, move.after) for move in transitions if isinstance(move.after, Job)]
        if not pairs:
            return set()
        moves, afters = zip(*pairs, strict=True)
        return await self._settle(statements.SETTLE, moves, mapping.settled(afters))

    async def _settle(
        self, sql: str, moves: Sequence[Transition], writes: Sequence[object]
    ) -> set[JobId]:
        rows = await self._database.fetch(sql, *mapping.fenced(moves), *writes)
        return {row["id"] for row in rows}
