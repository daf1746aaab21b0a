"""When two submits under one key are the same work."""

import json
from collections.abc import Sequence

from domain.errors import UniqueKeyTakenError
from domain.job import Job, Json

LONGEST_EXPONENT = 1000
"""Beyond this two numbers are equal if they are written alike; Python reads no longer integers."""

NUMBER = "\0number"
"""Marks a number in a document whose numbers have been read as text."""


def require_same_work(asked: Job, bearer: Job, *, index: int) -> None:
    """Raise `UniqueKeyTakenError` unless the bearer of the key is the very work asked for.

    The same work has the same job type, and a payload that is equal in value.
    """
    is_same = asked.job_type == bearer.job_type and is_same_json(asked.payload, bearer.payload)
    if not is_same:
        raise UniqueKeyTakenError(unique_key=bearer.unique_key or "", job_id=bearer.id, index=index)


def leaders_of(jobs: Sequence[Job]) -> Sequence[int]:
    """Return for each job of a batch the place of the first one with its key.

    A job without a key leads itself. `UniqueKeyTakenError` if jobs of one key are not the same
    work.
    """
    first: dict[str, int] = {}
    leaders = []
    for index, job in enumerate(jobs):
        leader = index if job.unique_key is None else first.setdefault(job.unique_key, index)
        if leader != index:
            require_same_work(job, jobs[leader], index=index)
        leaders.append(leader)
    return leaders


def is_same_json(one: Json, other: Json) -> bool:
    """Tell whether two documents are equal in value, numbers compared exactly."""
    return one == other or canonical(one) == canonical(other)


def canonical(document: bytes) -> str:
    """Return the one way of writing a document among all that are equal in value."""
    parsed = json.loads(document, parse_int=_number, parse_float=_number)
    return json.dumps(parsed, sort_keys=True)


def _number(text: str) -> dict[str, str]:
    # Digits and exponent instead of a float, so that 1e400 and 10^30 are told apart from
    # their neighbours. By text alone: an exponent may be too large for any arithmetic type.
    mantissa, _, exponent = text.lower().partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = (whole + fraction).lstrip("0")
    significant = digits.rstrip("0")
    if not significant:
        return {NUMBER: "0"}
    if len(exponent) > LONGEST_EXPONENT:
        return {NUMBER: text}
    shift = int(exponent or "0") - len(fraction) + len(digits) - len(significant)
    return {NUMBER: f"{sign}{significant}e{shift}"}
