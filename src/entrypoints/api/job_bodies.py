"""What clients send about jobs, and the submissions that it means."""

from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw

from domain.dispatch import HIGHEST_PRIORITY, LOWEST_PRIORITY
from domain.errors import InvalidValueError
from domain.job import Json
from domain.names import LONGEST_KEY, NAME_PATTERN
from domain.retry import LONGEST_WAIT, RetryPolicy
from domain.submission import LONGEST_TIMEOUT, MOST_ATTEMPTS, Submission
from entrypoints.api.documents import fault_of
from entrypoints.api.problems import ProblemError, problem, refused_field
from entrypoints.api.raw import NULL, left_out

LARGEST_METADATA = 4096
MOST_JOBS = 10_000

Name = Annotated[str, Meta(pattern=NAME_PATTERN, description="1 to 100 of A-Z a-z 0-9 _ . : -")]
Wait = Annotated[float, Meta(ge=0, le=LONGEST_WAIT.total_seconds())]
Share = Annotated[float, Meta(ge=0)]


class RetryBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """How long to wait before the next attempt, in seconds."""

    delay: Wait | None = None
    factor: Share | None = None
    max_delay: Wait | None = None
    jitter: Share | None = None


class SubmitBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A job to be run."""

    job_type: Annotated[Name, Meta(description="Which strategy runs it.")]
    payload: Annotated[
        Raw,
        Meta(
            description="A JSON object for the strategy.",
            extra_json_schema={"type": ["object", "null"]},
        ),
    ] = left_out()
    priority: (
        Annotated[
            int,
            Meta(ge=LOWEST_PRIORITY, le=HIGHEST_PRIORITY, description="Higher runs first."),
        ]
        | None
    ) = None
    queue: Name | None = None
    run_at: Annotated[datetime, Meta(tz=True, description="Not before this time.")] | None = None
    delay: Annotated[Wait, Meta(description="Not before this many seconds are over.")] | None = None
    timeout: (
        Annotated[
            float,
            Meta(
                gt=0,
                le=LONGEST_TIMEOUT.total_seconds(),
                description="How many seconds one attempt may run.",
            ),
        ]
        | None
    ) = None
    max_attempts: (
        Annotated[
            int,
            Meta(ge=1, le=MOST_ATTEMPTS, description="Failed attempts before it is failed."),
        ]
        | None
    ) = None
    retry: RetryBody | None = None
    metadata: dict[str, str] | None = None
    unique_key: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=LONGEST_KEY,
                description="At most one live job bears it.",
            ),
        ]
        | None
    ) = None


class BatchBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Jobs that are stored together or not at all."""

    jobs: Annotated[list[SubmitBody], Meta(min_length=1, max_length=MOST_JOBS)]


SUBMIT = msgspec.json.Decoder(SubmitBody)
BATCH = msgspec.json.Decoder(BatchBody)


def submission_of(body: SubmitBody, *, largest_payload: int, path: str = "$") -> Submission:
    """Return the submission; a `ProblemError` names the field at fault, from `path` on."""
    given: dict[str, Any] = {
        "job_type": body.job_type,
        "payload": _payload(body.payload, largest=largest_payload, path=path),
        "priority": body.priority,
        "queue": body.queue,
        "run_at": _in_utc(body.run_at, path=path),
        "delay": _length(body.delay),
        "timeout": _length(body.timeout),
        "max_attempts": body.max_attempts,
        "retry": _policy(body.retry),
        "metadata": _metadata(body.metadata, path=path),
        "unique_key": body.unique_key,
    }
    try:
        return Submission(**{name: value for name, value in given.items() if value is not None})
    except InvalidValueError as error:
        raise refused_field(f"{path}.{error.field}", f"must be {error.expected}") from None


def _payload(raw: Raw, *, largest: int, path: str) -> Json | None:
    document = bytes(raw)
    if document == NULL:
        return None
    if not document.startswith(b"{"):
        raise refused_field(f"{path}.payload", "must be a JSON object")
    if len(document) > largest:
        detail = f"{path}.payload has {len(document)} bytes; at most {largest} are accepted"
        raise ProblemError(
            problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "payload-too-large", detail)
        )
    fault = fault_of(document)
    if fault is not None:
        raise refused_field(f"{path}.payload", fault)
    return Json(document)


def _metadata(metadata: dict[str, str] | None, *, path: str) -> dict[str, str] | None:
    if metadata is not None and len(msgspec.json.encode(metadata)) > LARGEST_METADATA:
        raise refused_field(f"{path}.metadata", f"must not exceed {LARGEST_METADATA} bytes of JSON")
    return metadata


def _in_utc(moment: datetime | None, *, path: str) -> datetime | None:
    try:
        return None if moment is None else moment.astimezone(UTC)
    except OverflowError:
        message = "must lie between the years 1 and 9999 in UTC"
        raise refused_field(f"{path}.run_at", message) from None


def _policy(body: RetryBody | None) -> RetryPolicy | None:
    if body is None:
        return None
    given: dict[str, Any] = {
        "delay": _length(body.delay),
        "factor": body.factor,
        "max_delay": _length(body.max_delay),
        "jitter": body.jitter,
    }
    return RetryPolicy(**{name: value for name, value in given.items() if value is not None})


def _length(seconds: float | None) -> timedelta | None:
    return None if seconds is None else timedelta(seconds=seconds)
