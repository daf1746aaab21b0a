"""Where a page of jobs ended, in a form that clients hand back without reading it."""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Annotated

import msgspec
from msgspec import Meta

from application.queries import JobQuery
from domain.job import JobId
from entrypoints.api.problems import refused_field
from entrypoints.api.worker_bodies import BIGGEST_ID

LONGEST = 1000


class Cursor(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """The last id of a page and the question that the page answers."""

    after: Annotated[int, Meta(ge=1, le=BIGGEST_ID)]
    state: str | None
    job_type: str | None
    queue: str | None
    oldest_first: bool


_DECODER = msgspec.json.Decoder(Cursor)


def cursor_after(last: JobId, query: JobQuery) -> str:
    """Return the cursor for the page after this id."""
    cursor = Cursor(last, query.state, query.job_type, query.queue, query.oldest_first)
    return urlsafe_b64encode(msgspec.json.encode(cursor)).decode().rstrip("=")


def read_cursor(text: str, query: JobQuery) -> JobId:
    """Return the id to go on from; `ProblemError` unless the cursor belongs to this question."""
    try:
        padded = text[:LONGEST] + "=" * (-len(text) % 4)
        cursor = _DECODER.decode(urlsafe_b64decode(padded.encode("ascii")))
    except (ValueError, binascii.Error, msgspec.DecodeError):
        raise refused_field("cursor", "is none that was given out") from None
    if cursor_after(JobId(cursor.after), query) != text.rstrip("="):
        raise refused_field("cursor", "belongs to another question: keep the filters as they were")
    return JobId(cursor.after)
