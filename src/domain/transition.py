"""A decided move as a value, and what storing it does to the job."""

from dataclasses import dataclass, replace
from datetime import datetime

from domain.deadline import has_run_out
from domain.events import Event
from domain.job import Job, JobId, JobState, Json, Lease, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Success:
    """All that a success changes; deciding it takes nothing but the lease."""

    result: Json
    finished_at: datetime


@dataclass(frozen=True, slots=True)
class Transition:
    """A move that was decided on `before` and leads to `after`.

    It may be stored only while the job still stands where it was decided: same state, same
    attempt, same holder. A decision on the whole job also knew whether a cancel was asked for;
    and one that an ended lease brought about names in `expired_by` the time at which that
    lease must still be over, because a heartbeat may have come in between.
    """

    before: Job | Lease
    after: Job | Success
    event: Event
    expired_by: datetime | None = None

    @property
    def job_id(self) -> JobId:
        """The job that moves."""
        return self.before.job_id if isinstance(self.before, Lease) else self.before.id

    @property
    def from_state(self) -> JobState:
        """The state in which the job must still be."""
        return JobState.RUNNING if isinstance(self.before, Lease) else self.before.state

    @property
    def from_cancel_requested(self) -> bool | None:
        """Whether a cancel must have been asked for; None where it does not matter."""
        return None if isinstance(self.before, Lease) else self.before.cancel_requested

    @property
    def to_state(self) -> JobState:
        """The state in which the job will be."""
        return JobState.SUCCEEDED if isinstance(self.after, Success) else self.after.state

    @property
    def reclaims_key(self) -> bool:
        """Whether a final job comes back to life and reaches for its unique key again."""
        return (
            isinstance(self.before, Job)
            and self.before.unique_key is not None
            and self.from_state.is_final
            and not self.to_state.is_final
        )

    def still_applies_to(self, job: Job) -> bool:
        """Tell whether the job has not moved on since this was decided."""
        return (
            job.state is self.from_state
            and job.attempt == self.before.attempt
            and job.worker_id == self.before.worker_id
            and self.from_cancel_requested in {None, job.cancel_requested}
            and (self.expired_by is None or _is_over(job, self.expired_by))
        )

    def applied_to(self, job: Job) -> Job:
        """Return the job as it is once this is stored.

        A job that stays running keeps the lease and progress it has: only claims and
        heartbeats give those.
        """
        if isinstance(self.after, Success):
            return _succeeded(job, self.after)
        if self.from_state is not JobState.RUNNING:
            return self.after
        if self.after.state is JobState.RUNNING:
            return replace(self.after, lease_expires_at=job.lease_expires_at, progress=job.progress)
        return replace(self.after, progress=job.progress)


def _is_over(job: Job, now: datetime) -> bool:
    return job.lease_expires_at is not None and has_run_out(job.lease_expires_at, now=now)


def _succeeded(job: Job, success: Success) -> Job:
    return replace(
        job,
        state=JobState.SUCCEEDED,
        outcome=Outcome.SUCCEEDED,
        result=success.result,
        error=None,
        finished_at=success.finished_at,
        ended_at=success.finished_at,
        lease_expires_at=None,
    )
