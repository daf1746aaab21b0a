"""What a client may ask for, and the job that comes of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from domain.dispatch import HIGHEST_PRIORITY, LOWEST_PRIORITY
from domain.errors import InvalidValueError
from domain.job import EMPTY_OBJECT, UNSTORED, Job, JobState, Json
from domain.moves import waiting
from domain.names import require_key, require_name
from domain.retry import LONGEST_WAIT, RETRY_AT_ONCE, RetryPolicy

LONGEST_TIMEOUT = timedelta(days=7)
MOST_ATTEMPTS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A job as asked for. At most one of `run_at` and `delay`; neither means now."""

    job_type: str
    payload: Json = EMPTY_OBJECT
    priority: int = 0
    queue: str = "default"
    run_at: datetime | None = None
    delay: timedelta | None = None
    timeout: timedelta = timedelta(seconds=30)
    max_attempts: int = 2
    retry: RetryPolicy = RETRY_AT_ONCE
    metadata: Mapping[str, str] = field(default_factory=dict)
    unique_key: str | None = None

    def __post_init__(self) -> None:
        """Refuse what no scheduler could keep; `InvalidValueError` names the field."""
        require_name("job_type", self.job_type)
        require_name("queue", self.queue)
        _require_range("priority", self.priority, LOWEST_PRIORITY, HIGHEST_PRIORITY)
        _require_range("max_attempts", self.max_attempts, 1, MOST_ATTEMPTS)
        _require_timeout(self.timeout)
        _require_one_start(self.run_at, self.delay)
        _require_policy(self.retry)
        if self.unique_key is not None:
            require_key("unique_key", self.unique_key)


def submit(submission: Submission, *, now: datetime) -> Job:
    """Return the job that a submission becomes; the store gives it its id."""
    job = Job(
        id=UNSTORED,
        job_type=submission.job_type,
        queue=submission.queue,
        priority=submission.priority,
        state=JobState.PENDING,
        created_at=now,
        run_at=now,
        rank=0,
        timeout=submission.timeout,
        max_attempts=submission.max_attempts,
        retry=submission.retry,
        payload=submission.payload,
        metadata=submission.metadata,
        unique_key=submission.unique_key,
    )
    return waiting(job, until=_start(submission, now=now), now=now)


def _start(submission: Submission, *, now: datetime) -> datetime:
    if submission.run_at is not None:
        return submission.run_at
    return now + (submission.delay or timedelta(0))


def _require_range(name: str, value: int, lowest: int, highest: int) -> None:
    if not lowest <= value <= highest:
        raise InvalidValueError(
            field=name, value=value, expected=f"an integer from {lowest} to {highest}"
        )


def _require_timeout(timeout: timedelta) -> None:
    if not timedelta(0) < timeout <= LONGEST_TIMEOUT:
        raise InvalidValueError(
            field="timeout", value=timeout, expected="more than 0 s and at most 7 days (604800 s)"
        )


def _require_one_start(run_at: datetime | None, delay: timedelta | None) -> None:
    if run_at is not None and delay is not None:
        raise InvalidValueError(field="delay", value=delay, expected="left out beside run_at")
    if run_at is not None and run_at.tzinfo is None:
        raise InvalidValueError(field="run_at", value=run_at, expected="a time with an offset")
    if delay is not None:
        _require_wait("delay", delay)


def _require_policy(policy: RetryPolicy) -> None:
    _require_wait("retry.delay", policy.delay)
    _require_wait("retry.max_delay", policy.max_delay)
    for name, share in (("retry.factor", policy.factor), ("retry.jitter", policy.jitter)):
        if not 0 <= share < float("inf"):
            raise InvalidValueError(field=name, value=share, expected="a number of at least 0")


def _require_wait(name: str, wait: timedelta) -> None:
    if not timedelta(0) <= wait <= LONGEST_WAIT:
        raise InvalidValueError(
            field=name, value=wait, expected="from 0 s to ten years (315360000 s)"
        )
