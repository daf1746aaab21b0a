"""Taking in what workers report.

Successes are decided on the lease alone, without a read; everything else on the job as it
stands. All are stored in one call. What the store refuses is read and looked at again: by then
the job tells whether the lease was lost, an old outcome was re-sent, or the decision must be
made anew because the job changed in between.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from application.deciding import decide, decide_success, explain, within_bounds
from application.outcomes import AttemptOutcome, AttemptSucceeded, Refusal, Verdict
from application.ports import Clock, EventLog, JobStore
from application.settling import settle
from application.waiting_room import WaitingRoom
from domain.job import JobId
from domain.transition import Transition

ROUNDS = 5
"""How often a decision is made anew before the lease counts as lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOutcomes:
    """Settle the attempts that a worker has ended."""

    store: JobStore
    clock: Clock
    room: WaitingRoom
    event_log: EventLog
    roll: Callable[[], float]

    async def __call__(self, outcomes: Sequence[AttemptOutcome]) -> Sequence[Verdict]:
        """Return one verdict for each outcome, in order; one bad item spoils no other."""
        told = dict(enumerate(within_bounds(outcome) for outcome in outcomes))
        verdicts = await self._settle_blindly(told)
        for _ in range(ROUNDS):
            left = {index: told[index] for index in told.keys() - verdicts.keys()}
            if not left:
                break
            verdicts |= await self._settle_reading(left)
        return [verdicts.get(index) or _lost(told[index]) for index in told]

    async def _settle_blindly(self, told: Mapping[int, AttemptOutcome]) -> dict[int, Verdict]:
        now = self.clock.now()
        decided = {
            index: decide_success(outcome, now=now)
            for index, outcome in told.items()
            if isinstance(outcome, AttemptSucceeded)
        }
        return await self._store(_first_of_each_job(decided), told)

    async def _settle_reading(self, left: Mapping[int, AttemptOutcome]) -> dict[int, Verdict]:
        jobs = await self.store.get({outcome.lease.job_id for outcome in left.values()})
        now = self.clock.now()
        explained, decided = dict[int, Verdict](), dict[int, Transition]()
        for index, outcome in sorted(left.items()):
            job = jobs.get(outcome.lease.job_id)
            if job is None or job.lease != outcome.lease:
                explained[index] = explain(outcome, job)
            else:
                decided[index] = decide(outcome, job, now=now, roll=self.roll())
        return explained | await self._store(_first_of_each_job(decided), left)

    async def _store(
        self, decided: Mapping[int, Transition], told: Mapping[int, AttemptOutcome]
    ) -> dict[int, Verdict]:
        moves = list(decided.values())
        stored = await settle(moves, self.store, room=self.room, event_log=self.event_log)
        states = {move.job_id: move.to_state for move in stored}
        return {
            index: Verdict(lease=told[index].lease, state=states[move.job_id])
            for index, move in decided.items()
            if move.job_id in states
        }


def _first_of_each_job(decided: Mapping[int, Transition]) -> dict[int, Transition]:
    firsts: dict[JobId, int] = {}
    for index, move in decided.items():
        firsts.setdefault(move.job_id, index)
    return {index: decided[index] for index in firsts.values()}


def _lost(outcome: AttemptOutcome) -> Verdict:
    return Verdict(lease=outcome.lease, refusal=Refusal.LEASE_LOST)
