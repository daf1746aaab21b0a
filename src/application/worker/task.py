"""What a strategy sees of the job that it runs."""

import json
import math
from asyncio import Future
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from domain.job import EMPTY_OBJECT, Json, Lease


class TaskFailed(Exception):  # noqa: N818 - strategies raise it by this name
    """Raised by a strategy to say how its failure is to be taken.

    `retry_after` is the wait before the next attempt, in seconds, in place of the job's own
    retry policy; `type` replaces the class name as the error's type; `detail` is anything
    JSON can hold.
    """

    def __init__(
        self,
        message: str = "",
        *,
        retryable: bool = True,
        retry_after: float | None = None,
        type: str | None = None,  # noqa: A002 - as it is called in the job's error
        detail: object = None,
    ) -> None:
        super().__init__(message)
        self.retryable = retryable
        self.retry_after = retry_after
        self.type = type
        self.detail = detail


class Task:
    """One attempt of a job. `timeout` is in seconds.

    `thread_ended` is the worker's own: where a plain function runs, when it has returned.
    """

    def __init__(
        self,
        lease: Lease,
        *,
        job_type: str,
        raw_payload: Json = EMPTY_OBJECT,
        metadata: Mapping[str, str] | None = None,
        timeout: float = 30.0,
    ) -> None:
        self.job_id = int(lease.job_id)
        self.attempt = lease.attempt
        self.job_type = job_type
        self.raw_payload = bytes(raw_payload)
        self.metadata = dict(metadata or {})
        self.timeout = timeout
        self.thread_ended: Future[Any] | None = None
        self._progress: float | None = None
        self._cancelled = False

    @cached_property
    def payload(self) -> Any:  # noqa: ANN401 - whatever the client submitted
        """The payload, parsed."""
        return json.loads(self.raw_payload)

    @property
    def cancelled(self) -> bool:
        """True once the strategy should stop; plain functions look at it from time to time."""
        return self._cancelled

    @property
    def latest_progress(self) -> float | None:
        """The progress last told; the next heartbeat passes it on."""
        return self._progress

    async def progress(self, share: float) -> None:
        """Tell how much is done, from 0 to 1."""
        self.report_progress(share)

    def report_progress(self, share: float) -> None:
        """Tell how much is done, from 0 to 1; may be called from any thread."""
        if math.isnan(share):
            raise ValueError("progress must be a number from 0 to 1")
        self._progress = min(max(float(share), 0.0), 1.0)

    def ask_to_stop(self) -> None:
        """Let the strategy know that its attempt is over."""
        self._cancelled = True
