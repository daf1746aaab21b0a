"""What all calls to a scheduler have in common: their limits, and what their answers mean."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import TypeVar
from urllib.parse import quote

import httpx
import msgspec

from application.worker.ports import SchedulerRefusedError, SchedulerUnavailableError

CONNECT_WITHIN_S = 5.0
ANSWER_WITHIN_S = 10.0
CONNECTIONS = httpx.Limits(keepalive_expiry=2.0)
"""Idle connections are given up before a server does it, usually after 5 s: a request sent
just then would be lost."""

HEADERS = {"Content-Type": "application/json"}
TO_BE_REPEATED = frozenset({408, 425, 429})
SERVER_ERROR = 500
LONGEST_DETAIL = 500

Body = TypeVar("Body")


class Refusal(msgspec.Struct, frozen=True):
    """The part of a problem that says what is wrong."""

    detail: str = ""
    title: str = ""


def limits(*, wait_s: float = 0.0) -> httpx.Timeout:
    """Return how long to wait for an answer that may be held back for `wait_s`."""
    return httpx.Timeout(ANSWER_WITHIN_S + wait_s, connect=CONNECT_WITHIN_S)


def worker_path(worker_id: str, call: str = "") -> str:
    """Return the path of a worker's call."""
    return f"/workers/{quote(worker_id, safe='')}{call}"


def read(response: httpx.Response, body: type[Body]) -> Body:
    """Return what the scheduler answered."""
    require_success(response)
    try:
        return msgspec.json.decode(response.content, type=body)
    except msgspec.MsgspecError as error:
        message = f"{response.url} does not answer as a scheduler does: {error}"
        raise SchedulerUnavailableError(message) from None


def require_success(response: httpx.Response) -> None:
    """Raise what a status other than 2xx means."""
    status = response.status_code
    if response.is_success:
        return
    if status >= SERVER_ERROR or status in TO_BE_REPEATED:
        raise SchedulerUnavailableError(
            f"{response.url} answered {status}", retry_after=_retry_after(response)
        )
    raise SchedulerRefusedError(status=status, detail=_detail(response))


@contextmanager
def reaching(url: str) -> Iterator[None]:
    """Turn what goes wrong on the way into `SchedulerUnavailableError`."""
    try:
        yield
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        reason = str(error) or type(error).__name__
        raise SchedulerUnavailableError(f"cannot reach {url}: {reason}") from None


def answered_at(response: httpx.Response) -> datetime | None:
    """Return the scheduler's time of its answer, to the second; None if it does not tell."""
    try:
        return parsedate_to_datetime(response.headers.get("Date", "")).astimezone(UTC)
    except ValueError:
        return None


def _retry_after(response: httpx.Response) -> timedelta | None:
    told = response.headers.get("Retry-After", "")
    return timedelta(seconds=int(told[:6])) if told.isdecimal() else None


def _detail(response: httpx.Response) -> str:
    try:
        refusal = msgspec.json.decode(response.content, type=Refusal)
    except msgspec.MsgspecError:
        return response.text[:LONGEST_DETAIL]
    return refusal.detail or refusal.title
