"""Looking at jobs, counts and health."""

import asyncio
from base64 import urlsafe_b64encode
from typing import Any

import httpx
import pytest

from entrypoints.container import Container
from tests.entrypoints.api_calls import (
    a_problem,
    a_type,
    claim,
    fields_at_fault,
    report,
    submit,
)

FORGED = urlsafe_b64encode(f"[{2**63},null,null,null,false]".encode()).decode().rstrip("=")
NO_IDS = ["0", "-1", "abc", "1.0", "1e3", "true", "%20", "9" * 19, "9" * 5000, "٣"]


@pytest.mark.parametrize("job_id", NO_IDS, ids=lambda value: value[:20])
async def test_what_cannot_be_an_id_is_an_unknown_job(
    client: httpx.AsyncClient, job_id: str
) -> None:
    answer = await client.get(f"/jobs/{job_id}")

    assert answer.status_code == httpx.codes.NOT_FOUND
    a_problem(answer)


@pytest.mark.parametrize("wait", ["-1", "60.1", "nan", "inf", "soon", ""])
async def test_a_wait_out_of_bounds_is_refused(client: httpx.AsyncClient, wait: str) -> None:
    job = await submit(client, job_type=a_type())

    answer = await client.get(f"/jobs/{job['id']}", params={"wait": wait})

    assert fields_at_fault(answer) == ["wait"]


async def test_a_waiting_client_is_answered_once_the_job_ends(client: httpx.AsyncClient) -> None:
    job_type = a_type()
    job = await submit(client, job_type=job_type)
    [lease] = await claim(client, job_type)

    waiting = asyncio.create_task(client.get(f"/jobs/{job['id']}", params={"wait": 30}))
    await asyncio.sleep(0)
    await report(client, _succeeded(lease))

    assert (await waiting).json()["state"] == "succeeded"


async def test_a_waiting_client_is_answered_when_the_time_is_up(client: httpx.AsyncClient) -> None:
    job = await submit(client, job_type=a_type())

    answer = await client.get(f"/jobs/{job['id']}", params={"wait": 0.01})

    assert answer.json()["state"] == "pending"


@pytest.mark.parametrize("order", ["newest", "oldest"])
async def test_pages_neither_repeat_nor_skip_while_jobs_come(
    client: httpx.AsyncClient, order: str
) -> None:
    job_type = a_type()
    there = [(await submit(client, job_type=job_type))["id"] for _ in range(10)]

    seen, cursor = list[int](), None
    for _ in range(20):
        page = await _page(client, job_type=job_type, limit=3, order=order, cursor=cursor)
        seen += [job["id"] for job in page["items"]]
        await submit(client, job_type=job_type)
        cursor = page["next_cursor"]
        if cursor is None or set(there) <= set(seen):
            break

    assert len(seen) == len(set(seen))
    assert [job_id for job_id in seen if job_id in there] == sorted(
        there, reverse=order == "newest"
    )


async def test_filters_choose_by_state_type_and_queue(client: httpx.AsyncClient) -> None:
    job_type = a_type()
    await submit(client, job_type=job_type)
    later = await submit(client, job_type=job_type, queue="later", delay=60)

    page = await _page(client, job_type=job_type, queue="later", state="scheduled")

    assert [job["id"] for job in page["items"]] == [later["id"]]
    assert page["next_cursor"] is None


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"), ("limit=501", "limit"), ("limit=ten", "limit"),
        ("limit=1.5", "limit"), ("order=random", "order"), ("state=asleep", "state"),
        ("cursor=garbage", "cursor"), ("cursor=" + "A" * 10_000, "cursor"),
        ("job_type=%00", "job_type"), ("queue=a%00", "queue"), ("cursor=" + FORGED, "cursor"),
        ("cursor=é", "cursor"), ("unheard_of=1", "unheard_of"),
    ],
    ids=lambda value: value[:20],
)  # fmt: skip
async def test_a_wrong_parameter_of_a_list_is_named(
    client: httpx.AsyncClient, query: str, field: str
) -> None:
    assert fields_at_fault(await client.get(f"/jobs?{query}")) == [field]


async def test_a_cursor_belongs_to_its_question(client: httpx.AsyncClient) -> None:
    job_type = a_type()
    for _ in range(2):
        await submit(client, job_type=job_type)
    page = await _page(client, job_type=job_type, limit=1)

    other = {"job_type": job_type, "limit": 1, "order": "oldest", "cursor": page["next_cursor"]}

    assert fields_at_fault(await client.get("/jobs", params=other)) == ["cursor"]


async def test_stats_count_states_and_lanes(client: httpx.AsyncClient) -> None:
    job_type = a_type()
    for _ in range(3):
        await submit(client, job_type=job_type)
    await submit(client, job_type=job_type, delay=60)
    await claim(client, job_type, limit=1)

    stats = (await client.get("/stats")).json()

    [lane] = [lane for lane in stats["lanes"] if lane["job_type"] == job_type]
    assert set(stats["states"]) == {
        "scheduled", "pending", "running", "succeeded", "failed", "cancelled"
    }  # fmt: skip
    assert (lane["queue"], lane["pending"], lane["running"]) == ("default", 2, 1)
    assert lane["oldest_pending_age"] >= 0


async def test_health_tells_that_all_is_well(
    client: httpx.AsyncClient, container: Container
) -> None:
    answers = [await client.get(path) for path in ("/health", "/health/live", "/health/ready")]

    assert [answer.status_code for answer in answers] == [httpx.codes.OK] * 3
    assert answers[0].json()["status"] == "ok"
    assert answers[0].json()["store"] == container.settings().store


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing/here", httpx.codes.NOT_FOUND),
        ("PUT", "/jobs", httpx.codes.METHOD_NOT_ALLOWED),
        ("PATCH", "/stats", httpx.codes.METHOD_NOT_ALLOWED),
        ("GET", "/workers/ada/claim", httpx.codes.METHOD_NOT_ALLOWED),
    ],
)
async def test_other_paths_and_methods_are_problems(
    client: httpx.AsyncClient, method: str, path: str, status: httpx.codes
) -> None:
    answer = await client.request(method, path)

    assert answer.status_code == status
    a_problem(answer)


async def _page(client: httpx.AsyncClient, **query: Any) -> dict[str, Any]:  # noqa: ANN401
    given = {name: value for name, value in query.items() if value is not None}
    answer = await client.get("/jobs", params=given)
    assert answer.status_code == httpx.codes.OK, answer.text
    page: dict[str, Any] = answer.json()
    return page


def _succeeded(lease: dict[str, Any]) -> dict[str, Any]:
    return {"job_id": lease["job_id"], "attempt": lease["attempt"], "outcome": "succeeded"}
