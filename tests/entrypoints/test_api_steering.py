"""Keys, cancel, retry and attempts through HTTP."""

import asyncio
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.entrypoints.api_calls import (
    JSON,
    a_problem,
    a_type,
    claim,
    fields_at_fault,
    report,
    submit,
)


async def test_a_unique_key_answers_with_the_job_that_is_there(client: httpx.AsyncClient) -> None:
    job_type, key = a_type(), uuid4().hex
    body = {"job_type": job_type, "unique_key": key, "payload": {"n": 1}}
    job = await submit(client, **body)

    again = await client.post("/jobs", json={**body, "payload": {"n": 1.0}})
    other = await client.post("/jobs", json={**body, "payload": {"n": 2}})

    assert (again.status_code, again.json()) == (httpx.codes.OK, job)
    assert again.headers["location"] == f"/jobs/{job['id']}"
    assert job["unique_key"] == key
    assert other.status_code == httpx.codes.CONFLICT
    assert a_problem(other)["type"] == "/problems/unique-key-taken"


@pytest.mark.parametrize("key", ["", "x" * 256, "a\nb", "nul\u0000", 5, True, []])
async def test_a_key_that_is_no_key_is_named(client: httpx.AsyncClient, key: object) -> None:
    answer = await client.post("/jobs", json={"job_type": "print", "unique_key": key})

    assert fields_at_fault(answer) == ["$.unique_key"]


async def test_an_idempotency_key_answers_the_first_response_again(
    client: httpx.AsyncClient,
) -> None:
    job_type, headers = a_type(), {"Idempotency-Key": uuid4().hex}
    body = {"job_type": job_type, "payload": {"a": 1, "b": 2}, "delay": 0}
    first = await client.post("/jobs", json=body, headers=headers)
    [lease] = await claim(client, job_type)
    await report(client, _of(lease, outcome="succeeded"))

    rewritten = {"payload": {"b": 2.0, "a": 1}, "delay": 0, "job_type": job_type}
    again = await client.post("/jobs", json=rewritten, headers=headers)
    other = await client.post("/jobs", json={**body, "priority": 1}, headers=headers)

    assert (again.status_code, again.json()) == (httpx.codes.CREATED, first.json())
    assert other.status_code == httpx.codes.UNPROCESSABLE_ENTITY
    assert a_problem(other)["type"] == "/problems/idempotency-key-reused"


async def test_an_idempotency_key_holds_for_a_batch_too(client: httpx.AsyncClient) -> None:
    headers, body = {"Idempotency-Key": uuid4().hex}, {"jobs": [{"job_type": a_type()}] * 3}

    first, again = [await client.post("/jobs/batch", json=body, headers=headers) for _ in range(2)]

    assert again.json() == first.json()


@pytest.mark.parametrize("number", ["1e99999999999999999999", "1e-" + "9" * 5000, "-0.0e7"])
async def test_keys_go_with_numbers_of_any_size(client: httpx.AsyncClient, number: str) -> None:
    key = uuid4().hex
    body = f'{{"job_type": "print", "unique_key": "{key}", "payload": {{"n": {number}}}}}'.encode()

    first, again = [
        await client.post("/jobs", content=body, headers={**JSON, "Idempotency-Key": name})
        for name in (key, key + "-2")
    ]

    assert (first.status_code, again.status_code) == (httpx.codes.CREATED, httpx.codes.OK)


async def test_cancels_that_come_together_are_all_answered(client: httpx.AsyncClient) -> None:
    job = await submit(client, job_type=a_type())

    answers = await asyncio.gather(*(client.post(f"/jobs/{job['id']}/cancel") for _ in range(20)))

    assert {answer.status_code for answer in answers} == {httpx.codes.OK}


@pytest.mark.parametrize("key", ["", "x" * 256])
async def test_an_idempotency_key_has_a_length(client: httpx.AsyncClient, key: str) -> None:
    answer = await client.post(
        "/jobs", json={"job_type": "print"}, headers={"Idempotency-Key": key}
    )

    assert fields_at_fault(answer) == ["Idempotency-Key"]


async def test_a_waiting_job_is_cancelled_at_once_and_again(client: httpx.AsyncClient) -> None:
    job = await submit(client, job_type=a_type())

    answers = [await client.post(f"/jobs/{job['id']}/cancel") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [httpx.codes.OK] * 2
    assert {answer.json()["state"] for answer in answers} == {"cancelled"}


async def test_a_running_job_is_asked_to_stop(client: httpx.AsyncClient) -> None:
    job_type = a_type()
    job = await submit(client, job_type=job_type)
    [lease] = await claim(client, job_type)

    asked = (await client.post(f"/jobs/{job['id']}/cancel")).json()
    [verdict] = await report(client, _of(lease, outcome="cancelled"))

    assert (asked["state"], asked["cancel_requested"]) == ("running", True)
    assert (verdict["accepted"], verdict["state"]) == (True, "cancelled")


@pytest.mark.parametrize("way", ["cancel", "retry"])
async def test_a_job_that_has_succeeded_stays_so(client: httpx.AsyncClient, way: str) -> None:
    job_type = a_type()
    job = await submit(client, job_type=job_type)
    [lease] = await claim(client, job_type)
    await report(client, _of(lease, outcome="succeeded"))

    answer = await client.post(f"/jobs/{job['id']}/{way}")

    assert answer.status_code == httpx.codes.CONFLICT
    assert a_problem(answer)["type"] == "/problems/wrong-state"


@pytest.mark.parametrize("path", ["cancel", "retry", "attempts"])
async def test_there_is_nothing_to_do_for_an_unknown_job(
    client: httpx.AsyncClient, path: str
) -> None:
    method = "GET" if path == "attempts" else "POST"

    answers = [await client.request(method, f"/jobs/{job}/{path}") for job in (10**15, "x")]

    assert {answer.status_code for answer in answers} == {httpx.codes.NOT_FOUND}


async def test_attempts_are_told_with_their_times_and_errors(client: httpx.AsyncClient) -> None:
    job_type = a_type()
    job = await submit(client, job_type=job_type)
    error = {"type": "ValueError", "message": "no"}
    [first] = await claim(client, job_type)
    await report(client, _of(first, outcome="failed", error=error))
    await claim(client, job_type, worker="bob")

    items = (await client.get(f"/jobs/{job['id']}/attempts")).json()["items"]

    assert [(one["number"], one["worker"], one["outcome"], one["error"]) for one in items] == [
        (1, "ada", "failed", error),
        (2, "bob", None, None),
    ]
    assert items[0]["finished_at"] >= items[0]["started_at"]
    assert items[1]["finished_at"] is None


async def test_a_claim_with_the_same_request_id_gets_the_same_leases(
    client: httpx.AsyncClient,
) -> None:
    job_type = a_type()
    for _ in range(4):
        await submit(client, job_type=job_type)

    first = await claim(client, job_type, limit=2, request_id="r")

    assert await claim(client, job_type, limit=2, request_id="r") == first
    assert len(await claim(client, job_type, limit=9)) == 2


async def test_signing_off_hands_back_what_is_held(client: httpx.AsyncClient) -> None:
    job_type, worker = a_type(), a_type()
    job = await submit(client, job_type=job_type)
    await claim(client, job_type, worker=worker)

    await client.delete(f"/workers/{worker}")

    after = (await client.get(f"/jobs/{job['id']}")).json()
    assert (after["state"], after["failures"], after["attempt"]) == ("pending", 0, 1)


def _of(lease: dict[str, Any], **outcome: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"job_id": lease["job_id"], "attempt": lease["attempt"], **outcome}
