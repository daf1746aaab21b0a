"""Calls to a scheduler, and what a command has to know of the answers."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import httpx
import msgspec

from entrypoints.cli.configured import require_url, settings_with
from entrypoints.cli.failures import FAILED, UNREACHABLE, give_up

LONGEST_POLL_S = 20.0
ANSWER_WITHIN_S = 10.0
UNAVAILABLE = frozenset({502, 503, 504})

Known = TypeVar("Known")


class Reason(msgspec.Struct, frozen=True):
    """The part of an error that people read."""

    message: str = ""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a job that commands look at; what they print is the whole answer."""

    id: int
    job_type: str
    queue: str
    priority: int
    state: str
    attempt: int
    error: Reason | None = None

    @property
    def is_final(self) -> bool:
        """Tell whether it has ended."""
        return self.state in {"succeeded", "failed", "cancelled"}


class Page(msgspec.Struct, frozen=True):
    """A list of jobs."""

    items: Sequence[Job]


class Fault(msgspec.Struct, frozen=True):
    """One field that is wrong."""

    field: str = ""
    message: str = ""


class Problem(msgspec.Struct, frozen=True):
    """Why the scheduler refuses."""

    detail: str = ""
    title: str = ""
    errors: Sequence[Fault] = ()

    def __str__(self) -> str:
        faults = "; ".join(f"{fault.field}: {fault.message}" for fault in self.errors)
        return faults or self.detail or self.title


class Scheduler:
    """The scheduler that a command speaks to."""

    def __init__(self, url: str | None) -> None:
        self._url = settings_with(scheduler_url=url).scheduler_url.rstrip("/")
        require_url(self._url)

    def call(
        self,
        method: str,
        path: str,
        *,
        content: bytes | None = None,
        params: Mapping[str, str] | None = None,
    ) -> bytes:
        """Return the body of the answer; end the command if it is not a success."""
        url = self._url + path
        try:
            answer = httpx.request(
                method,
                url,
                content=content,
                params=params,
                headers={"Content-Type": "application/json"},
                timeout=LONGEST_POLL_S + ANSWER_WITHIN_S,
            )
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            give_up(f"cannot reach the scheduler at {url}: {error}", code=UNREACHABLE)
        if answer.is_error:
            problem = str(decoded(answer.content, Problem)) or f"{url}: {answer.status_code}"
            give_up(problem, code=UNREACHABLE if answer.status_code in UNAVAILABLE else FAILED)
        return answer.content


def decoded(answer: bytes, kind: type[Known]) -> Known:
    """Return what is known of an answer; end the command if it is no scheduler's."""
    try:
        return msgspec.json.decode(answer, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        give_up("what answers there is no scheduler of Taskmill", code=UNREACHABLE)
