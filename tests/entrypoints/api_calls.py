"""Short words for the calls that the tests of the interface make."""

from typing import Any
from uuid import uuid4

import httpx

JSON = {"Content-Type": "application/json"}


def a_type() -> str:
    """Return a job type that no other test uses."""
    return f"type-{uuid4().hex}"


async def post(client: httpx.AsyncClient, path: str, body: bytes) -> httpx.Response:
    """Post these very bytes as JSON."""
    return await client.post(path, content=body, headers=JSON)


async def submit(client: httpx.AsyncClient, **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    """Submit a job and return it."""
    answer = await client.post("/jobs", json=fields)
    assert answer.status_code == httpx.codes.CREATED, answer.text
    job: dict[str, Any] = answer.json()
    return job


async def claim(
    client: httpx.AsyncClient,
    job_type: str,
    *,
    worker: str = "ada",
    **wish: Any,  # noqa: ANN401
) -> list[dict[str, Any]]:
    """Claim jobs of a type and return the leases."""
    body = {"job_types": [job_type], "limit": 10, **wish}
    answer = await client.post(f"/workers/{worker}/claim", json=body)
    assert answer.status_code == httpx.codes.OK, answer.text
    leases: list[dict[str, Any]] = answer.json()["leases"]
    return leases


async def report(
    client: httpx.AsyncClient, *outcomes: dict[str, Any], worker: str = "ada"
) -> list[dict[str, Any]]:
    """Report outcomes and return the verdicts."""
    answer = await client.post(f"/workers/{worker}/report", json={"outcomes": outcomes})
    assert answer.status_code == httpx.codes.OK, answer.text
    verdicts: list[dict[str, Any]] = answer.json()["outcomes"]
    return verdicts


def fields_at_fault(answer: httpx.Response) -> list[str]:
    """Return the fields that a refusal names, after checking that it is a proper problem."""
    assert answer.status_code == httpx.codes.BAD_REQUEST, answer.text
    return [fault["field"] for fault in a_problem(answer)["errors"]]


def a_problem(answer: httpx.Response) -> dict[str, Any]:
    """Return the body of an answer after checking that it is problem details."""
    assert answer.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert body["type"].startswith("/problems/")
    assert body["status"] == answer.status_code
    assert {"title", "detail"} <= body.keys()
    return body
