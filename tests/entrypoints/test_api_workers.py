"""The calls of workers."""

import asyncio
from typing import Any

import httpx
import pytest

from entrypoints.api.app import create_app
from entrypoints.container import Container
from tests.entrypoints.api_calls import (
    a_problem,
    a_type,
    claim,
    fields_at_fault,
    post,
    report,
    submit,
)

HUGE = 10**20
SHORT = {"job_types": ["print"]}

WRONG_CLAIMS: list[tuple[dict[str, Any], str]] = [
    ({}, "$.job_types"), ({"job_types": None}, "$.job_types"), ({"job_types": []}, "$.job_types"),
    ({"job_types": "print"}, "$.job_types"), ({"job_types": [1]}, "$.job_types[0]"),
    ({"job_types": ["a"] * 1001}, "$.job_types"), ({**SHORT, "queues": []}, "$.queues"),
    ({**SHORT, "limit": 0}, "$.limit"), ({**SHORT, "limit": 1001}, "$.limit"),
    ({**SHORT, "limit": "1"}, "$.limit"), ({**SHORT, "limit": True}, "$.limit"),
    ({**SHORT, "wait": -1}, "$.wait"), ({**SHORT, "wait": 61}, "$.wait"),
    ({**SHORT, "slots": -1}, "$.slots"), ({**SHORT, "request_id": ""}, "$.request_id"),
    ({**SHORT, "unheard_of": 1}, "$.unheard_of"), ({**SHORT, "request_id": "a\0"}, "$.request_id"),
    ({"job_types": ["a\0"]}, "$.job_types[0]"), ({**SHORT, "queues": ["\0"]}, "$.queues[0]"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "field"), WRONG_CLAIMS, ids=lambda value: f"{value!r:.70}")
async def test_a_wrong_field_of_a_claim_is_named(
    client: httpx.AsyncClient, body: dict[str, Any], field: str
) -> None:
    assert fields_at_fault(await client.post("/workers/ada/claim", json=body)) == [field]


@pytest.mark.parametrize("worker", ["%00", "%0A", "%E2%80%AE", "a" * 201])
async def test_a_worker_needs_a_name_that_can_be_shown(
    client: httpx.AsyncClient, worker: str
) -> None:
    answer = await client.post(f"/workers/{worker}/claim", json=SHORT)

    assert fields_at_fault(answer) == ["worker_id"]


async def test_a_lease_tells_all_that_a_worker_needs(client: httpx.AsyncClient) -> None:
    job_type = a_type()
    job = await submit(client, job_type=job_type, payload={"a": 1}, metadata={"team": "blue"})

    [lease] = await claim(client, job_type)

    expires_at = lease.pop("expires_at")
    running = (await client.get(f"/jobs/{job['id']}")).json()
    assert lease == {
        "job_id": job["id"], "attempt": 1, "job_type": job_type, "queue": "default",
        "payload": {"a": 1}, "metadata": {"team": "blue"}, "timeout": 30, "failures": 0,
        "max_attempts": 2,
    }  # fmt: skip
    assert (running["state"], running["worker_id"]) == ("running", "ada")
    assert running["lease_expires_at"] == expires_at


async def test_a_claim_gets_one_job_unless_it_asks_for_more(client: httpx.AsyncClient) -> None:
    job_type = a_type()
    for _ in range(3):
        await submit(client, job_type=job_type)

    answer = await client.post("/workers/ada/claim", json={"job_types": [job_type]})

    assert len(answer.json()["leases"]) == 1


async def test_a_parked_claim_is_answered_by_the_next_submit(client: httpx.AsyncClient) -> None:
    job_type = a_type()
    parked = asyncio.create_task(claim(client, job_type, wait=30))
    await asyncio.sleep(0)

    job = await submit(client, job_type=job_type)

    assert [lease["job_id"] for lease in await parked] == [job["id"]]


async def test_a_name_with_blanks_and_signs_is_a_name(client: httpx.AsyncClient) -> None:
    job_type = a_type()
    job = await submit(client, job_type=job_type)

    await claim(client, job_type, worker="h%C3%B6st%201%25")

    assert (await client.get(f"/jobs/{job['id']}")).json()["worker_id"] == "höst 1%"


