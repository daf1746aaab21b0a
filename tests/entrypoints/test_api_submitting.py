"""`POST /jobs` and `/jobs/batch`."""

from typing import Any

import httpx
import pytest

from tests.entrypoints.api_calls import a_problem, a_type, fields_at_fault, post, submit

HUGE = 10**30
FOUR_KIB = {"note": "x" * 4096}

WRONG: list[tuple[str, list[Any]]] = [
    ("job_type", [None, "", 5, True, [], {}, "two words", "a/b", "ä", "x" * 101, "x\n"]),
    ("queue", ["", 5, True, [], "two words", "x" * 101, "x\n"]),
    ("priority", ["5", 1.5, 1.0, True, [], -32769, 32768, HUGE]),
    ("payload", [5, "text", [], True]),
    ("run_at", [5, True, "now", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01T00:00:60Z",
                "2026-13-01T00:00:00Z", "0001-01-01T00:00:00+10:00",
                "9999-12-31T23:59:59-10:00"]),
    ("delay", ["5", True, [], -1, -0.001, 315_360_001, HUGE]),
    ("timeout", ["5", True, [], 0, -1, 604_800.5, HUGE, 1e-9]),
    ("max_attempts", ["5", True, 1.5, 0, -1, 1001, HUGE]),
    ("retry", [5, "x", [], True]),
    ("retry.delay", ["5", True, -1, HUGE]),
    ("retry.factor", ["5", True, -0.5]),
    ("retry.max_delay", ["5", True, -1, HUGE]),
    ("retry.jitter", ["5", True, -0.5]),
    ("retry.unheard_of", [1]),
    ("metadata", [5, "x", [], True, FOUR_KIB]),
    ("unheard_of", [1]),
]  # fmt: skip


def _with(field: str, value: object) -> dict[str, Any]:
    outer, _, inner = field.partition(".")
    return {"job_type": "print", outer: {inner: value} if inner else value}


@pytest.mark.parametrize(
    ("field", "value"),
    [(field, value) for field, values in WRONG for value in values],
    ids=lambda value: f"{value!r:.40}",
)
async def test_a_wrong_field_is_named_and_nothing_is_stored(
    client: httpx.AsyncClient, field: str, value: object
) -> None:
    before = (await client.get("/stats")).json()["states"]

    answer = await client.post("/jobs", json=_with(field, value))

    assert fields_at_fault(answer) == [f"$.{field}"]
    assert (await client.get("/stats")).json()["states"] == before


async def test_a_missing_job_type_is_named(client: httpx.AsyncClient) -> None:
    assert fields_at_fault(await client.post("/jobs", json={})) == ["$.job_type"]


async def test_metadata_that_is_no_text_is_named(client: httpx.AsyncClient) -> None:
    answer = await client.post("/jobs", json={"job_type": "print", "metadata": {"a": 1}})

    assert fields_at_fault(answer)[0].startswith("$.metadata")


async def test_a_time_and_a_delay_together_are_refused(client: httpx.AsyncClient) -> None:
    body = {"job_type": "print", "delay": 1, "run_at": "2030-01-01T00:00:00Z"}

    assert fields_at_fault(await client.post("/jobs", json=body)) == ["$.delay"]


async def test_null_is_the_same_as_leaving_a_field_out(client: httpx.AsyncClient) -> None:
    names = ["payload", "priority", "queue", "run_at", "delay", "timeout", "max_attempts",
             "retry", "metadata", "unique_key"]  # fmt: skip
    bare = await submit(client, job_type="print")

    nulls = await submit(client, job_type="print", **dict.fromkeys(names))

    own = {"id", "created_at", "run_at"}
    assert {name: nulls[name] for name in nulls.keys() - own} == {
        name: bare[name] for name in bare.keys() - own
    }


async def test_a_job_is_answered_with_its_place_and_all_its_defaults(
    client: httpx.AsyncClient,
) -> None:
    answer = await client.post("/jobs", json={"job_type": "print"})

    job = answer.json()
    assert answer.status_code == httpx.codes.CREATED
    assert answer.headers["location"] == f"/jobs/{job['id']}"
    assert job == (await client.get(f"/jobs/{job['id']}")).json()
    assert job["created_at"] == job["run_at"]
    assert job["created_at"].endswith("Z")
    assert len(job["created_at"]) == len("2026-01-01T00:00:00.000000Z")
    assert {name: job[name] for name in DEFAULTS} == DEFAULTS


DEFAULTS = {
    "job_type": "print", "queue": "default", "priority": 0, "state": "pending", "payload": {},
    "metadata": {}, "result": None, "error": None, "attempt": 0, "failures": 0,
    "max_attempts": 2, "timeout": 30, "unique_key": None, "started_at": None,
    "finished_at": None, "worker_id": None, "lease_expires_at": None, "progress": None,
    "cancel_requested": False,
    "retry": {"delay": 0, "factor": 2, "max_delay": 3600, "jitter": 0},
}  # fmt: skip


