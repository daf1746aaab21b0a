"""Notices gathered into one, and the text in which they travel."""

import msgspec

from application.requests import Notice
from domain.dispatch import Lane
from domain.job import JobId

LONGEST_PAYLOAD = 7_900
"""In bytes; PostgreSQL refuses 8000."""

MOST_GATHERED = 1_000
"""Of jobs or lanes: about as many as fit, so that what nobody sends yet does not pile up."""


class Gathering:
    """What was published and not yet sent."""

    def __init__(self) -> None:
        self._lanes = set[Lane]()
        self._ended = set[JobId]()
        self._everything = False

    def add(self, notice: Notice) -> None:
        """Merge a notice into the rest."""
        self._everything |= notice.everything
        if not self._everything:
            self._lanes |= notice.lanes
            self._ended |= notice.ended
            self._everything = max(len(self._lanes), len(self._ended)) > MOST_GATHERED

    def take(self) -> Notice:
        """Return all that was gathered as one notice, and begin anew."""
        taken = Notice(
            lanes=frozenset(self._lanes),
            ended=frozenset(self._ended),
            everything=self._everything,
        )
        self._lanes, self._ended, self._everything = set(), set(), False
        return Notice(everything=True) if taken.everything else taken


class Letter(msgspec.Struct, array_like=True):
    """A notice as it travels, with a name for its sender."""

    sender: str
    everything: bool
    ended: list[int]
    lanes: list[tuple[str, str]]


_read = msgspec.json.Decoder(Letter).decode
_write = msgspec.json.Encoder().encode


def encoded(notice: Notice, *, sender: str) -> str:
    """Return the notice as text; one that is too long becomes "look at all"."""
    lanes = [(lane.queue, lane.job_type) for lane in notice.lanes]
    text = _write(Letter(sender, notice.everything, [*notice.ended], lanes))
    if len(text) > LONGEST_PAYLOAD:
        text = _write(Letter(sender, everything=True, ended=[], lanes=[]))
    return text.decode()


def decoded(payload: str, *, reader: str) -> Notice | None:
    """Return the notice in a payload; None for the reader's own, and for what is no notice."""
    try:
        letter = _read(payload)
    except msgspec.DecodeError:
        return None
    if letter.sender == reader:
        return None
    return Notice(
        lanes=frozenset(Lane(queue, job_type) for queue, job_type in letter.lanes),
        ended=frozenset(JobId(job_id) for job_id in letter.ended),
        everything=letter.everything,
    )
