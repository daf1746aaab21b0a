"""Attempts as they are answered."""

from collections.abc import Sequence

import msgspec

from domain.attempt import Attempt
from entrypoints.api.job_views import ErrorView, error_view_of
from entrypoints.api.times import written


class AttemptView(msgspec.Struct, frozen=True):
    """One attempt at a job; no end and no outcome while it runs."""

    number: int
    worker: str
    started_at: str
    finished_at: str | None
    outcome: str | None
    error: ErrorView | None


class AttemptsView(msgspec.Struct, frozen=True):
    """All attempts at a job, oldest first."""

    items: Sequence[AttemptView]


def attempt_view_of(attempt: Attempt) -> AttemptView:
    """Return an attempt as it is answered."""
    return AttemptView(
        number=attempt.number,
        worker=attempt.worker_id,
        started_at=written(attempt.started_at) or "",
        finished_at=written(attempt.ended_at),
        outcome=attempt.outcome,
        error=error_view_of(attempt.error),
    )
