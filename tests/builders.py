"""Values for tests: every field has a sensible default, and a test names only what it is about."""

from datetime import UTC, datetime, timedelta
from typing import Any

from application.requests import ClaimRequest
from domain.dispatch import Offer
from domain.job import Failure, Job
from domain.retry import RetryPolicy
from domain.submission import Submission, submit

NOW = datetime(2030, 1, 1, 12, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
BROKEN = Failure(type="ValueError", message="no such thing")
IN_A_MINUTE = RetryPolicy(delay=timedelta(minutes=1))


def a_submission(**changes: Any) -> Submission:  # noqa: ANN401 - any field of a submission
    return Submission(**{"job_type": "print", **changes})


def a_job(*, now: datetime = NOW, **changes: Any) -> Job:  # noqa: ANN401 - as above
    """Return a job just submitted, not yet stored; the changes are those of its submission."""
    return submit(a_submission(**changes), now=now)


def an_offer(*job_types: str, queues: frozenset[str] | None = None) -> Offer:
    return Offer(job_types=frozenset(job_types or {"print"}), queues=queues)


def a_claim(**changes: Any) -> ClaimRequest:  # noqa: ANN401 - as above
    return ClaimRequest(**{"worker_id": "ada", "offer": an_offer(), "limit": 10, **changes})