async def test_a_heartbeat_tells_of_each_lease_in_order(client: httpx.AsyncClient) -> None:
    job_type = a_type()
    job = await submit(client, job_type=job_type, timeout=600)
    await claim(client, job_type)
    beats = [
        {"job_id": job["id"], "attempt": 1, "progress": 0.4},
        {"job_id": job["id"], "attempt": 2},
        {"job_id": HUGE, "attempt": 1},
        {"job_id": -1, "attempt": 1},
    ]

    answer = await client.post("/workers/ada/heartbeat", json={"leases": beats})

    leases = answer.json()["leases"]
    assert [lease["state"] for lease in leases] == ["held", "lost", "lost", "lost"]
    assert [lease["job_id"] for lease in leases] == [beat["job_id"] for beat in beats]
    after = (await client.get(f"/jobs/{job['id']}")).json()
    assert (after["progress"], after["lease_expires_at"]) == (0.4, leases[0]["expires_at"])


async def test_another_workers_heartbeat_is_lost(client: httpx.AsyncClient) -> None:
    job_type = a_type()
    job = await submit(client, job_type=job_type)
    await claim(client, job_type)
    beats = {"leases": [{"job_id": job["id"], "attempt": 1}]}

    answer = await client.post("/workers/bob/heartbeat", json=beats)

    assert [lease["state"] for lease in answer.json()["leases"]] == ["lost"]


@pytest.mark.parametrize("progress", [-0.1, 1.1, "half", True])
async def test_progress_is_from_zero_to_one(client: httpx.AsyncClient, progress: object) -> None:
    beats = {"leases": [{"job_id": 1, "attempt": 1, "progress": progress}]}

    answer = await client.post("/workers/ada/heartbeat", json=beats)

    assert fields_at_fault(answer) == ["$.leases[0].progress"]


async def test_every_item_of_a_report_gets_its_own_answer(client: httpx.AsyncClient) -> None:
    job_type = a_type()
    for _ in range(4):
        await submit(client, job_type=job_type)
    done, broken, back, vague = await claim(client, job_type)
    error = {"type": "ValueError", "message": "no\u0000good", "detail": {"line": 3}}

    verdicts = await report(
        client,
        _of(done, outcome="succeeded", result={"n": 1}),
        _of(broken, outcome="failed", error=error),
        _of(back, outcome="released"),
        _of(vague, outcome="failed"),
        {"job_id": HUGE, "attempt": 1, "outcome": "succeeded"},
        {**_of(done, outcome="succeeded"), "attempt": 7},
        _of(vague, outcome="vanished"),
    )

    told = [(v["accepted"], v.get("state"), v.get("reason")) for v in verdicts]
    assert told == [
        (True, "succeeded", None), (True, "pending", None), (True, "pending", None),
        (False, None, "invalid"), (False, None, "unknown_job"), (False, None, "lease_lost"),
        (False, None, "invalid"),
    ]  # fmt: skip
    failed = (await client.get(f"/jobs/{broken['job_id']}")).json()
    assert (failed["error"], failed["worker_id"]) == (error, None)


async def test_a_report_told_again_is_accepted_again(client: httpx.AsyncClient) -> None:
    job_type = a_type()
    await submit(client, job_type=job_type)
    [lease] = await claim(client, job_type)
    outcome = _of(lease, outcome="succeeded", result=1)

    first = await report(client, outcome)

    assert await report(client, outcome) == first
    [other] = await report(client, _of(lease, outcome="released"))
    assert (other["accepted"], other["reason"]) == (False, "already_settled")


async def test_another_worker_cannot_report(client: httpx.AsyncClient) -> None:
    job_type = a_type()
    await submit(client, job_type=job_type)
    [lease] = await claim(client, job_type)

    [verdict] = await report(client, _of(lease, outcome="succeeded"), worker="bob")

    assert verdict["reason"] == "lease_lost"


async def test_a_report_can_ask_for_the_next_jobs(client: httpx.AsyncClient) -> None:
    job_type = a_type()
    for _ in range(2):
        await submit(client, job_type=job_type)
    [lease] = await claim(client, job_type, limit=1)
    body = {"outcomes": [_of(lease, outcome="succeeded")], "claim": {"job_types": [job_type]}}

    answer = (await client.post("/workers/ada/report", json=body)).json()

    assert [verdict["accepted"] for verdict in answer["outcomes"]] == [True]
    assert len(answer["leases"]) == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "$.outcomes"),
        ({"outcomes": 5}, "$.outcomes"),
        ({"outcomes": [5]}, "$.outcomes[0]"),
        ({"outcomes": [{"attempt": 1}]}, "$.outcomes[0].job_id"),
        ({"outcomes": [{"job_id": "1", "attempt": 1}]}, "$.outcomes[0].job_id"),
        ({"outcomes": [], "claim": {}}, "$.claim.job_types"),
        ({"outcomes": [{"job_id": 1, "attempt": 1}] * 1001}, "$.outcomes"),
    ],
    ids=lambda value: f"{value!r:.40}",
)
async def test_a_report_of_the_wrong_shape_is_refused_whole(
    client: httpx.AsyncClient, body: dict[str, Any], field: str
) -> None:
    assert fields_at_fault(await client.post("/workers/ada/report", json=body)) == [field]


