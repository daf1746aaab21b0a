"""Storing jobs that may be there already, under a key of their own or of their submit."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from adapters.postgres import key_statements, mapping, statements
from adapters.postgres.engine import Fetch
from application.ports import StoreUnavailableError
from application.requests import KEY_LIFETIME, Admission, Admitted, Receipt
from domain.errors import IdempotencyKeyReusedError
from domain.job import Job
from domain.uniqueness import leaders_of, require_same_work

ROUNDS = 5
"""How often a key is reached for whose bearer ends just when it is looked at."""

AGAIN = {Admitted.NEW: Admitted.REPLAYED}
"""What was new when a submit came first is a replay when it comes again."""


async def admit_under(
    fetch: Fetch, jobs: Sequence[Job], receipt: Receipt, *, now: datetime
) -> Sequence[Admission]:
    """Store jobs once under a receipt; in one transaction, which `fetch` runs in."""
    lapsed = now - KEY_LIFETIME
    taken = await fetch(key_statements.TAKE_RECEIPT, receipt.key, receipt.fingerprint, now, lapsed)
    if not taken:
        return await _answered_before(fetch, receipt)
    admissions = await admit(fetch, jobs)
    await fetch(
        key_statements.FILL_RECEIPT,
        receipt.key,
        [admission.job.id for admission in admissions],
        [AGAIN.get(admission.how, admission.how) for admission in admissions],
    )
    return admissions


async def admit(fetch: Fetch, jobs: Sequence[Job]) -> Sequence[Admission]:
    """Store jobs whose key no live job bears, and find the bearers of the others."""
    leaders = leaders_of(jobs)
    keys = {job.unique_key for job in jobs if job.unique_key is not None}
    if len(keys) > 1:  # whoever reaches for one key only cannot be part of a circle
        await fetch(key_statements.LOCK_KEYS, sorted(keys))
    led = await _admit_leaders(fetch, {index: jobs[index] for index in leaders})
    return [
        led[leader] if leader == index else replace(led[leader], how=Admitted.FOUND)
        for index, leader in enumerate(leaders)
    ]


async def _admit_leaders(fetch: Fetch, jobs: dict[int, Job]) -> dict[int, Admission]:
    admitted: dict[int, Admission] = {}
    for _ in range(ROUNDS):
        admitted |= await _find(fetch, _without(jobs, admitted))
        admitted |= await _store(fetch, _without(jobs, admitted))
        if len(admitted) == len(jobs):
            return admitted
    raise StoreUnavailableError("a unique key changes hands faster than it can be read")


def _without(jobs: dict[int, Job], admitted: dict[int, Admission]) -> dict[int, Job]:
    return {index: job for index, job in jobs.items() if index not in admitted}


async def _find(fetch: Fetch, jobs: dict[int, Job]) -> dict[int, Admission]:
    rows = await fetch(key_statements.BEARERS, [job.unique_key for job in jobs.values()])
    bearers = {row["unique_key"]: mapping.job_from(row) for row in rows}
    found: dict[int, Admission] = {}
    for index, job in jobs.items():
        bearer = bearers.get(job.unique_key)
        if bearer is not None:
            require_same_work(job, bearer, index=index)
            found[index] = Admission(job=bearer, how=Admitted.FOUND)
    return found


async def _store(fetch: Fetch, jobs: dict[int, Job]) -> dict[int, Admission]:
    if not jobs:
        return {}
    rows = await fetch(key_statements.ADD_KEYED, *mapping.added(list(jobs.values())))
    by_key = {row["unique_key"]: row["id"] for row in rows if row["unique_key"] is not None}
    unkeyed = iter(sorted(row["id"] for row in rows if row["unique_key"] is None))
    stored: dict[int, Admission] = {}
    for index, job in jobs.items():
        # A key that is missing went to another just now: whose it is will be found next.
        job_id = next(unkeyed) if job.unique_key is None else by_key.get(job.unique_key)
        if job_id is not None:
            stored[index] = Admission(job=replace(job, id=job_id))
    return stored


async def _answered_before(fetch: Fetch, receipt: Receipt) -> Sequence[Admission]:
    [row] = await fetch(key_statements.READ_RECEIPT, receipt.key)
    if row["fingerprint"] != receipt.fingerprint:
        raise IdempotencyKeyReusedError(key=receipt.key)
    jobs = {job["id"]: mapping.job_from(job) for job in await fetch(statements.GET, row["job_ids"])}
    pairs = zip(row["job_ids"], row["how"], strict=True)
    return [Admission(job=jobs[job_id], how=Admitted(how)) for job_id, how in pairs]
