"""Telling the scheduler what attempts came to, until it has answered."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from application.outcomes import AttemptFailed, AttemptOutcome, AttemptSucceeded
from application.worker.contact import REFUSED, Contact
from application.worker.failures import LONGEST_MESSAGE, readable
from application.worker.ports import Answer, Log, SchedulerGateway, SchedulerRefusedError
from domain.job import Failure, Lease

MOST_OUTCOMES = 1000
MOST_BYTES = 8 * 2**20
ABOUT_THE_CONTENT = frozenset({400, 413, 422})
"""Refusals of what a report holds. Others, such as a missing permission, are waited out."""


@dataclass(slots=True, kw_only=True)
class Reporter:
    """Reports outcomes in the order in which attempts ended, as many at once as have gathered.

    `settled` hears which leases were answered for: from then on they are no more this worker's.
    """

    worker_id: str
    scheduler: SchedulerGateway
    contact: Contact
    log: Log
    settled: Callable[[Iterable[Lease]], None]
    _queue: deque[AttemptOutcome] = field(default_factory=deque)
    _filled: asyncio.Event = field(default_factory=asyncio.Event)
    _emptied: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, outcome: AttemptOutcome) -> None:
        """Take an outcome to be told next."""
        self._queue.append(outcome)
        self._emptied.clear()
        self._filled.set()

    async def flush(self) -> None:
        """Return once all that was taken is answered."""
        if self._queue:
            await self._emptied.wait()

    async def run(self) -> None:
        """Report for ever; cancelling loses nothing that was not reported before."""
        while True:
            await self._filled.wait()
            await self._tell(_first_of(self._queue))
            if not self._queue:
                self._filled.clear()
                self._emptied.set()

    async def _tell(self, batch: Sequence[AttemptOutcome]) -> None:
        try:
            await self._report(batch)
        except SchedulerRefusedError as error:
            if error.status not in ABOUT_THE_CONTENT:
                self.contact.lost("report", error)
                await self.contact.pause(REFUSED)
            elif len(batch) > 1:
                await self._tell(batch[: len(batch) // 2])
            else:
                self._replace_refused(error)

    async def _report(self, batch: Sequence[AttemptOutcome]) -> None:
        report = partial(self.scheduler.report, self.worker_id, batch)
        answers = await self.contact.insist("report", report)
        for _ in batch:
            self._queue.popleft()
        self.settled([outcome.lease for outcome in batch])
        self._note(answers)

    def _note(self, answers: Sequence[Answer]) -> None:
        for answer in answers:
            if not answer.accepted:
                job_id, attempt = answer.lease.job_id, answer.lease.attempt
                self.log.warning(
                    "outcome not accepted", job_id=job_id, attempt=attempt, reason=answer.reason
                )

    def _replace_refused(self, error: SchedulerRefusedError) -> None:
        refused = self._queue.popleft()
        job_id, attempt = refused.lease.job_id, refused.lease.attempt
        self.log.warning("report refused", job_id=job_id, attempt=attempt, error=str(error))
        if isinstance(refused, AttemptSucceeded):
            self._queue.appendleft(_unreportable(refused.lease, error))
        else:
            self.settled([refused.lease])


def _first_of(queue: deque[AttemptOutcome]) -> Sequence[AttemptOutcome]:
    batch: list[AttemptOutcome] = []
    size = 0
    for outcome in queue:
        size += len(outcome.result) if isinstance(outcome, AttemptSucceeded) else 0
        if batch and (size > MOST_BYTES or len(batch) == MOST_OUTCOMES):
            break
        batch.append(outcome)
    return batch


def _unreportable(lease: Lease, error: SchedulerRefusedError) -> AttemptFailed:
    message = readable(f"the result was refused: {error.detail}", longest=LONGEST_MESSAGE)
    failure = Failure(type="result_invalid", message=message)
    return AttemptFailed(lease=lease, failure=failure, retryable=False)
