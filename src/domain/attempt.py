"""One attempt at a job, as history tells it."""

from dataclasses import dataclass
from datetime import datetime

from domain.job import Failure, Job, JobId, Outcome

FAILURES = frozenset({Outcome.FAILED, Outcome.TIMEOUT, Outcome.WORKER_LOST})


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One claim of a job and how it ended; no end and no outcome while it runs."""

    job_id: JobId
    number: int
    worker_id: str
    started_at: datetime
    ended_at: datetime | None
    outcome: Outcome | None
    error: Failure | None


def latest_attempt(job: Job) -> Attempt | None:
    """Return the attempt that the job itself still tells of; None before the first claim.

    The next claim overwrites it: whoever stores a claim files it first.
    """
    if job.worker_id is None or job.started_at is None:
        return None
    return Attempt(
        job_id=job.id,
        number=job.attempt,
        worker_id=job.worker_id,
        started_at=job.started_at,
        ended_at=job.ended_at,
        outcome=job.outcome,
        error=job.error if job.outcome in FAILURES else None,
    )
