"""What is checked of a request's address: path and query."""

from collections.abc import Collection
from http import HTTPStatus

from domain.job import JobId
from entrypoints.api.bodies import AnyRequest
from entrypoints.api.problems import ProblemError, problem, refused_field
from entrypoints.api.worker_bodies import BIGGEST_ID

LONGEST_WORKER_ID = 200


def require_known_queries(request: AnyRequest, known: Collection[str]) -> None:
    """Refuse a query parameter that does not exist, so that no typo passes silently."""
    for name in request.query_params:
        if name not in known:
            raise refused_field(name, f"is unknown here; there are: {', '.join(sorted(known))}")


def job_id_of(text: str) -> JobId:
    """Return the id in a path; what cannot be one is an unknown job."""
    if text.isascii() and text.isdigit() and len(text) <= len(str(BIGGEST_ID)):
        number = int(text)
        if 1 <= number <= BIGGEST_ID:
            return JobId(number)
    raise ProblemError(problem(HTTPStatus.NOT_FOUND, "job-not-found", "there is no such job"))


def worker_id_of(text: str) -> str:
    """Return the worker id in a path, which the server has percent-decoded."""
    if 1 <= len(text) <= LONGEST_WORKER_ID and text.isprintable():
        return text
    raise refused_field("worker_id", f"must be 1 to {LONGEST_WORKER_ID} printable characters")
