"""What goes over the wire between worker and scheduler."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import msgspec
from msgspec import Raw

from application.requests import Beat, Renewal
from application.worker.ports import Answer, Assignment, WorkRequest
from domain.job import JobId, Json, Lease


class ClaimBody(msgspec.Struct, omit_defaults=True):
    """A worker asks for jobs."""

    job_types: Sequence[str]
    limit: int
    wait: float
    request_id: str
    slots: int
    queues: Sequence[str] | None = None


class LeaseBody(msgspec.Struct, frozen=True):
    """A job handed out. What else the scheduler tells is of no use here."""

    job_id: int
    attempt: int
    job_type: str
    queue: str
    payload: Raw
    metadata: dict[str, str]
    timeout: float
    expires_at: datetime


class LeasesBody(msgspec.Struct, frozen=True):
    """The jobs handed out."""

    leases: Sequence[LeaseBody]


class BeatBody(msgspec.Struct, omit_defaults=True):
    """A sign of life for one lease."""

    job_id: int
    attempt: int
    progress: float | None = None


class HeldBody(msgspec.Struct, frozen=True):
    """What became of one lease."""

    job_id: int
    attempt: int
    state: str
    expires_at: datetime | None = None


class HeldsBody(msgspec.Struct, frozen=True):
    """What became of all leases."""

    leases: Sequence[HeldBody]


class AnswerBody(msgspec.Struct, frozen=True):
    """Whether an outcome was taken."""

    job_id: int
    attempt: int
    accepted: bool
    reason: str | None = None
    detail: str | None = None


class AnswersBody(msgspec.Struct, frozen=True):
    """Which outcomes were taken."""

    outcomes: Sequence[AnswerBody]


def claim_body(request: WorkRequest) -> ClaimBody:
    """Return a claim as it is sent."""
    queues = request.offer.queues
    return ClaimBody(
        job_types=sorted(request.offer.job_types),
        queues=None if queues is None else sorted(queues),
        limit=request.limit,
        wait=request.wait.total_seconds(),
        request_id=request.request_id,
        slots=request.slots,
    )


def assignment_of(body: LeaseBody, worker_id: str, *, answered_at: datetime | None) -> Assignment:
    """Return a lease as it was received.

    Its length follows from the scheduler's own time of the answer, where that is known: the
    clock of this computer may be wrong.
    """
    timeout = timedelta(seconds=body.timeout)
    length = timeout if answered_at is None else body.expires_at - answered_at
    return Assignment(
        lease=Lease(job_id=JobId(body.job_id), attempt=body.attempt, worker_id=worker_id),
        job_type=body.job_type,
        queue=body.queue,
        payload=Json(bytes(body.payload)),
        metadata=body.metadata,
        timeout=timeout,
        lease_length=length if length > timedelta(0) else timeout,
    )


def beat_body(beat: Beat) -> BeatBody:
    """Return a heartbeat as it is sent."""
    return BeatBody(beat.lease.job_id, beat.lease.attempt, beat.progress)


def renewals_of(body: HeldsBody, beats: Sequence[Beat]) -> Mapping[Lease, Renewal]:
    """Return the leases that are still held."""
    told = {(held.job_id, held.attempt): held for held in body.leases}
    renewals = {
        lease: _renewal(told.get((lease.job_id, lease.attempt)))
        for lease in (beat.lease for beat in beats)
    }
    return {lease: renewal for lease, renewal in renewals.items() if renewal is not None}


def _renewal(held: HeldBody | None) -> Renewal | None:
    if held is None or held.expires_at is None or held.state == "lost":
        return None
    asked_to_stop = held.state == "cancel_requested"
    return Renewal(expires_at=held.expires_at, cancel_requested=asked_to_stop)


def answers_of(body: AnswersBody, worker_id: str) -> Sequence[Answer]:
    """Return the answers to a report."""
    return [
        Answer(
            lease=Lease(job_id=JobId(told.job_id), attempt=told.attempt, worker_id=worker_id),
            accepted=told.accepted,
            reason=told.reason,
            detail=told.detail,
        )
        for told in body.outcomes
    ]
