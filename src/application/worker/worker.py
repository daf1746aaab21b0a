"""The worker itself: from the first claim to the sign-off."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

from application.outcomes import AttemptFailed, AttemptOutcome
from application.worker.attempt import Attempt, Stop
from application.worker.claiming import Claiming, Profile
from application.worker.contact import Contact
from application.worker.heartbeats import Heart, Heartbeats
from application.worker.ports import (
    Assignment,
    HeartbeatGateway,
    Log,
    SchedulerGateway,
    SchedulerRefusedError,
    SchedulerUnavailableError,
)
from application.worker.pulse import Pulse
from application.worker.registry import Registry
from application.worker.reporter import Reporter
from application.worker.workbench import Workbench
from domain.job import Lease

FLUSH_WITHIN_S = 5.0
SIGN_OFF_WITHIN_S = 2.0


class Worker:
    """Claims jobs and runs them until told to stop, then ends or hands back what it runs."""

    def __init__(  # noqa: PLR0913 - the ports of a worker, all named
        self,
        profile: Profile,
        registry: Registry,
        *,
        scheduler: SchedulerGateway,
        heartbeats: HeartbeatGateway,
        log: Log,
        roll: Callable[[], float],
        grace: timedelta = timedelta(seconds=30),
        heart: Callable[[Pulse, HeartbeatGateway], Heart] = Heartbeats,
    ) -> None:
        contact = Contact(log=log, roll=roll)
        self._worker_id = profile.worker_id
        self._scheduler = scheduler
        self._log = log
        self._grace_s = grace.total_seconds()
        self._bench = Workbench(profile.slots, registry, self._ended)
        pulse = Pulse(worker_id=profile.worker_id, contact=contact, stopped=self._stopped)
        self._heartbeats = heart(pulse, heartbeats)
        self._reporter = Reporter(
            worker_id=profile.worker_id,
            scheduler=scheduler,
            contact=contact,
            log=log,
            settled=self._heartbeats.let_go,
        )
        self._claiming = Claiming(
            profile=profile,
            scheduler=scheduler,
            contact=contact,
            bench=self._bench,
            begin=self._begin,
        )
        self._stopping = asyncio.Event()
        self._is_hurried = False
        self._loop: asyncio.AbstractEventLoop | None = None

    def stop(self) -> None:
        """Claim no more and end what runs; called again, hand it back at once."""
        self._is_hurried = self._stopping.is_set()
        self._stopping.set()
        if self._is_hurried:
            self._bench.hand_back(unwind_s=0)

    async def run(self) -> None:
        """Work until stopped; returns once everything is reported and signed off."""
        self._loop = asyncio.get_running_loop()
        self._heartbeats.start()
        reporting = asyncio.create_task(self._reporter.run(), name="reporter")
        claiming = asyncio.create_task(self._claiming.run(), name="claims")
        stopping = asyncio.create_task(self._stopping.wait(), name="stop")
        loops = (reporting, claiming, stopping)
        try:
            await asyncio.wait(loops, return_when=asyncio.FIRST_COMPLETED)
            claiming.cancel()
            await self._drain()
        finally:
            self._heartbeats.close()
            await _end(loops)
        await self._sign_off()

    async def _drain(self) -> None:
        self._log.info("worker stopping", running=self._bench.running)
        if self._is_hurried:
            self._bench.hand_back(unwind_s=0)
        try:
            async with asyncio.timeout(self._grace_s):
                await self._bench.is_empty()
        except TimeoutError:
            self._bench.hand_back()
            await self._bench.is_empty()
        await self._flush()

    async def _flush(self) -> None:
        try:
            async with asyncio.timeout(FLUSH_WITHIN_S):
                await self._reporter.flush()
        except TimeoutError:
            self._log.warning("the scheduler is away; some outcomes could not be reported")

    async def _sign_off(self) -> None:
        with suppress(TimeoutError, SchedulerUnavailableError, SchedulerRefusedError):
            async with asyncio.timeout(SIGN_OFF_WITHIN_S):
                await self._scheduler.sign_off(self._worker_id)
        self._log.info("worker stopped")

    def _begin(self, assignment: Assignment) -> None:
        attempt = self._bench.put(assignment)
        self._heartbeats.hold(assignment, lambda: attempt.task.latest_progress)

    def _ended(self, attempt: Attempt, outcome: AttemptOutcome | None) -> None:
        if outcome is None:
            self._heartbeats.let_go([attempt.lease])
            return
        if isinstance(outcome, AttemptFailed):
            self._tell_failure(attempt, outcome)
        self._reporter.add(outcome)

    def _tell_failure(self, attempt: Attempt, failed: AttemptFailed) -> None:
        self._log.info(
            "attempt failed",
            job_id=attempt.task.job_id,
            attempt=attempt.task.attempt,
            job_type=attempt.task.job_type,
            error=failed.failure.type,
            message=failed.failure.message,
            exc_info=attempt.error if failed.failure.type != Stop.TIMEOUT else None,
        )

    def _stopped(self, lease: Lease, why: Stop) -> None:
        self._bench.warn(lease)
        with suppress(RuntimeError):  # the loop is closed: nothing runs any more
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._bench.stop, lease, why)


async def _end(loops: tuple["asyncio.Task[None] | asyncio.Task[bool]", ...]) -> None:
    for task in loops:
        task.cancel()
    for task in loops:
        with suppress(asyncio.CancelledError):
            await task
