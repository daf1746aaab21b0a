"""Routes for those who submit jobs and ask after them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from http import HTTPStatus
from typing import Annotated

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, QueryParameter

from application.inspect import GetJob, ListAttempts, ListJobs
from application.queries import JobQuery
from application.requests import Admitted
from application.steer import CancelJob, RetryJob
from application.submit import SubmitJobs
from domain.job import Job, JobState
from entrypoints.api.attempt_views import AttemptsView, attempt_view_of
from entrypoints.api.bodies import AnyRequest, read_json
from entrypoints.api.cursors import cursor_after, read_cursor
from entrypoints.api.disconnects import while_connected
from entrypoints.api.job_bodies import BATCH, SUBMIT, submission_of
from entrypoints.api.job_views import BatchView, JobsView, JobView, view_of
from entrypoints.api.receipts import receipt_of
from entrypoints.api.requests import job_id_of, require_known_queries
from entrypoints.settings import Settings

LONGEST_WAIT_S = 60
LARGEST_PAGE = 500

WaitSeconds = Annotated[
    float,
    QueryParameter(ge=0, le=LONGEST_WAIT_S, description="Hold the answer until the job is final."),
]
PageSize = Annotated[int, QueryParameter(ge=1, le=LARGEST_PAGE)]
InState = Annotated[JobState | None, QueryParameter(name="state")]
NameQuery = Annotated[str | None, QueryParameter(pattern=r"^[^\x00]*$")]
Order = Annotated[str, QueryParameter(pattern="^(newest|oldest)$")]


class JobRoutes(Controller):
    """`/jobs`."""

    path = "/jobs"
    tags = ("Jobs",)

    @post("/", summary="Submit a job")
    async def submit(
        self,
        request: AnyRequest,
        settings: NamedDependency[Settings],
        submit_jobs: NamedDependency[SubmitJobs],
    ) -> Response[JobView]:
        """Store a job; it will be run once it is due, by priority."""
        body = await read_json(request, SUBMIT)
        submission = submission_of(body, largest_payload=settings.max_payload)
        receipt = await receipt_of(request)
        [admission] = await submit_jobs([submission], receipt=receipt)
        job = admission.job
        status = HTTPStatus.OK if admission.how is Admitted.FOUND else HTTPStatus.CREATED
        return Response(view_of(job), status_code=status, headers={"Location": f"/jobs/{job.id}"})

    @post("/batch", summary="Submit many jobs")
    async def submit_batch(
        self,
        request: AnyRequest,
        settings: NamedDependency[Settings],
        submit_jobs: NamedDependency[SubmitJobs],
    ) -> BatchView:
        """Store up to 10,000 jobs, all or none."""
        body = await read_json(request, BATCH)
        submissions = [
            submission_of(job, largest_payload=settings.max_payload, path=f"$.jobs[{index}]")
            for index, job in enumerate(body.jobs)
        ]
        receipt = await receipt_of(request)
        admissions = await submit_jobs(submissions, receipt=receipt)
        return BatchView([admission.job.id for admission in admissions])

    @get("/{job_id:str}", summary="Look at a job")
    async def get_job(
        self,
        request: AnyRequest,
        job_id: FromPath[str],
        get_job: NamedDependency[GetJob],
        wait: WaitSeconds = 0,
    ) -> JobView:
        """Return a job, with `wait` only once it is final or the time is up."""
        require_known_queries(request, {"wait"})
        looking = get_job(job_id_of(job_id), wait=timedelta(seconds=wait))
        return view_of(await (while_connected(request, looking) if wait else looking))

    @get("/{job_id:str}/attempts", summary="Look at a job's attempts")
    async def list_attempts(
        self, job_id: FromPath[str], list_attempts: NamedDependency[ListAttempts]
    ) -> AttemptsView:
        """Return every attempt, oldest first; one that runs has no outcome yet."""
        attempts = await list_attempts(job_id_of(job_id))
        return AttemptsView([attempt_view_of(attempt) for attempt in attempts])

    @post("/{job_id:str}/cancel", status_code=HTTPStatus.OK, summary="Cancel a job")
    async def cancel(
        self, job_id: FromPath[str], cancel_job: NamedDependency[CancelJob]
    ) -> JobView:
        """Call a job off: at once if nobody runs it, else its worker is told to stop."""
        return view_of(await cancel_job(job_id_of(job_id)))

    @post("/{job_id:str}/retry", status_code=HTTPStatus.OK, summary="Retry a job")
    async def retry(self, job_id: FromPath[str], retry_job: NamedDependency[RetryJob]) -> JobView:
        """Send a failed or cancelled job round again."""
        return view_of(await retry_job(job_id_of(job_id)))

    @get("/", summary="List jobs")
    async def list_jobs(
        self,
        request: AnyRequest,
        list_jobs: NamedDependency[ListJobs],
        in_state: InState = None,
        job_type: NameQuery = None,
        queue: NameQuery = None,
        limit: PageSize = 50,
        cursor: FromQuery[str | None] = None,
        order: Order = "newest",
    ) -> JobsView:
        """Return a page of jobs; `next_cursor` leads to the next one."""
        require_known_queries(request, {"state", "job_type", "queue", "limit", "cursor", "order"})
        question = JobQuery(
            state=in_state,
            job_type=job_type,
            queue=queue,
            limit=limit,
            oldest_first=order == "oldest",
        )
        query = (
            question if cursor is None else replace(question, after=read_cursor(cursor, question))
        )
        return _page(await list_jobs(query), query)


def _page(jobs: Sequence[Job], query: JobQuery) -> JobsView:
    is_full = len(jobs) == query.limit
    next_cursor = cursor_after(jobs[-1].id, query) if is_full else None
    return JobsView([view_of(job) for job in jobs], next_cursor)
