"""Outcomes as they go over the wire."""

from collections.abc import Callable, Mapping

import msgspec
from msgspec import UNSET, Raw, UnsetType

from application.outcomes import (
    AttemptCancelled,
    AttemptFailed,
    AttemptOutcome,
    AttemptReleased,
    AttemptSucceeded,
)
from domain.job import Failure


class FailureBody(msgspec.Struct, omit_defaults=True):
    """Why an attempt failed."""

    type: str
    message: str
    detail: Raw | UnsetType = UNSET


class OutcomeBody(msgspec.Struct, omit_defaults=True):
    """What became of one attempt."""

    job_id: int
    attempt: int
    outcome: str
    result: Raw | UnsetType = UNSET
    error: FailureBody | UnsetType = UNSET
    retryable: bool = True
    retry_after: float | UnsetType = UNSET


def outcome_body(outcome: AttemptOutcome) -> OutcomeBody:
    """Return an outcome as it is sent."""
    return _WRITERS[type(outcome)](outcome)


def _succeeded(outcome: AttemptSucceeded) -> OutcomeBody:
    body = _bare(outcome, "succeeded")
    body.result = Raw(outcome.result)
    return body


def _failed(outcome: AttemptFailed) -> OutcomeBody:
    body = _bare(outcome, "failed")
    body.error = _failure_body(outcome.failure)
    body.retryable = outcome.retryable
    if outcome.retry_after is not None:
        body.retry_after = outcome.retry_after.total_seconds()
    return body


def _failure_body(failure: Failure) -> FailureBody:
    detail = UNSET if failure.detail is None else Raw(failure.detail)
    return FailureBody(failure.type, failure.message, detail)


def _cancelled(outcome: AttemptCancelled) -> OutcomeBody:
    return _bare(outcome, "cancelled")


def _released(outcome: AttemptReleased) -> OutcomeBody:
    return _bare(outcome, "released")


def _bare(outcome: AttemptOutcome, name: str) -> OutcomeBody:
    return OutcomeBody(outcome.lease.job_id, outcome.lease.attempt, name)


_WRITERS: Mapping[type, Callable[..., OutcomeBody]] = {
    AttemptSucceeded: _succeeded,
    AttemptFailed: _failed,
    AttemptCancelled: _cancelled,
    AttemptReleased: _released,
}
