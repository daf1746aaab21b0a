"""The scheduler for those who submit jobs and ask after them."""

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Literal, Self

import httpx
import msgspec

from adapters.http.calls import HEADERS, limits, reaching, read

State = Literal["scheduled", "pending", "running", "succeeded", "failed", "cancelled"]
FINAL = frozenset({"succeeded", "failed", "cancelled"})
LONGEST_POLL_S = 20.0


class ErrorInfo(msgspec.Struct, frozen=True):
    """Why the last attempt failed."""

    type: str
    message: str
    detail: Any = None


class JobInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A job as the scheduler tells it; times are RFC 3339 text."""

    id: int
    job_type: str
    queue: str
    priority: int
    state: State
    payload: Any
    metadata: dict[str, str]
    result: Any
    error: ErrorInfo | None
    attempt: int
    failures: int
    max_attempts: int
    timeout: float
    created_at: str
    run_at: str
    started_at: str | None
    finished_at: str | None
    worker_id: str | None
    progress: float | None
    cancel_requested: bool

    @property
    def is_final(self) -> bool:
        """Tell whether the job has ended."""
        return self.state in FINAL


class JobPage(msgspec.Struct, frozen=True):
    """Some jobs, and the cursor with which to ask for more."""

    items: Sequence[JobInfo]
    next_cursor: str | None = None


class SchedulerClient:
    """A scheduler at a URL. Raises the same errors as the worker's gateway."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self._client = httpx.Client(base_url=self._url, headers=HEADERS, timeout=limits())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def submit(self, job_type: str, **fields: object) -> JobInfo:
        """Submit a job; the fields are those of `POST /jobs`."""
        content = msgspec.json.encode({"job_type": job_type, **fields})
        with reaching(self._url):
            response = self._client.post("/jobs", content=content)
        return read(response, JobInfo)

    def get(self, job_id: int, *, wait_s: float = 0.0) -> JobInfo:
        """Return a job, once it is final or the wait is over."""
        timeout = limits(wait_s=wait_s)
        with reaching(self._url):
            response = self._client.get(f"/jobs/{job_id}", params={"wait": wait_s}, timeout=timeout)
        return read(response, JobInfo)

    def wait_for(self, job_id: int) -> JobInfo:
        """Return a job once it is final, however long that takes."""
        job = self.get(job_id)
        while not job.is_final:
            job = self.get(job_id, wait_s=LONGEST_POLL_S)
        return job

    def list(self, filters: Mapping[str, str | int] | None = None) -> JobPage:
        """Return a page of jobs; the filters are those of `GET /jobs`."""
        with reaching(self._url):
            response = self._client.get("/jobs", params=filters)
        return read(response, JobPage)
