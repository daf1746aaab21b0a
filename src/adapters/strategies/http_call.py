"""`http_call`: makes an HTTP request."""

import asyncio
import time
from datetime import UTC, datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Annotated, Any

import httpx
import msgspec
from msgspec import UNSET, Meta, Raw, UnsetType

from adapters.strategies.payloads import payload_as
from adapters.strategies.retry_after import retry_after_s
from application.worker.task import Task, TaskFailed

MOST_BODY_BYTES = 64 * 1024
RETRYABLE = frozenset({408, 425, 429})
SERVER_ERRORS = range(500, 600)
WRONG_REQUESTS = (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.LocalProtocolError, ValueError)

Status = Annotated[int, Meta(ge=100, le=599)]
Token = Annotated[str, Meta(pattern=r"^[A-Za-z]{1,20}$")]


class CallPayload(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The request, and which statuses are a success where it is not any 2xx."""

    url: str
    method: Token = "GET"
    headers: dict[str, str] | None = None
    body: str | None = None
    json: Raw | UnsetType = UNSET
    timeout: Annotated[float, Meta(gt=0, le=604_800)] | None = None
    expect_status: Status | list[Status] | None = None


class HttpCallError(TaskFailed):
    """The call was made, or tried, and did not succeed."""


class HttpCall:
    """Makes the call; redirects are answers like others, and no cookies are kept."""

    job_type = "http_call"

    def __init__(self) -> None:
        no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
        self._client = httpx.AsyncClient(cookies=no_cookies, timeout=None)  # noqa: S113 - run() does

    async def run(self, task: Task) -> dict[str, object]:
        """Make the call and return status, headers, body and the seconds it took."""
        asked = payload_as(CallPayload, task)
        if asked.body is not None and asked.json is not UNSET:
            raise TaskFailed("the payload has both body and json", retryable=False)
        try:
            async with asyncio.timeout(asked.timeout):
                status, headers, result = await self._call(asked, task)
        except TimeoutError:
            raise HttpCallError(f"no answer within {asked.timeout:g} s") from None
        except WRONG_REQUESTS as error:
            raise HttpCallError(f"not a possible request: {error}", retryable=False) from None
        except httpx.HTTPError as error:
            raise HttpCallError(f"{type(error).__name__}: {error}") from None
        _require_success(status, asked, headers)
        return result

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _call(
        self, asked: CallPayload, task: Task
    ) -> tuple[int, httpx.Headers, dict[str, object]]:
        started_s = time.monotonic()
        async with self._client.stream(
            asked.method.upper(), asked.url, headers=_headers(asked, task), content=_content(asked)
        ) as response:
            body = await _beginning_of(response)
        result: dict[str, object] = {
            "status": response.status_code,
            "headers": dict(response.headers),
            "body": body.decode(_encoding(response), "replace"),
            "elapsed": round(time.monotonic() - started_s, 6),
        }
        return response.status_code, response.headers, result


def _headers(asked: CallPayload, task: Task) -> httpx.Headers:
    headers = httpx.Headers(asked.headers or {})
    if asked.json is not UNSET:
        headers.setdefault("Content-Type", "application/json")
    headers["Idempotency-Key"] = f"taskmill-job-{task.job_id}"
    headers["X-Taskmill-Attempt"] = str(task.attempt)
    return headers


def _content(asked: CallPayload) -> bytes | None:
    if isinstance(asked.json, Raw):
        return bytes(asked.json)
    return None if asked.body is None else asked.body.encode()


async def _beginning_of(response: httpx.Response) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) >= MOST_BODY_BYTES:
            break
    return bytes(body[:MOST_BODY_BYTES])


def _encoding(response: httpx.Response) -> str:
    try:
        "".encode(response.charset_encoding or "utf-8")
    except LookupError:
        return "utf-8"
    return response.charset_encoding or "utf-8"


def _require_success(status: int, asked: CallPayload, headers: httpx.Headers) -> None:
    if _is_expected(status, asked.expect_status):
        return
    raise HttpCallError(
        f"{asked.method.upper()} {asked.url} was answered {status}",
        retryable=status in RETRYABLE or status in SERVER_ERRORS,
        retry_after=retry_after_s(headers.get("Retry-After"), now=datetime.now(UTC)),
        detail={"status": status},
    )


def _is_expected(status: int, expected: Any) -> bool:  # noqa: ANN401 - a status, several or none
    if expected is None:
        return httpx.codes.is_success(status)
    return status in (expected if isinstance(expected, list) else [expected])
