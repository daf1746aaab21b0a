"""Storing jobs that may be there already, under a key of their own or of their submit."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from adapters.postgres import mapping, statements
from adapters.postgres.engine import Fetch
from application.ports import StoreUnavailableError
from application.requests import KEY_LIFETIME, Admission, Admitted, Receipt
from domain.errors import IdempotencyKeyReusedError
from domain.job import Job
from domain.uniqueness import require_same_work

ROUNDS = 5
"""How often a key is reached for whose bearer ends just when it is looked at."""

AGAIN = {Admitted.NEW: Admitted.REPLAYED}
"""What was new when a submit came first is a replay when it comes again."""


async def admit_under(
    fetch: Fetch, jobs: Sequence[Job], receipt: Receipt, *, now: datetime
) -> Sequence[Admission]:
    """Store jobs once under a receipt; in one transaction, which `fetch` runs in."""
    lapsed = now - KEY_LIFETIME
    taken = await fetch(statements.TAKE_RECEIPT, receipt.key, receipt.fingerprint, now, lapsed)
    if not taken:
        return await _answered_before(fetch, receipt)
    admissions = await admit(fetch, jobs)
    await fetch(
        statements.FILL_RECEIPT,
        receipt.key,
        [admission.job.id for admission in admissions],
        [AGAIN.get(admission.how, admission.how) for admission in admissions],
    )
    return admissions


async def admit(fetch: Fetch, jobs: Sequence[Job]) -> Sequence[Admission]:
    """Store jobs whose key no live job bears, and find the bearers of the others."""
    keys = {job.unique_key for job in jobs if job.unique_key is not None}
    if len(keys) > 1:  # whoever reaches for one key only cannot be part of a circle
        await fetch(statements.LOCK_KEYS, sorted(keys))
    left = dict(enumerate(jobs))
    admissions: dict[int, Admission] = {}
    for _ in range(ROUNDS):
        admissions |= await _store(fetch, {index: left[index] for index in left})
        left = {index: job for index, job in left.items() if index not in admissions}
        if not left:
            return [admissions[index] for index in range(len(jobs))]
        admissions |= await _find(fetch, left)
        left = {index: job for index, job in left.items() if index not in admissions}
    raise StoreUnavailableError("a unique key changes hands faster than it can be read")


async def _store(fetch: Fetch, jobs: dict[int, Job]) -> dict[int, Admission]:
    rows = await fetch(statements.ADD_KEYED, *mapping.added(list(jobs.values())))
    by_key = {row["unique_key"]: row["id"] for row in rows if row["unique_key"] is not None}
    unkeyed = iter(sorted(row["id"] for row in rows if row["unique_key"] is None))
    stored: dict[int, Admission] = {}
    for index, job in jobs.items():
        # Of equal keys in a batch the first was stored.
        job_id = next(unkeyed) if job.unique_key is None else by_key.pop(job.unique_key, None)
        if job_id is not None:
            stored[index] = Admission(job=replace(job, id=job_id))
    return stored


async def _find(fetch: Fetch, jobs: dict[int, Job]) -> dict[int, Admission]:
    rows = await fetch(statements.BEARERS, [job.unique_key for job in jobs.values()])
    bearers = {row["unique_key"]: mapping.job_from(row) for row in rows}
    found: dict[int, Admission] = {}
    for index, job in jobs.items():
        bearer = bearers.get(job.unique_key)
        if bearer is not None:
            require_same_work(job, bearer, index=index)
            found[index] = Admission(job=bearer, how=Admitted.FOUND)
    return found


async def _answered_before(fetch: Fetch, receipt: Receipt) -> Sequence[Admission]:
    [row] = await fetch(statements.READ_RECEIPT, receipt.key)
    if row["fingerprint"] != receipt.fingerprint:
        raise IdempotencyKeyReusedError(key=receipt.key)
    jobs = {job["id"]: mapping.job_from(job) for job in await fetch(statements.GET, row["job_ids"])}
    pairs = zip(row["job_ids"], row["how"], strict=True)
    return [Admission(job=jobs[job_id], how=Admitted(how)) for job_id, how in pairs]
