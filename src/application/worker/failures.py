"""From an exception to a failure that can be stored and shown to anybody."""

import json
import math
import re
from datetime import timedelta

from application.outcomes import AttemptFailed
from application.worker.task import TaskFailed
from domain.job import Failure, Json, Lease
from domain.retry import LONGEST_WAIT

LONGEST_TYPE = 200
LONGEST_MESSAGE = 2000
LARGEST_DETAIL_BYTES = 16 * 1024

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_CREDENTIALS = re.compile(r"(?<=://)[^/\s@]+(?=@)")


def failed_by(error: BaseException, lease: Lease) -> AttemptFailed:
    """Return the outcome of an attempt whose strategy raised."""
    kind, retryable, retry_after, detail = type(error).__name__, True, None, None
    if isinstance(error, TaskFailed):
        kind = str(error.type or kind)
        retryable = bool(error.retryable)
        retry_after = _wait(error.retry_after)
        detail = _document(error.detail)
    failure = Failure(
        type=readable(kind, longest=LONGEST_TYPE),
        message=readable(_text_of(error), longest=LONGEST_MESSAGE),
        detail=detail,
    )
    return AttemptFailed(lease=lease, failure=failure, retryable=retryable, retry_after=retry_after)


def readable(text: str, *, longest: int) -> str:
    """Return text that any store and reader can take: no control characters, no secrets."""
    whole = text.encode("utf-8", "backslashreplace").decode()
    # Masked before it is cut: half a secret would no longer look like one.
    plain = _CREDENTIALS.sub("***", _CONTROL.sub("\N{REPLACEMENT CHARACTER}", whole))
    return plain if len(plain) <= longest else plain[: longest - 1] + "…"


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - a strategy's own exception may do anything
        return "the error cannot say what it is about"


def _wait(seconds: object) -> timedelta | None:
    if not isinstance(seconds, int | float) or math.isnan(seconds):
        return None
    return timedelta(seconds=min(max(float(seconds), 0.0), LONGEST_WAIT.total_seconds()))


def _document(detail: object) -> Json | None:
    if detail is None:
        return None
    try:
        document = json.dumps(detail, allow_nan=False, ensure_ascii=False).encode()
    except Exception:  # noqa: BLE001 - a detail that cannot be told must not hide the failure
        return None
    return Json(document) if len(document) <= LARGEST_DETAIL_BYTES else None
