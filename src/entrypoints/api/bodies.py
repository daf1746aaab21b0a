"""From the bytes of a request to a checked value."""

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, TypeVar

import msgspec
from litestar import Request
from litestar.exceptions import InternalServerException

from entrypoints.api.problems import ClientGoneError, ProblemError, problem, refused_field

T = TypeVar("T")
AnyRequest = Request[Any, Any, Any]

_WHERE = re.compile(r" - at `(?P<path>\$[^`]*)`$")
_FIELD = re.compile(r"(unknown|required) field `(?P<name>[^`]*)`")


def _as_it_is(body: bytes) -> bytes:
    return body


async def read_json(
    request: AnyRequest,
    decoder: msgspec.json.Decoder[T],
    *,
    prepare: Callable[[bytes], bytes] = _as_it_is,
) -> T:
    """Return the decoded body; a `ProblemError` says what is wrong with it, and where."""
    _require_json(request)
    return decode(prepare(await _whole_body(request)), decoder)


async def _whole_body(request: AnyRequest) -> bytes:
    try:
        return await request.body()
    except InternalServerException as error:  # the framework's word for a client that hung up
        raise ClientGoneError from error


def decode(body: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """Decode strictly: no fraction, text or truth value passes for an integer."""
    try:
        body.decode()
        return decoder.decode(body)
    except UnicodeDecodeError:
        raise _malformed("the body is not UTF-8") from None
    except msgspec.ValidationError as error:
        raise refused_within("$", error) from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise _malformed(f"the body is not JSON that can be read: {error}") from None


def _require_json(request: AnyRequest) -> None:
    media_type, _, parameters = request.headers.get("content-type", "").partition(";")
    charset = parameters.strip().lower().removeprefix("charset=").strip('"')
    if media_type.strip().lower() != "application/json" or charset not in {"", "utf-8", "utf8"}:
        raise _unsupported("the body must come as Content-Type: application/json, in UTF-8")
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise _unsupported("the body must come without Content-Encoding")


def refused_within(path: str, error: msgspec.ValidationError) -> ProblemError:
    """Return the error that names the field at fault, in a value that stands at `path`."""
    message = str(error)
    where = _WHERE.search(message)
    if where:
        path += where["path"].removeprefix("$")
    named = _FIELD.search(message)
    if named:
        path += f".{named['name']}"
    return refused_field(path, _WHERE.sub("", message))


def _malformed(detail: str) -> ProblemError:
    return ProblemError(problem(HTTPStatus.BAD_REQUEST, "malformed-json", detail))


def _unsupported(detail: str) -> ProblemError:
    return ProblemError(
        problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", detail)
    )
