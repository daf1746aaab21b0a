"""Errors as problem details (RFC 9457): one table from what went wrong to what is answered."""

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException

from application.ports import StoreUnavailableError
from domain.errors import (
    IdempotencyKeyReusedError,
    IllegalMoveError,
    InvalidValueError,
    KeyHeldError,
    UniqueKeyTakenError,
    UnknownJobError,
)

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_S = 1


class Fault(msgspec.Struct, frozen=True):
    """One field at fault: where in the body (a JSON path) and what was expected."""

    field: str
    message: str


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is answered instead of success."""

    type: str
    title: str
    status: int
    detail: str
    errors: Sequence[Fault] = ()


class ClientGoneError(Exception):
    """Nobody is there any more to read the answer."""


class ProblemError(Exception):
    """Raised by this interface to answer with a problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail)
        self.problem = problem


def problem(status: HTTPStatus, slug: str, detail: str, *, errors: Sequence[Fault] = ()) -> Problem:
    """Return a problem whose type is a stable slug and whose title is the slug in words."""
    return Problem(
        type=f"/problems/{slug}",
        title=slug.replace("-", " ").capitalize(),
        status=status,
        detail=detail,
        errors=errors,
    )


def refused_field(field: str, message: str) -> ProblemError:
    """Return the error that names a field of the body and what was expected of it."""
    fault = Fault(field=field, message=message)
    detail = f"{field}: {message}"
    return ProblemError(problem(HTTPStatus.BAD_REQUEST, "invalid-request", detail, errors=[fault]))


def _invalid_value(error: InvalidValueError) -> Problem:
    return refused_field(f"$.{error.field}", f"must be {error.expected}").problem


def _unknown_job(error: UnknownJobError) -> Problem:
    return problem(HTTPStatus.NOT_FOUND, "job-not-found", str(error))


def _illegal_move(error: IllegalMoveError) -> Problem:
    return problem(HTTPStatus.CONFLICT, "wrong-state", str(error))


def _key_taken(error: UniqueKeyTakenError) -> Problem:
    detail = f"{error}; it is number {error.index} of the jobs that were sent"
    return problem(HTTPStatus.CONFLICT, "unique-key-taken", detail)


def _key_held(error: KeyHeldError) -> Problem:
    return problem(HTTPStatus.CONFLICT, "unique-key-taken", str(error))


def _key_reused(error: IdempotencyKeyReusedError) -> Problem:
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "idempotency-key-reused", str(error))


def _store_away(_error: StoreUnavailableError) -> Problem:
    detail = "the store is away; try again, a submit best under an Idempotency-Key"
    return problem(HTTPStatus.SERVICE_UNAVAILABLE, "store-unavailable", detail)


def _client_gone(_error: ClientGoneError) -> Problem:
    # Nobody reads this; it only must not be taken for a failure of ours.
    return problem(HTTPStatus.REQUEST_TIMEOUT, "client-gone", "the client has hung up")


def _own(error: ProblemError) -> Problem:
    return error.problem


QUERY_NAMES = {"in_state": "state"}
"""Parameters that are called otherwise here, because the framework keeps their name to itself."""

SLUGS = {
    HTTPStatus.BAD_REQUEST: "invalid-request",
    HTTPStatus.NOT_FOUND: "not-found",
    HTTPStatus.METHOD_NOT_ALLOWED: "method-not-allowed",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "too-large",
}


def _framework(error: HTTPException) -> Problem:
    status = HTTPStatus(error.status_code)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return _unforeseen(error)
    if isinstance(error, ValidationException):
        return _invalid_parameters(error)
    slug = SLUGS.get(status, status.phrase.lower().replace(" ", "-"))
    return problem(status, slug, error.detail or status.phrase)


def _invalid_parameters(error: ValidationException) -> Problem:
    told = error.extra if isinstance(error.extra, list) else []
    faults = [
        Fault(field=QUERY_NAMES.get(fault["key"], fault["key"]), message=fault["message"])
        for fault in told
    ]
    detail = "; ".join(f"{fault.field}: {fault.message}" for fault in faults)
    return problem(HTTPStatus.BAD_REQUEST, "invalid-request", detail, errors=faults)


def _unforeseen(_error: Exception) -> Problem:
    detail = "the scheduler failed to handle this request"
    return problem(HTTPStatus.INTERNAL_SERVER_ERROR, "internal-error", detail)


PROBLEMS: dict[type[Exception], Callable[..., Problem]] = {
    ProblemError: _own,
    InvalidValueError: _invalid_value,
    UnknownJobError: _unknown_job,
    IllegalMoveError: _illegal_move,
    UniqueKeyTakenError: _key_taken,
    KeyHeldError: _key_held,
    IdempotencyKeyReusedError: _key_reused,
    StoreUnavailableError: _store_away,
    ClientGoneError: _client_gone,
    HTTPException: _framework,
    Exception: _unforeseen,
}


def answer_problem(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Turn any error into a problem; what nobody foresaw is logged with its traceback."""
    kind = next(kind for kind in type(error).__mro__ if kind in PROBLEMS)
    told = PROBLEMS[kind](error)
    if told.status == HTTPStatus.INTERNAL_SERVER_ERROR:
        path = request.url.path
        structlog.get_logger("taskmill").error("request failed", path=path, exc_info=error)
    return Response(
        msgspec.json.encode(told),
        status_code=told.status,
        media_type=MEDIA_TYPE,
        headers=_headers(error, told),
    )


def _headers(error: Exception, told: Problem) -> dict[str, str]:
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    if told.status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers["Retry-After"] = str(RETRY_AFTER_S)
    return headers
