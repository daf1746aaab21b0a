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
INVALID = "invalid"
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
    _replaced: set[Lease] = field(default_factory=set)

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
                self._queue.popleft()
                self._close([self._refused(batch[0], error.detail)], batch)

    async def _report(self, batch: Sequence[AttemptOutcome]) -> None:
        report = partial(self.scheduler.report, self.worker_id, batch)
        answers = await self.contact.insist("report", report)
        for _ in batch:
            self._queue.popleft()
        refused = [answer for answer in answers if not answer.accepted]
        told = {outcome.lease: outcome for outcome in batch}
        self._close([self._look_at(answer, told.get(answer.lease)) for answer in refused], batch)

    def _look_at(self, answer: Answer, told: AttemptOutcome | None) -> AttemptOutcome | None:
        if told is not None and answer.reason == INVALID:
            return self._refused(told, answer.detail or INVALID)
        job_id, attempt = answer.lease.job_id, answer.lease.attempt
        self.log.warning(
            "outcome not accepted", job_id=job_id, attempt=attempt, reason=answer.reason
        )
        return None

    def _refused(self, outcome: AttemptOutcome, why: str) -> AttemptOutcome | None:
        job_id, attempt = outcome.lease.job_id, outcome.lease.attempt
        self.log.warning("report refused", job_id=job_id, attempt=attempt, error=why)
        if outcome.lease in self._replaced:
            return None  # not even the bare failure is taken: the lease has to run out
        self._replaced.add(outcome.lease)
        return _last_words(outcome, why)

    def _close(
        self, replacements: Iterable[AttemptOutcome | None], batch: Sequence[AttemptOutcome]
    ) -> None:
        again = [outcome for outcome in replacements if outcome is not None]
        self._queue.extendleft(reversed(again))
        closed = {outcome.lease for outcome in batch} - {outcome.lease for outcome in again}
        self._replaced -= closed
        self.settled(closed)


def _first_of(queue: deque[AttemptOutcome]) -> Sequence[AttemptOutcome]:
    batch: list[AttemptOutcome] = []
    size = 0
    for outcome in queue:
        size += len(outcome.result) if isinstance(outcome, AttemptSucceeded) else 0
        if batch and (size > MOST_BYTES or len(batch) == MOST_OUTCOMES):
            break
        batch.append(outcome)
    return batch


def _last_words(outcome: AttemptOutcome, why: str) -> AttemptFailed | None:
    """Return a failure that holds nothing of what was refused; None where none is due."""
    if isinstance(outcome, AttemptSucceeded):
        text, kind, retryable = f"the result was refused: {why}", "result_invalid", False
    elif isinstance(outcome, AttemptFailed):
        text, kind, retryable = f"the error was refused: {why}", "error_invalid", outcome.retryable
    else:
        return None
    failure = Failure(type=kind, message=readable(text, longest=LONGEST_MESSAGE))
    return AttemptFailed(lease=outcome.lease, failure=failure, retryable=retryable)
