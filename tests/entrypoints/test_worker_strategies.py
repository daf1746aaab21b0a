"""Strategies that ship, and strategies of one's own."""

import json
import threading
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from adapters.strategies.http_call import HttpCall
from adapters.strategies.print_message import Print
from adapters.strategies.retry_after import retry_after_s
from adapters.strategies.sleep import Sleep
from application.worker.task import Task, TaskFailed
from domain.job import JobId, Json, Lease
from entrypoints.strategies import StrategiesError, load_strategies


class Echo(BaseHTTPRequestHandler):
    """Answers with the status in the path, and tells what it was asked."""

    def answer(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        told = {
            "method": self.command,
            "headers": {name.lower(): value for name, value in self.headers.items()},
            "body": self.rfile.read(length).decode(),
        }
        body = b"x" * 100_000 if self.path == "/200/big" else json.dumps(told).encode()
        self.send_response(int(self.path.split("/")[1]))
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Retry-After", "7")
        self.send_header("Set-Cookie", "secret=1")
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer  # noqa: N815 - the names that the server looks for

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def echo() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Echo) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
async def http_call() -> AsyncIterator[HttpCall]:
    strategy = HttpCall()
    yield strategy
    await strategy.close()


def a_task(payload: object, *, attempt: int = 1) -> Task:
    lease = Lease(job_id=JobId(7), attempt=attempt, worker_id="ada")
    return Task(lease, job_type="any", raw_payload=Json(json.dumps(payload).encode()))


async def call(http_call: HttpCall, url: str, **payload: object) -> Any:  # noqa: ANN401 - a result
    return await http_call.run(a_task({"url": url, **payload}, attempt=3))


async def test_a_call_is_made_as_told_and_marked_with_job_and_attempt(
    http_call: HttpCall, echo: str
) -> None:
    result = await call(
        http_call, f"{echo}/201", method="post", json={"a": [1]}, headers={"X-Own": "yes"}
    )

    told = json.loads(result["body"])
    assert (result["status"], told["method"], json.loads(told["body"])) == (201, "POST", {"a": [1]})
    assert told["headers"]["x-own"] == "yes"
    assert told["headers"]["content-type"] == "application/json"
    assert told["headers"]["idempotency-key"] == "taskmill-job-7"
    assert told["headers"]["x-taskmill-attempt"] == "3"
    assert result["elapsed"] >= 0


async def test_jobs_share_no_cookies(http_call: HttpCall, echo: str) -> None:
    await call(http_call, f"{echo}/200")
    result = await call(http_call, f"{echo}/200")

    assert "cookie" not in json.loads(result["body"])["headers"]


async def test_a_long_body_is_cut(http_call: HttpCall, echo: str) -> None:
    result = await call(http_call, f"{echo}/200/big")

    assert len(result["body"]) == 64 * 1024


@pytest.mark.parametrize("status", [408, 425, 429, 500, 503])
async def test_statuses_that_may_pass_are_tried_again_when_the_server_says(
    http_call: HttpCall, echo: str, status: int
) -> None:
    with pytest.raises(TaskFailed) as caught:
        await call(http_call, f"{echo}/{status}")

    assert (caught.value.retryable, caught.value.retry_after) == (True, 7.0)


@pytest.mark.parametrize("status", [302, 400, 404])
async def test_other_statuses_are_final(http_call: HttpCall, echo: str, status: int) -> None:
    with pytest.raises(TaskFailed) as caught:
        await call(http_call, f"{echo}/{status}")

    assert not caught.value.retryable


async def test_an_expected_status_is_a_success(http_call: HttpCall, echo: str) -> None:
    assert (await call(http_call, f"{echo}/404", expect_status=404))["status"] == 404
    assert (await call(http_call, f"{echo}/404", expect_status=[200, 404]))["status"] == 404


async def test_a_server_that_cannot_be_reached_is_tried_again(http_call: HttpCall) -> None:
    with pytest.raises(TaskFailed) as caught:
        await call(http_call, "http://127.0.0.1:1/")

    assert caught.value.retryable


IMPOSSIBLE: dict[str, dict[str, object]] = {
    "no url": {},
    "typo": {"url": "http://127.0.0.1:1", "methud": "GET"},
    "scheme": {"url": "ftp://127.0.0.1/"},
    "not a url": {"url": "http://[::1"},
    "letters": {"url": "http://127.0.0.1:1", "headers": {"a": "☃"}},
    "two bodies": {"url": "http://127.0.0.1:1", "body": "a", "json": 1},
}


@pytest.mark.parametrize("payload", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
async def test_an_impossible_request_is_final(
    http_call: HttpCall, payload: dict[str, object]
) -> None:
    with pytest.raises(TaskFailed) as caught:
        await http_call.run(a_task(payload))

    assert not caught.value.retryable


async def test_a_header_of_two_lines_is_final(http_call: HttpCall, echo: str) -> None:
    with pytest.raises(TaskFailed) as caught:
        await call(http_call, f"{echo}/200", headers={"a": "b\nc"})

    assert not caught.value.retryable


@pytest.mark.parametrize(
    ("header", "wait_s"),
    [
        (None, None),
        ("soon", None),
        ("-1", None),
        ("120", 120.0),
        ("Tue, 01 Jan 2030 12:00:30 GMT", 30.0),
        ("Tue, 01 Jan 2019 12:00:30 GMT", 0.0),
    ],
)
def test_retry_after_is_read_as_seconds_or_date(header: str | None, wait_s: float | None) -> None:
    assert retry_after_s(header, now=datetime(2030, 1, 1, 12, tzinfo=UTC)) == wait_s


@pytest.mark.parametrize(("message", "line"), [("hü", "hü\n"), ({"a": 1}, '{"a": 1}\n')])
async def test_print_writes_its_message(
    capsys: pytest.CaptureFixture[str], message: object, line: str
) -> None:
    result = await Print().run(a_task({"message": message}))

    assert result == {"printed": message}
    assert capsys.readouterr().out == line


async def test_sleep_tells_its_progress() -> None:
    task = a_task({"seconds": 0, "steps": 2})

    assert await Sleep().run(task) == {"slept": 0.0}
    assert task.latest_progress == 1.0


OWN = """
class Shout:
    job_type = "shout"
    def run(self, task):
        return "!"

def one(task):
    return 1

MAPPING = {"one": one}
OBJECTS = (Shout() for _ in range(1))
NUMBER = 7
NAMES = {"no such name": one}
VALUES = {"one": 1}
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "own_strategies.py").write_text(OWN)
    (tmp_path / "broken_strategies.py").write_text("raise SystemExit('not\\ntoday')")
    monkeypatch.syspath_prepend(tmp_path)
    return "own_strategies"


def test_strategies_of_ones_own_are_loaded_by_name(own: str) -> None:
    loaded = load_strategies([f"{own}:MAPPING", f"{own}:OBJECTS"])

    assert list(loaded) == ["one", "shout"]


@pytest.mark.parametrize(
    "name",
    [
        "own_strategies",
        ":MAPPING",
        "own_strategies:",
        "own_strategies:MISSING",
        "own_strategies:NUMBER",
        "own_strategies:NAMES",
        "own_strategies:VALUES",
        "broken_strategies:X",
        "no.such.module:X",
        ".relative:X",
    ],
)
def test_what_cannot_be_loaded_is_told_in_one_line(own: str, name: str) -> None:
    assert own
    with pytest.raises(StrategiesError) as caught:
        load_strategies([name])

    assert "\n" not in str(caught.value)
    assert repr(name) in str(caught.value)
