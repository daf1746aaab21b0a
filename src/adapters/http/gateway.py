"""The scheduler as a worker reaches it over HTTP."""

from collections.abc import Mapping, Sequence

import httpx
import msgspec

from adapters.http.calls import (
    CONNECTIONS,
    HEADERS,
    answered_at,
    limits,
    reaching,
    read,
    require_success,
    worker_path,
)
from adapters.http.outcomes import outcome_body
from adapters.http.wire import (
    AnswersBody,
    HeldsBody,
    LeasesBody,
    answers_of,
    assignment_of,
    beat_body,
    claim_body,
    renewals_of,
)
from application.outcomes import AttemptOutcome
from application.requests import Beat, Renewal
from application.worker.ports import Answer, Assignment, WorkRequest
from domain.job import Lease


class HttpScheduler:
    """A `SchedulerGateway` over one pool of connections, or over a transport of one's own."""

    def __init__(self, url: str, *, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._url = url.rstrip("/")
        self._client = httpx.AsyncClient(
            base_url=self._url,
            headers=HEADERS,
            timeout=limits(),
            limits=CONNECTIONS,
            transport=transport,
        )

    async def claim(self, request: WorkRequest) -> Sequence[Assignment]:
        """Ask for jobs."""
        path = worker_path(request.worker_id, "/claim")
        content = msgspec.json.encode(claim_body(request))
        timeout = limits(wait_s=request.wait.total_seconds())
        with reaching(self._url):
            response = await self._client.post(path, content=content, timeout=timeout)
        told_at = answered_at(response)
        return [
            assignment_of(lease, request.worker_id, answered_at=told_at)
            for lease in read(response, LeasesBody).leases
        ]

    async def report(self, worker_id: str, outcomes: Sequence[AttemptOutcome]) -> Sequence[Answer]:
        """Tell ended attempts."""
        body = {"outcomes": [outcome_body(outcome) for outcome in outcomes]}
        content = msgspec.json.encode(body)
        with reaching(self._url):
            response = await self._client.post(worker_path(worker_id, "/report"), content=content)
        return answers_of(read(response, AnswersBody), worker_id)

    async def sign_off(self, worker_id: str) -> None:
        """Take leave."""
        with reaching(self._url):
            response = await self._client.delete(worker_path(worker_id))
        require_success(response)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


class HttpHeartbeats:
    """A `HeartbeatGateway` with a connection of its own, for a thread of its own."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self._client = httpx.Client(
            base_url=self._url, headers=HEADERS, timeout=5.0, limits=CONNECTIONS
        )

    def heartbeat(self, worker_id: str, beats: Sequence[Beat]) -> Mapping[Lease, Renewal]:
        """Renew leases."""
        content = msgspec.json.encode({"leases": [beat_body(beat) for beat in beats]})
        with reaching(self._url):
            response = self._client.post(worker_path(worker_id, "/heartbeat"), content=content)
        return renewals_of(read(response, HeldsBody), beats)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()
