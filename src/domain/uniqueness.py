"""When two submits under one key are the same work."""

import json
from collections.abc import Sequence
from decimal import Decimal

from domain.errors import UniqueKeyTakenError
from domain.job import Job, Json


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
    # their neighbours; in a shape that no number written as text can have.
    sign, digits, exponent = Decimal(text).as_tuple()
    written = "".join(map(str, digits)).lstrip("0")
    significant = written.rstrip("0")
    shift = int(exponent) + len(written) - len(significant) if significant else 0
    return {"\0number": f"{'-' if sign and significant else ''}{significant}e{shift}"}
