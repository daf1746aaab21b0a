"""Which submits were answered before, by their idempotency keys."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from application.requests import KEY_LIFETIME, Admission, Admitted, Receipt
from domain.errors import IdempotencyKeyReusedError
from domain.job import JobId


@dataclass(frozen=True, slots=True)
class Answered:
    """One submit and its answer."""

    receipt: Receipt
    at: datetime
    ids: Sequence[JobId]
    how: Sequence[Admitted]


@dataclass(slots=True)
class MemoryReceipts:
    """The answers given within the lifetime of a key."""

    _answered: dict[str, Answered] = field(default_factory=dict)

    def find(self, receipt: Receipt, *, now: datetime) -> Answered | None:
        """Return the earlier answer; `IdempotencyKeyReusedError` if it was to another request."""
        known = self._answered.get(receipt.key)
        if known is None or now - known.at >= KEY_LIFETIME:
            return None
        if known.receipt != receipt:
            raise IdempotencyKeyReusedError(key=receipt.key)
        return known

    def forget(self, *, now: datetime) -> None:
        """Drop what has lapsed."""
        lapsed = [key for key, known in self._answered.items() if now - known.at >= KEY_LIFETIME]
        for key in lapsed:
            del self._answered[key]

    def keep(self, receipt: Receipt, admissions: Sequence[Admission], *, now: datetime) -> None:
        """Remember an answer: what is new now will have been there when it is asked for again."""
        again = {Admitted.NEW: Admitted.REPLAYED}
        self._answered[receipt.key] = Answered(
            receipt,
            now,
            [admission.job.id for admission in admissions],
            [again.get(admission.how, admission.how) for admission in admissions],
        )
