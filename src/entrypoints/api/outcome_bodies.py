"""Reported outcomes, item by item: one that makes no sense must not spoil the others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

import msgspec
from msgspec import Raw

from application.outcomes import (
    AttemptCancelled,
    AttemptFailed,
    AttemptOutcome,
    AttemptReleased,
    AttemptSucceeded,
)
from domain.job import Failure, Json, Lease
from domain.retry import LONGEST_WAIT
from entrypoints.api.bodies import refused_within
from entrypoints.api.documents import fault_of
from entrypoints.api.raw import NULL
from entrypoints.api.worker_bodies import FailureBody, OutcomeBody, ReportBody, lease_of

LONGEST_TYPE = 200
LONGEST_MESSAGE = 100_000


class Named(msgspec.Struct, frozen=True):
    """The least that an item must tell to be answered."""

    job_id: int
    attempt: int


@dataclass(frozen=True, slots=True)
class InvalidItem:
    """An item that names its lease, and what else is wrong with it."""

    lease: Lease
    detail: str


class _InvalidOutcomeError(Exception):
    pass


_OUTCOME = msgspec.json.Decoder(OutcomeBody)
_NAMED = msgspec.json.Decoder(Named)


def outcomes_of(body: ReportBody, worker_id: str) -> Sequence[AttemptOutcome | InvalidItem]:
    """Return each item's meaning; a `ProblemError` if one does not even name its lease."""
    return [_item(raw, index, worker_id) for index, raw in enumerate(body.outcomes)]


def _item(raw: Raw, index: int, worker_id: str) -> AttemptOutcome | InvalidItem:
    try:
        told = _OUTCOME.decode(raw)
        return _READERS[told.outcome](told, lease_of(told.job_id, told.attempt, worker_id))
    except (msgspec.ValidationError, _InvalidOutcomeError) as error:
        return InvalidItem(_lease(raw, index, worker_id), str(error))


def _lease(raw: Raw, index: int, worker_id: str) -> Lease:
    try:
        named = _NAMED.decode(raw)
    except msgspec.ValidationError as error:
        raise refused_within(f"$.outcomes[{index}]", error) from None
    return lease_of(named.job_id, named.attempt, worker_id)


def _succeeded(told: OutcomeBody, lease: Lease) -> AttemptOutcome:
    result = Json(bytes(told.result))
    fault = fault_of(result)
    if fault is None:
        return AttemptSucceeded(lease=lease, result=result)
    # The work is done, and doing it again would bring the same result: the job must end.
    failure = Failure(type="result_invalid", message=f"the result cannot be kept: {fault}")
    return AttemptFailed(lease=lease, failure=failure, retryable=False)


def _failed(told: OutcomeBody, lease: Lease) -> AttemptOutcome:
    if told.error is None:
        raise _InvalidOutcomeError("a failed outcome needs an error with type and message")
    return AttemptFailed(
        lease=lease,
        failure=_failure(told.error),
        retryable=told.retryable is not False,
        retry_after=_retry_after(told.retry_after),
    )


def _cancelled(_told: OutcomeBody, lease: Lease) -> AttemptOutcome:
    return AttemptCancelled(lease=lease)


def _released(_told: OutcomeBody, lease: Lease) -> AttemptOutcome:
    return AttemptReleased(lease=lease)


_READERS: Mapping[str, Callable[[OutcomeBody, Lease], AttemptOutcome]] = {
    "succeeded": _succeeded,
    "failed": _failed,
    "cancelled": _cancelled,
    "released": _released,
}


def _failure(error: FailureBody) -> Failure:
    # An error is kept as far as it can be: it is the only trace of what went wrong.
    detail = Json(bytes(error.detail))
    return Failure(
        type=error.type[:LONGEST_TYPE],
        message=error.message[:LONGEST_MESSAGE],
        detail=None if detail == NULL or fault_of(detail) else detail,
    )


def _retry_after(seconds: float | None) -> timedelta | None:
    if seconds is None:
        return None
    if not 0 <= seconds <= LONGEST_WAIT.total_seconds():
        longest = int(LONGEST_WAIT.total_seconds())
        raise _InvalidOutcomeError(f"retry_after must be from 0 to {longest} seconds")
    return timedelta(seconds=seconds)
