"""Storing decided moves, and what follows once they are stored."""

from collections.abc import Collection, Sequence

from application.ports import EventLog, JobStore
from application.waiting_room import WaitingRoom
from domain.dispatch import lanes_of
from domain.job import Job
from domain.transition import Transition


async def settle(
    decided: Sequence[Transition], store: JobStore, *, room: WaitingRoom, event_log: EventLog
) -> Sequence[Transition]:
    """Store moves, at most one per job; return those that were stored and now are announced."""
    if not decided:
        return []
    refused = set(await store.settle(decided))
    stored = [move for move in decided if move.job_id not in refused]
    announce(stored, room=room, event_log=event_log)
    return stored


def announce(moves: Collection[Transition], *, room: WaitingRoom, event_log: EventLog) -> None:
    """Record what happened, and wake those who wait for such jobs to be pending or ended."""
    event_log.record(move.event for move in moves)
    room.tell_pending(lanes_of([move.after for move in moves if isinstance(move.after, Job)]))
    room.tell_ended([move.job_id for move in moves if move.to_state.is_final])
