"""Asking the scheduler for jobs, for as many as there are free slots."""

import asyncio
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from application.worker.contact import REFUSED, Contact
from application.worker.ports import (
    Assignment,
    SchedulerGateway,
    SchedulerRefusedError,
    WorkRequest,
)
from application.worker.workbench import Workbench
from domain.dispatch import Offer

LONG_POLL = timedelta(seconds=20)
MOST_AT_ONCE = 1000
EARLY = 3
"""An empty answer long before its time is followed by a pause like that of so many failures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What a worker is called, and what it can run."""

    worker_id: str
    offer: Offer
    slots: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Claiming:
    """Fills free slots, for ever."""

    profile: Profile
    scheduler: SchedulerGateway
    contact: Contact
    bench: Workbench
    begin: Callable[[Assignment], None]

    async def run(self) -> None:
        """Claim whenever a slot is free; cancelling starts nothing that was not started."""
        while True:
            await self.bench.has_room()
            for assignment in await self._claim():
                if not self.bench.holds(assignment.lease):
                    self.begin(assignment)

    async def _claim(self) -> Sequence[Assignment]:
        request = self._request()
        asked_s = asyncio.get_running_loop().time()
        try:
            # Repeated under the same id, so that a lost answer does not lose its leases.
            claimed = await self.contact.insist("claim", partial(self.scheduler.claim, request))
        except SchedulerRefusedError as error:
            self.contact.lost("claim", error)
            await self.contact.pause(REFUSED)
            return []
        waited_s = asyncio.get_running_loop().time() - asked_s
        if not claimed and waited_s < LONG_POLL.total_seconds() / 2:
            await self.contact.pause(EARLY)  # a scheduler that stops sends everybody away
        return claimed

    def _request(self) -> WorkRequest:
        return WorkRequest(
            request_id=uuid.uuid4().hex,
            worker_id=self.profile.worker_id,
            offer=self.profile.offer,
            limit=min(self.bench.free, MOST_AT_ONCE),
            wait=LONG_POLL,
            slots=self.profile.slots,
        )
