"""Starting everything in order, keeping it going, and stopping it in the opposite order."""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import click
import structlog

from entrypoints.cli.failures import MISUSED
from entrypoints.up.addresses import is_ready, require_free_port
from entrypoints.up.child import Child
from entrypoints.up.data_lock import require_unlocked
from entrypoints.up.database import Database, database, is_own
from entrypoints.up.errors import MisusedError, StoppedError, UpError
from entrypoints.up.greeting import greeting
from entrypoints.up.plan import DATABASE_URL, Plan
from entrypoints.up.stopping import LOOK_EVERY_S, StopRequests

READY_WITHIN_S = 30
WORKERS_END_WITHIN_S = 4.0
SCHEDULER_ENDS_WITHIN_S = 3.0
HURRIED_WITHIN_S = 1.0
MOST_QUICK_DEATHS = 5


@dataclass(slots=True)
class Household:
    """The processes of one `taskmill up`."""

    plan: Plan
    _requests: StopRequests = field(default_factory=StopRequests, init=False)

    def run(self) -> None:
        """Start everything and keep it going until asked to stop, then stop everything.

        Raises:
            UpError: something stands in the way; what was started is stopped.
        """
        self._requests.listen()
        settings = self.plan.settings
        if is_own(settings):
            require_unlocked(self.plan.data)
        require_free_port(settings.host, settings.port)
        try:
            with database(settings, self.plan.data, self._requests) as kept:
                self._live(kept)
        except StoppedError:
            sys.stderr.flush()
            os._exit(0)  # a step that was given up may hold a thread that would keep us here

    def _live(self, kept: Database) -> None:
        scheduler, workers = self.plan.children(kept.url)
        with self._stopping(scheduler, workers):
            scheduler.start()
            self._await_ready(scheduler)
            for worker in workers:
                worker.start()
            click.echo(greeting(self.plan.url, store=self.plan.settings.store))
            self._keep_going(kept, scheduler, workers)

    def _await_ready(self, scheduler: Child) -> None:
        host, port = self.plan.settings.host, self.plan.settings.port
        until_s = time.monotonic() + READY_WITHIN_S
        while not (is_ready(host, port) and scheduler.is_running):
            self._requests.check()
            if not scheduler.is_running:
                raise UpError("the scheduler did not start; its last lines above say why")
            if time.monotonic() > until_s:
                raise UpError(f"the scheduler does not answer within {READY_WITHIN_S} s")
            time.sleep(LOOK_EVERY_S)

    def _keep_going(self, kept: Database, scheduler: Child, workers: Sequence[Child]) -> None:
        while not self._requests.count:
            kept.mend()
            if scheduler.environment[DATABASE_URL] != kept.url:
                scheduler.environment[DATABASE_URL] = kept.url
                scheduler.stop()
            for child in (scheduler, *workers):
                if child.exit_code is not None:
                    _bury(child)
                child.start_when_due()
            time.sleep(LOOK_EVERY_S)

    @contextmanager
    def _stopping(self, scheduler: Child, workers: Sequence[Child]) -> Iterator[None]:
        try:
            yield
        finally:
            if self._requests.count:
                _tell_that_it_stops()
            # Workers first: while the scheduler is there they can hand back what they run.
            self._end(workers, within_s=WORKERS_END_WITHIN_S)
            self._end([scheduler], within_s=SCHEDULER_ENDS_WITHIN_S)

    def _end(self, children: Sequence[Child], *, within_s: float) -> None:
        for child in children:
            child.stop()
        until_s = time.monotonic() + within_s
        while any(child.is_running for child in children):
            if time.monotonic() > min(until_s, self._requests.hurried_at_s + HURRIED_WITHIN_S):
                break
            time.sleep(LOOK_EVERY_S)
        for child in children:
            child.kill()


def _bury(child: Child) -> None:
    code = child.exit_code
    if code == MISUSED:
        raise MisusedError(f"`{child.name}` cannot run like this; its last line above says why")
    pause_s = child.note_death()
    if child.quick_deaths >= MOST_QUICK_DEATHS:
        raise UpError(f"`{child.name}` has ended {child.quick_deaths} times in a row; giving up")
    structlog.get_logger("taskmill").warning(
        "a process has ended; starting it again",
        process=child.name,
        exit_code=code,
        in_seconds=pause_s,
    )


def _tell_that_it_stops() -> None:
    with suppress(OSError):  # the terminal may be gone, and that be the reason
        click.echo("Stopping; Ctrl-C once more hurries.", err=True)
