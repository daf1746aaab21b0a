"""Driving the HTTP interface."""

import json
import re
from collections.abc import Sequence
from concurrent.futures import Future
from datetime import datetime, timedelta
from typing import Any

import httpx
import msgspec
from anyio.from_thread import BlockingPortal
from msgspec import Raw

from adapters.http.gateway import HttpScheduler
from entrypoints.container import Container
from tests.acceptance.driver import ALL, ConflictError, Held, RefusedError, SeenJob
from tests.acceptance.working import Strategies, work
from tests.fakes import FakeClock

CONFLICTS = {httpx.codes.CONFLICT, httpx.codes.UNPROCESSABLE_ENTITY}


class HttpDriver:
    """A `Driver` that knows nothing but the contract with clients and workers."""

    def __init__(
        self,
        container: Container,
        clock: FakeClock,
        portal: BlockingPortal,
        client: httpx.AsyncClient,
        scheduler: HttpScheduler,
    ) -> None:
        self._container = container
        self._clock = clock
        self._portal = portal
        self._client = client
        self._scheduler = scheduler

    def submit(self, *jobs: dict[str, Any], letter: str | None = None) -> Sequence[int]:
        bodies = [_with_raw_payload(fields) for fields in jobs]
        headers = {} if letter is None else {"Idempotency-Key": letter}
        if len(bodies) == 1:
            return [self._answer("/jobs", bodies[0], **headers).json()["id"]]
        ids: Sequence[int] = self._answer("/jobs/batch", {"jobs": bodies}, **headers).json()["ids"]
        return ids

    def job(self, job_id: int) -> SeenJob:
        return self._seen(self._get(f"/jobs/{job_id}"))

    def jobs(self) -> Sequence[SeenJob]:
        page = self._get("/jobs?order=oldest&limit=500")
        assert page["next_cursor"] is None
        return [self._seen(job) for job in page["items"]]

    def claim(
        self,
        worker: str,
        *,
        limit: int = 1,
        job_types: Sequence[str] = ("print", "paint"),
        queues: Sequence[str] | None = None,
        letter: str | None = None,
    ) -> Sequence[Held]:
        body = {
            "job_types": job_types,
            "queues": queues,
            "limit": min(limit, ALL),
            "request_id": letter,
        }
        return _held(self._answer(f"/workers/{worker}/claim", body), worker)

    def succeed(self, held: Held) -> str:
        return self._report(held, outcome="succeeded", result=None)

    def fail(self, held: Held, *, retryable: bool = True) -> str:
        error = {"type": "ValueError", "message": "it broke"}
        return self._report(held, outcome="failed", error=error, retryable=retryable)

    def release(self, held: Held) -> str:
        return self._report(held, outcome="released")

    def stop(self, held: Held) -> str:
        return self._report(held, outcome="cancelled")

    def beat(self, worker: str, *held: Held) -> Sequence[str]:
        beats = [{"job_id": each.job_id, "attempt": each.attempt} for each in held]
        answer = self._post(f"/workers/{worker}/heartbeat", {"leases": beats})
        return [lease["state"] for lease in answer["leases"]]

    def cancel(self, job_id: int) -> None:
        self._post(f"/jobs/{job_id}/cancel", None)

    def retry(self, job_id: int) -> None:
        self._post(f"/jobs/{job_id}/retry", None)

    def attempts(self, job_id: int) -> Sequence[str | None]:
        return [attempt["outcome"] for attempt in self._get(f"/jobs/{job_id}/attempts")["items"]]

    def sign_off(self, worker: str) -> None:
        self._portal.call(self._client.delete, f"/workers/{worker}").raise_for_status()

    def workers(self) -> dict[str, str]:
        return {worker["id"]: worker["state"] for worker in self._get("/workers")["items"]}

    def pass_time(self, by: timedelta) -> None:
        self._clock.advance(by)
        self._portal.call(self._container.reaper().round)

    def work(self, strategies: Strategies, *, job_id: int) -> None:
        async def ended() -> httpx.Response:
            return await self._client.get(f"/jobs/{job_id}", params={"wait": 30})

        self._portal.call(work, self._scheduler, strategies, ended)

    def await_end(self, job_id: int, *, at_most_s: float) -> "Future[SeenJob]":
        async def wait() -> SeenJob:
            answer = await self._client.get(f"/jobs/{job_id}", params={"wait": at_most_s})
            return self._seen(answer.json())

        return self._portal.start_task_soon(wait)

    def await_work(self, worker: str) -> "Future[Sequence[Held]]":
        async def wait() -> Sequence[Held]:
            body = {"job_types": ["print"], "wait": 30}
            answer = await self._client.post(f"/workers/{worker}/claim", json=body)
            return _held(answer, worker)

        return self._portal.start_task_soon(wait)

    def _report(self, held: Held, **outcome: object) -> str:
        item = {"job_id": held.job_id, "attempt": held.attempt, **outcome}
        [verdict] = self._post(f"/workers/{held.worker}/report", {"outcomes": [item]})["outcomes"]
        return "accepted" if verdict["accepted"] else str(verdict["reason"])

    def _get(self, path: str) -> Any:  # noqa: ANN401 - any JSON
        answer = self._portal.call(self._client.get, path)
        answer.raise_for_status()
        return answer.json()

    def _post(self, path: str, body: object) -> Any:  # noqa: ANN401 - any JSON
        return self._answer(path, body).json()

    def _answer(self, path: str, body: object, **headers: str) -> httpx.Response:
        content = msgspec.json.encode(body)
        answer = self._portal.call(self._post_bytes, path, content, headers)
        if answer.status_code == httpx.codes.BAD_REQUEST:
            raise RefusedError(_named(answer.json()["errors"][0]["field"]))
        if answer.status_code in CONFLICTS:
            raise ConflictError
        answer.raise_for_status()
        return answer

    async def _post_bytes(self, path: str, body: bytes, headers: dict[str, str]) -> httpx.Response:
        headers = {"Content-Type": "application/json", **headers}
        return await self._client.post(path, content=body, headers=headers)

    def _seen(self, job: dict[str, Any]) -> SeenJob:
        due = datetime.fromisoformat(job["run_at"])
        return SeenJob(
            result=None if job["result"] is None else json.dumps(job["result"]),
            error=job["error"] and job["error"]["type"],
            wait_s=(due - self._clock.now()).total_seconds(),
            **{name: job[name] for name in _SAME},
        )


_SAME = ("id", "state", "attempt", "failures", "priority", "queue")


def _with_raw_payload(fields: dict[str, Any]) -> dict[str, Any]:
    if "payload" not in fields:
        return fields
    return fields | {"payload": Raw(fields["payload"].encode())}


def _named(path: str) -> str:
    in_batch = re.fullmatch(r"\$\.jobs\[(\d+)\]\.(.+)", path)
    if in_batch:
        return f"{in_batch[2]} of {in_batch[1]}"
    return path.removeprefix("$.")


class _Lease(msgspec.Struct):
    job_id: int
    attempt: int
    payload: Raw


class _Leases(msgspec.Struct):
    leases: list[_Lease]


def _held(answer: httpx.Response, worker: str) -> Sequence[Held]:
    leases = msgspec.json.decode(answer.content, type=_Leases).leases
    return [
        Held(
            job_id=lease.job_id,
            attempt=lease.attempt,
            worker=worker,
            payload=bytes(lease.payload).decode(),
        )
        for lease in leases
    ]
