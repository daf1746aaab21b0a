"""An event log that writes one structured line an event."""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields

import structlog

from domain import events
from domain.events import Event
from domain.job import Failure

# What happens to every job is detail; what an operator may want to act on is not.
DETAILS = (events.Submitted, events.BecameDue, events.Claimed, events.Succeeded)

NAMES: Mapping[type[Event], str] = {
    events.Submitted: "job submitted",
    events.BecameDue: "job due",
    events.Claimed: "job claimed",
    events.Succeeded: "job succeeded",
    events.RetryPlanned: "job will be retried",
    events.GaveUp: "job failed",
    events.Released: "job handed back",
    events.CancelRequested: "job asked to stop",
    events.Cancelled: "job cancelled",
    events.RetriedByHand: "job retried by hand",
}


class StructuredEventLog:
    """An `EventLog` over structlog, with job id and attempt bound to each line."""

    def __init__(self) -> None:
        """Log under the scheduler's own name."""
        self._log = structlog.get_logger("taskmill")

    def record(self, events: Iterable[Event]) -> None:
        """Write a line for each."""
        if not self._log.is_enabled_for(logging.DEBUG):
            events = (event for event in events if not isinstance(event, DETAILS))
        for event in events:
            self._teller(event)(NAMES[type(event)], **_facts(event))

    def _teller(self, event: Event) -> Callable[..., None]:
        teller: Callable[..., None] = (
            self._log.debug if isinstance(event, DETAILS) else self._log.info
        )
        return teller


def _facts(event: Event) -> dict[str, object]:
    facts = {field.name: getattr(event, field.name) for field in fields(event)}
    failure = facts.pop("failure", None)
    if isinstance(failure, Failure):
        facts |= {"error": failure.type, "message": failure.message}
    return {name: str(fact) if name == "due" else fact for name, fact in facts.items()}
