"""What follows once moves are stored."""

from collections.abc import Collection

from application.ports import EventLog
from application.waiting_room import WaitingRoom
from domain.dispatch import lanes_of
from domain.job import Job
from domain.transition import Transition


def announce(moves: Collection[Transition], *, room: WaitingRoom, event_log: EventLog) -> None:
    """Record what happened, and wake those who wait for such jobs to be pending or ended."""
    event_log.record(move.event for move in moves)
    room.tell_pending(lanes_of([move.after for move in moves if isinstance(move.after, Job)]))
    room.tell_ended([move.job_id for move in moves if move.to_state.is_final])
