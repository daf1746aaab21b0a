"""What one example has come to so far."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from tests.acceptance.driver import ALL, ConflictError, Driver, Held, RefusedError, SeenJob

BIG_NUMBER = "123456789012345678901234567890"
SOON_S = 30


@dataclass(slots=True)
class World:
    """The driver, and what the sentences call "the job", "she" and "that"."""

    driver: Driver
    ids: list[int] = field(default_factory=list)
    refused: str | None = None
    has_conflict: bool = False
    got_before: Sequence[Held] = ()
    hands: dict[str, Held] = field(default_factory=dict)
    got: Sequence[Held] = ()
    told: str | None = None
    printed: Sequence[str] = ()
    waits: list[float] = field(default_factory=list)
    waiting_client: "Future[SeenJob] | None" = None
    waiting_worker: "Future[Sequence[Held]] | None" = None

    def submit(self, *jobs: dict[str, Any], letter: str | None = None) -> None:
        """Submit jobs, `print` jobs unless told otherwise; remember a refusal."""
        full = [{"job_type": "print"} | job for job in jobs]
        try:
            self.ids += self.driver.submit(*full, letter=letter)
        except RefusedError as error:
            self.refused = error.field
        except ConflictError:
            self.has_conflict = True

    def steer(self, way: Callable[[int], None]) -> None:
        """Do something to the job; remember that it could not be done."""
        try:
            way(self.ids[0])
        except ConflictError:
            self.has_conflict = True

    def job(self) -> SeenJob:
        """Return the job that the example is about: the first."""
        return self.driver.job(self.ids[0])

    def claim(self, worker: str, **wish: Any) -> None:  # noqa: ANN401 - see the driver
        """Let a worker ask for jobs; what it had in hand before, it still believes to have."""
        self.got_before = self.got
        self.got = self.driver.claim(worker, **wish)
        if self.got:
            self.hands[worker] = self.got[0]

    def claim_all(self, worker: str, **wish: Any) -> None:  # noqa: ANN401 - as above
        """Let a worker ask for all there is."""
        self.claim(worker, limit=ALL, **wish)

    def stolen_by(self, worker: str) -> Held:
        """Return Ada's job as if it were in another worker's hands."""
        return replace(self.hands["Ada"], worker=worker)

    def fail_once(self, worker: str) -> float:
        """Let a worker claim a job and fail; return how long the job waits after that."""
        self.claim(worker)
        self.driver.fail(self.hands[worker])
        return self.job().wait_s

    def pass_seconds(self, seconds: float) -> None:
        """Let time pass."""
        self.driver.pass_time(timedelta(seconds=seconds))

    def got_priorities(self) -> list[int]:
        """Return the priorities of what was claimed last, in order."""
        return [self.driver.job(held.job_id).priority for held in self.got]

    def got_ids(self) -> list[int]:
        """Return what was claimed last, in order."""
        return [held.job_id for held in self.got]
