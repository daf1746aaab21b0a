"""Routes for workers, in whatever language they are written."""

from collections.abc import Iterator, Sequence
from http import HTTPStatus

from litestar import Controller, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from application.claim import ClaimJobs
from application.heartbeat import KeepLeases
from application.inspect import ListWorkers
from application.meet_worker import MeetWorker
from application.outcomes import AttemptOutcome, Refusal, Verdict
from application.report import ReportOutcomes
from application.sign_off import SignOff
from domain.job import Job
from entrypoints.api.bodies import AnyRequest, read_json
from entrypoints.api.disconnects import while_connected
from entrypoints.api.documents import mended
from entrypoints.api.outcome_bodies import InvalidItem, outcomes_of
from entrypoints.api.requests import worker_id_of
from entrypoints.api.worker_bodies import (
    CLAIM,
    HEARTBEAT,
    REPORT,
    ClaimBody,
    beats_of,
    claim_of,
    is_possible,
    wait_of,
)
from entrypoints.api.worker_views import (
    HeartbeatView,
    LeasesView,
    ReportView,
    WorkersView,
    held_view_of,
    lease_view_of,
    verdict_view_of,
    worker_view_of,
)
from entrypoints.settings import Settings


class WorkerRoutes(Controller):
    """`/workers`."""

    path = "/workers"
    tags = ("Workers",)

    @get("/", summary="List workers")
    async def list_workers(self, list_workers: NamedDependency[ListWorkers]) -> WorkersView:
        """Return the workers that called within the last five minutes."""
        return WorkersView([worker_view_of(seen) for seen in await list_workers()])

    @post("/{worker_id:str}/claim", status_code=HTTPStatus.OK, summary="Claim jobs")
    async def claim(
        self,
        request: AnyRequest,
        worker_id: FromPath[str],
        settings: NamedDependency[Settings],
        claim_jobs: NamedDependency[ClaimJobs],
        meet_worker: NamedDependency[MeetWorker],
    ) -> LeasesView:
        """Hand out jobs that the worker can run, and wait for some if there are none yet."""
        body = await read_json(request, CLAIM)
        worker_id = worker_id_of(worker_id)
        jobs = await _claim(request, body, worker_id, settings, claim_jobs, meet_worker)
        return LeasesView([lease_view_of(job) for job in jobs])

    @post("/{worker_id:str}/heartbeat", status_code=HTTPStatus.OK, summary="Keep leases")
    async def heartbeat(
        self,
        request: AnyRequest,
        worker_id: FromPath[str],
        settings: NamedDependency[Settings],
        keep_leases: NamedDependency[KeepLeases],
        meet_worker: NamedDependency[MeetWorker],
    ) -> HeartbeatView:
        """Renew the leases that the worker holds, and say which it has lost or should stop."""
        body = await read_json(request, HEARTBEAT)
        worker_id = worker_id_of(worker_id)
        beats = beats_of(body, worker_id, lease_length=settings.lease_length)
        possible = [beat for beat in beats if is_possible(beat.lease)]
        renewed = await keep_leases(worker_id, possible)
        await meet_worker.greet(worker_id)
        return HeartbeatView([held_view_of(beat.lease, renewed.get(beat.lease)) for beat in beats])

    @post("/{worker_id:str}/report", status_code=HTTPStatus.OK, summary="Report outcomes")
    async def report(
        self,
        request: AnyRequest,
        worker_id: FromPath[str],
        settings: NamedDependency[Settings],
        report_outcomes: NamedDependency[ReportOutcomes],
        claim_jobs: NamedDependency[ClaimJobs],
        meet_worker: NamedDependency[MeetWorker],
    ) -> ReportView:
        """Settle ended attempts; with `claim`, hand out new jobs in the same answer."""
        body = await read_json(request, REPORT, prepare=mended)
        worker_id = worker_id_of(worker_id)
        verdicts = await _settle(outcomes_of(body, worker_id), report_outcomes)
        told = [verdict_view_of(verdict) for verdict in verdicts]
        if body.claim is None:
            await meet_worker.greet(worker_id)
            return ReportView(told)
        jobs = await _claim(request, body.claim, worker_id, settings, claim_jobs, meet_worker)
        return ReportView(told, [lease_view_of(job) for job in jobs])

    @delete("/{worker_id:str}", summary="Sign off")
    async def sign_off(
        self,
        worker_id: FromPath[str],
        sign_off: NamedDependency[SignOff],
        meet_worker: NamedDependency[MeetWorker],
    ) -> None:
        """Take the worker off the list, and hand on what it still holds: no failure counts."""
        await sign_off(worker_id_of(worker_id))
        meet_worker.forget(worker_id)


async def _claim(
    request: AnyRequest,
    body: ClaimBody,
    worker_id: str,
    settings: Settings,
    claim_jobs: ClaimJobs,
    meet_worker: MeetWorker,
) -> Sequence[Job]:
    asked = claim_of(body, worker_id, lease_length=settings.lease_length)
    await meet_worker.introduce(
        worker_id,
        job_types=tuple(body.job_types),
        queues=None if body.queues is None else tuple(body.queues),
        slots=body.slots,
    )
    return await while_connected(request, claim_jobs(asked, wait=wait_of(body)))


async def _settle(
    items: Sequence[AttemptOutcome | InvalidItem], report_outcomes: ReportOutcomes
) -> Sequence[Verdict | InvalidItem]:
    possible = [
        item for item in items if not isinstance(item, InvalidItem) and is_possible(item.lease)
    ]
    verdicts = iter(await report_outcomes(possible))
    return [_verdict(item, verdicts) for item in items]


def _verdict(
    item: AttemptOutcome | InvalidItem, verdicts: Iterator[Verdict]
) -> Verdict | InvalidItem:
    if isinstance(item, InvalidItem):
        return item
    if not is_possible(item.lease):
        return Verdict(lease=item.lease, refusal=Refusal.UNKNOWN_JOB)
    return next(verdicts)
