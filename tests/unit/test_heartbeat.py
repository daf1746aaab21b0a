"""Taking back what never arrived."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from adapters.memory.broadcast import NoBroadcast
from adapters.memory.store import MemoryJobStore
from application.heartbeat import KeepLeases
from application.requests import Beat, Renewal
from application.waiting_room import WaitingRoom
from domain.job import JobState, Lease
from tests.builders import NOW, a_claim, a_job
from tests.fakes import FakeClock
from tests.unit.worker.logs import SilentEventLog


class SlowStore(MemoryJobStore):
    """Takes its time to renew, while jobs are claimed."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__()
        self._clock = clock

    async def renew(self, beats: Sequence[Beat], *, now: datetime) -> Mapping[Lease, Renewal]:
        await self.claim(a_claim(limit=1), now=self._clock.now())
        self._clock.advance(timedelta(seconds=15))
        return await super().renew(beats, now=now)


async def test_a_job_claimed_while_a_heartbeat_is_dealt_with_is_not_taken_back() -> None:
    clock = FakeClock()
    store = SlowStore(clock)
    await store.add([a_job(), a_job()], now=NOW)
    [known] = await store.claim(a_claim(limit=1), now=NOW)
    keep = KeepLeases(
        store=store, clock=clock, room=WaitingRoom(NoBroadcast()), event_log=SilentEventLog()
    )
    assert known.lease is not None

    await keep("ada", [Beat(lease=known.lease)])

    assert {job.state for job in store.all_jobs()} == {JobState.RUNNING}
