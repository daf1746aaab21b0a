"""What workers are answered."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Raw

from application.inspect import WorkerSeen
from application.outcomes import Verdict
from application.requests import Renewal
from domain.job import Job, Lease
from domain.worker import WorkerState
from entrypoints.api.outcome_bodies import InvalidItem
from entrypoints.api.times import seconds, written


class LeaseView(msgspec.Struct, frozen=True):
    """A job handed out: run it, and report under this attempt."""

    job_id: int
    attempt: int
    job_type: str
    queue: str
    payload: Raw
    metadata: Mapping[str, str]
    timeout: float
    expires_at: str
    failures: int
    max_attempts: int


class LeasesView(msgspec.Struct, frozen=True):
    """The jobs handed out, first to run first."""

    leases: Sequence[LeaseView]


class HeldView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of one lease: `held`, `cancel_requested` or `lost`."""

    job_id: int
    attempt: int
    state: str
    expires_at: str | None = None


class HeartbeatView(msgspec.Struct, frozen=True):
    """The leases of a heartbeat, in its order."""

    leases: Sequence[HeldView]


class VerdictView(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether one outcome was accepted, and the job's state then, or why it was not."""

    job_id: int
    attempt: int
    accepted: bool
    state: str | msgspec.UnsetType = msgspec.UNSET
    reason: str | msgspec.UnsetType = msgspec.UNSET
    detail: str | msgspec.UnsetType = msgspec.UNSET


class ReportView(msgspec.Struct, frozen=True):
    """The outcomes of a report, in its order; `leases` where it carried a claim."""

    outcomes: Sequence[VerdictView]
    leases: Sequence[LeaseView] | msgspec.UnsetType = msgspec.UNSET


class WorkerView(msgspec.Struct, frozen=True):
    """A worker that called lately."""

    id: str
    job_types: Sequence[str]
    queues: Sequence[str] | None
    slots: int | None
    running: int
    last_seen: str
    state: WorkerState


class WorkersView(msgspec.Struct, frozen=True):
    """All workers that called lately."""

    items: Sequence[WorkerView]


def lease_view_of(job: Job) -> LeaseView:
    """Return a job as its worker gets it."""
    return LeaseView(
        job_id=job.id,
        attempt=job.attempt,
        job_type=job.job_type,
        queue=job.queue,
        payload=Raw(job.payload),
        metadata=job.metadata,
        timeout=seconds(job.timeout),
        expires_at=written(job.lease_expires_at) or "",
        failures=job.failures,
        max_attempts=job.max_attempts,
    )


def held_view_of(lease: Lease, renewal: Renewal | None) -> HeldView:
    """Return what became of a lease in a heartbeat."""
    if renewal is None:
        return HeldView(lease.job_id, lease.attempt, "lost")
    state = "cancel_requested" if renewal.cancel_requested else "held"
    return HeldView(lease.job_id, lease.attempt, state, written(renewal.expires_at))


def verdict_view_of(verdict: Verdict | InvalidItem) -> VerdictView:
    """Return the answer to one outcome."""
    job_id, attempt = verdict.lease.job_id, verdict.lease.attempt
    if isinstance(verdict, InvalidItem):
        return VerdictView(job_id, attempt, accepted=False, reason="invalid", detail=verdict.detail)
    if verdict.refusal is not None:
        return VerdictView(job_id, attempt, accepted=False, reason=verdict.refusal)
    return VerdictView(job_id, attempt, accepted=True, state=verdict.state or msgspec.UNSET)


def worker_view_of(seen: WorkerSeen) -> WorkerView:
    """Return a worker as it is listed."""
    worker = seen.worker
    return WorkerView(
        id=worker.id,
        job_types=worker.job_types,
        queues=worker.queues,
        slots=worker.slots,
        running=seen.running,
        last_seen=written(worker.last_seen) or "",
        state=seen.state,
    )