@pytest.mark.parametrize(
    "payload",
    [
        b'{"nul": "a\\u0000b"}',
        b'{"\\u0000": 1}',
        b'{"big": 1000000000000000000000000000000}',
        b'{"over": 1e400, "tenth": 0.1, "edge": 1E308}',
        b'{"long": ' + b"7" * 5000 + b"}",
        b'{"twice": 1, "twice": 2, "": 3, "__proto__": {}}',
        b'{"pair": "\\ud83d\\ude00", "text": "\xc3\xa4\xe2\x82\xac"}',
        b'{ "spaced" :\n [ 1 ,\t2 ] }',
        b'{"deep": ' + b"[" * 99 + b"]" * 99 + b"}",
        b'{"brackets": "' + b"[" * 500 + b'"}',
    ],
)
async def test_a_payload_comes_back_byte_for_byte(
    client: httpx.AsyncClient, payload: bytes
) -> None:
    answer = await post(client, "/jobs", b'{"job_type": "print", "payload": ' + payload + b"}")

    assert answer.status_code == httpx.codes.CREATED, answer.text
    again = await client.get(answer.headers["location"])
    assert b'"payload":' + payload.strip() in again.content


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"nonsense", b'{"job_type": "print",}', b'{"job_type": "print"} {}',
        b"\xef\xbb\xbf{}", '{"job_type": "print"}'.encode("utf-16"),
        b'{"job_type": "print", "payload": {"x": "\xff"}}',
        b'{"job_type": "print", "payload": {"x": "\xed\xa0\x80"}}',
        b'{"job_type": "print", "payload": {"x": NaN}}',
        b'{"job_type": "print", "payload": {"x": Infinity}}',
        b'{"job_type": "print", "payload": {"x": "\\ud800"}}',
        b'{"job_type": "print", "payload": {"x": "\\udc00\\ud800"}}',
        b'{"job_type": "print", "payload": {"\\udfff": 1}}',
        b'{"job_type": "print", "payload": {"x": ' + b"[" * 100 + b"]" * 100 + b"}}",
        b'{"job_type": "print", "payload": ' + b'{"x":' * 10_000 + b"1" + b"}" * 10_001,
        b'{"job_type": "print", "payload": ' + b"[" * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
        b"[]", b"5", b'"text"', b"null", b"true",
        b'{"job_type": "print", "timeout": 1e400}',
        b'{"job_type": "print", "priority": ' + b"9" * 5000 + b"}",
    ],
    ids=lambda body: f"{len(body)} {body[:60]!r}",
)  # fmt: skip
async def test_a_body_that_cannot_be_kept_is_refused(
    client: httpx.AsyncClient, body: bytes
) -> None:
    answer = await post(client, "/jobs", body)

    assert answer.status_code == httpx.codes.BAD_REQUEST
    assert "Traceback" not in a_problem(answer)["detail"]


async def test_a_payload_past_the_limit_is_too_large(client: httpx.AsyncClient) -> None:
    fits, exceeds = ({"x": "a" * (256 * 1024 - 8 + more)} for more in (0, 1))

    accepted = await client.post("/jobs", json={"job_type": "print", "payload": fits})
    refused = await client.post("/jobs", json={"job_type": "print", "payload": exceeds})

    assert accepted.status_code == httpx.codes.CREATED
    assert refused.status_code == httpx.codes.REQUEST_ENTITY_TOO_LARGE
    assert "$.payload" in a_problem(refused)["detail"]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/json; charset=utf-16"},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
    ],
)
async def test_a_body_of_another_kind_is_not_read(
    client: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    answer = await client.post("/jobs", content=b'{"job_type": "print"}', headers=headers)

    assert answer.status_code == httpx.codes.UNSUPPORTED_MEDIA_TYPE
    a_problem(answer)


async def test_a_batch_is_stored_in_its_order(client: httpx.AsyncClient) -> None:
    jobs = [{"job_type": a_type(), "priority": n} for n in range(200)]

    answer = await client.post("/jobs/batch", json={"jobs": jobs})

    ids = answer.json()["ids"]
    assert answer.status_code == httpx.codes.CREATED
    assert ids == sorted(ids)
    first, last = [(await client.get(f"/jobs/{ids[n]}")).json() for n in (0, 199)]
    assert (first["priority"], last["priority"]) == (0, 199)


async def test_one_bad_job_refuses_the_whole_batch_and_is_named(
    client: httpx.AsyncClient,
) -> None:
    before = (await client.get("/stats")).json()["states"]
    jobs = [{"job_type": "print"}] * 3

    bad_value = await client.post("/jobs/batch", json={"jobs": [*jobs, {"job_type": "a b"}]})
    bad_rule = await client.post(
        "/jobs/batch", json={"jobs": [*jobs, {"job_type": "print", "timeout": 1e-9}]}
    )

    assert fields_at_fault(bad_value) == ["$.jobs[3].job_type"]
    assert fields_at_fault(bad_rule) == ["$.jobs[3].timeout"]
    assert (await client.get("/stats")).json()["states"] == before


@pytest.mark.parametrize("count", [0, 10_001])
async def test_a_batch_of_a_wrong_size_is_refused(client: httpx.AsyncClient, count: int) -> None:
    answer = await client.post("/jobs/batch", json={"jobs": [{"job_type": "print"}] * count})

    assert fields_at_fault(answer) == ["$.jobs"]
