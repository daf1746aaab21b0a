"""What workers send, and what it means."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Raw

from application.requests import Beat, ClaimRequest
from domain.dispatch import Offer
from domain.job import JobId, Lease
from entrypoints.api.raw import left_out

LONGEST_POLL_S = 60
MOST_LEASES = 1000
MOST_NAMES = 1000
LONGEST_NAME = 200
MOST_BEATS = 10_000
BIGGEST_ID = 2**63 - 1

# Any name may be asked for, though few can exist; but NUL is none that a database can look up.
AnyName = Annotated[str, Meta(max_length=LONGEST_NAME, pattern=r"^[^\x00]*$")]
Names = Annotated[list[AnyName], Meta(max_length=MOST_NAMES)]
PollSeconds = Annotated[float, Meta(ge=0, le=LONGEST_POLL_S)]


class ClaimBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A worker asks for jobs."""

    job_types: Annotated[Names, Meta(min_length=1)]
    queues: Annotated[Names, Meta(min_length=1, description="Left out: all queues.")] | None = None
    limit: Annotated[int, Meta(ge=1, le=MOST_LEASES)] | None = None
    wait: Annotated[PollSeconds, Meta(description="Seconds to wait for work.")] | None = None
    request_id: Annotated[AnyName, Meta(min_length=1)] | None = None
    slots: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None


class BeatBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A sign of life for one lease."""

    job_id: int
    attempt: int
    progress: Annotated[float, Meta(ge=0, le=1)] | None = None


class HeartbeatBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """All the leases that the worker knows of."""

    leases: Annotated[list[BeatBody], Meta(max_length=MOST_BEATS)]


class FailureBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Why an attempt failed."""

    type: str
    message: str
    detail: Raw = left_out()


class OutcomeBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What became of one attempt."""

    job_id: int
    attempt: int
    outcome: Literal["succeeded", "failed", "cancelled", "released"]
    result: Raw = left_out()
    error: FailureBody | None = None
    retryable: bool | None = None
    retry_after: float | None = None


RawOutcome = Annotated[Raw, Meta(extra_json_schema={"$ref": "#/components/schemas/OutcomeBody"})]
"""An outcome that is decoded later, alone, so that a bad one spoils no other."""


class ReportBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Ended attempts; `claim` asks for new ones in the same round trip."""

    outcomes: Annotated[list[RawOutcome], Meta(max_length=MOST_LEASES)]
    claim: ClaimBody | None = None


CLAIM = msgspec.json.Decoder(ClaimBody)
HEARTBEAT = msgspec.json.Decoder(HeartbeatBody)
REPORT = msgspec.json.Decoder(ReportBody)


def claim_of(body: ClaimBody, worker_id: str, *, lease_length: timedelta) -> ClaimRequest:
    """Return what the worker asks for."""
    queues = None if body.queues is None else frozenset(body.queues)
    return ClaimRequest(
        worker_id=worker_id,
        offer=Offer(job_types=frozenset(body.job_types), queues=queues),
        limit=1 if body.limit is None else body.limit,
        lease_length=lease_length,
        claim_id=body.request_id,
    )


def wait_of(body: ClaimBody) -> timedelta:
    """Return how long the worker is ready to wait."""
    return timedelta(seconds=body.wait or 0)


def beats_of(body: HeartbeatBody, worker_id: str, *, lease_length: timedelta) -> Sequence[Beat]:
    """Return the beats, in order."""
    return [
        Beat(
            lease=lease_of(beat.job_id, beat.attempt, worker_id),
            progress=beat.progress,
            lease_length=lease_length,
        )
        for beat in body.leases
    ]


def lease_of(job_id: int, attempt: int, worker_id: str) -> Lease:
    """Return the lease that a worker names."""
    return Lease(job_id=JobId(job_id), attempt=attempt, worker_id=worker_id)


def is_possible(lease: Lease) -> bool:
    """Tell whether the numbers can be those of a lease at all."""
    return 1 <= lease.job_id <= BIGGEST_ID and 1 <= lease.attempt <= BIGGEST_ID