@pytest.mark.parametrize(
    ("result", "error_type"),
    [
        (b'"a\\u0000b"', None),
        (b"1e400", None),
        (b"1" + b"0" * 400, None),
        (b'"' + b"x" * (2**20 - 2) + b'"', None),
        (b'"' + b"x" * (2**20 - 1) + b'"', "result_too_large"),
        (b'["\\ud83d\\ude00", "\\\\ud800"]', None),
        (b"[" * 500 + b"]" * 500, "result_invalid"),
    ],
    ids=lambda value: f"{len(value or b'')} {value!r:.20}",
)
async def test_whatever_the_result_the_job_ends(
    client: httpx.AsyncClient, result: bytes, error_type: str | None
) -> None:
    job_type = a_type()
    await submit(client, job_type=job_type)
    [lease] = await claim(client, job_type)
    item = b'{"job_id": %d, "attempt": 1, "outcome": "succeeded", "result": %b}'

    answer = await post(
        client,
        "/workers/ada/report",
        b'{"outcomes": [' + item % (lease["job_id"], result) + b"]}",
    )

    assert answer.json()["outcomes"][0]["accepted"] is True
    stored = await client.get(f"/jobs/{lease['job_id']}")
    assert f'"state":"{"failed" if error_type else "succeeded"}"' in stored.text
    assert (f'"type":"{error_type}"' in stored.text) if error_type else (result in stored.content)


@pytest.mark.parametrize("half", [b"\\ud800", b"\\uDC00\\ud800", b"\xff", b"\xed\xa0\x80"])
async def test_what_is_no_character_in_a_result_is_replaced(
    client: httpx.AsyncClient, half: bytes
) -> None:
    job_type = a_type()
    await submit(client, job_type=job_type)
    [lease] = await claim(client, job_type)
    item = b'{"job_id": %d, "attempt": 1, "outcome": "succeeded", "result": "a%bb"}'

    body = b'{"outcomes": [' + item % (lease["job_id"], half) + b"]}"
    answer = await post(client, "/workers/ada/report", body)

    assert answer.json()["outcomes"][0]["accepted"] is True
    result = (await client.get(f"/jobs/{lease['job_id']}")).json()["result"]
    assert result.strip("\ufffd") == result
    assert (result[0], set(result[1:-1]), result[-1]) == ("a", {"\ufffd"}, "b")


async def test_workers_are_listed_with_what_they_told(client: httpx.AsyncClient) -> None:
    name, job_type = a_type(), a_type()
    await submit(client, job_type=job_type)
    await claim(client, job_type, worker=name, queues=["default"], slots=7)

    [seen] = [w for w in (await client.get("/workers")).json()["items"] if w["id"] == name]

    assert seen.pop("last_seen").endswith("Z")
    assert seen == {
        "id": name, "job_types": [job_type], "queues": ["default"], "slots": 7, "running": 1,
        "state": "active",
    }  # fmt: skip


async def test_a_worker_that_signs_off_is_no_longer_listed(client: httpx.AsyncClient) -> None:
    name = a_type()
    await claim(client, a_type(), worker=name)

    answer = await client.delete(f"/workers/{name}")

    assert (answer.status_code, answer.content) == (httpx.codes.NO_CONTENT, b"")
    assert name not in (await client.get("/workers")).text


async def test_what_is_no_json_is_refused(client: httpx.AsyncClient) -> None:
    for path in ("claim", "heartbeat", "report"):
        answer = await post(client, f"/workers/ada/{path}", b"[" * 100_000)
        assert answer.status_code == httpx.codes.BAD_REQUEST
        a_problem(answer)


async def test_a_client_that_hangs_up_in_its_body_is_no_failure_of_ours(
    container: Container,
) -> None:
    app = create_app(container)
    sent = list[Any]()
    scope: Any = {
        "type": "http", "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": "/workers/ada/claim", "raw_path": b"/workers/ada/claim", "root_path": "",
        "query_string": b"", "headers": [(b"content-type", b"application/json")],
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2), "extensions": {},
    }  # fmt: skip

    async def hang_up() -> Any:  # noqa: ANN401 - an ASGI message
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:  # noqa: ANN401 - as above
        sent.append(message)

    async with app.lifespan():
        await app(scope, hang_up, send)

    assert sent[0]["status"] == httpx.codes.REQUEST_TIMEOUT


def _of(lease: dict[str, Any], **outcome: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"job_id": lease["job_id"], "attempt": lease["attempt"], **outcome}
