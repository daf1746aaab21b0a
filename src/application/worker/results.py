"""From what a strategy returned to a result that can be stored."""

import json

from application.outcomes import AttemptFailed, AttemptSucceeded
from application.worker.failures import LONGEST_MESSAGE, readable
from domain.job import Failure, Json, Lease

LARGEST_BYTES = 2**20
NOTHING = Json(b"null")

_ENCODER = json.JSONEncoder(allow_nan=False, ensure_ascii=False, separators=(",", ":"))


def succeeded_with(result: object, lease: Lease) -> AttemptSucceeded | AttemptFailed:
    """Return the outcome of an attempt whose strategy returned.

    The work is done, so a result that cannot be kept ends the job: another attempt would only
    do the work again for the same result.
    """
    if result is None:
        return AttemptSucceeded(lease=lease, result=NOTHING)
    try:
        document = Json(_ENCODER.encode(result).encode())
    except Exception as error:  # noqa: BLE001 - a value of a strategy's own class may do anything
        return _unkept(lease, "result_invalid", f"JSON cannot hold the result: {error!r}")
    if len(document) > LARGEST_BYTES:
        message = f"the result has {len(document)} bytes; at most {LARGEST_BYTES} are kept"
        return _unkept(lease, "result_too_large", message)
    return AttemptSucceeded(lease=lease, result=document)


def _unkept(lease: Lease, kind: str, message: str) -> AttemptFailed:
    failure = Failure(type=kind, message=readable(message, longest=LONGEST_MESSAGE))
    return AttemptFailed(lease=lease, failure=failure, retryable=False)
