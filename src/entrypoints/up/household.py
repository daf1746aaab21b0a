"""Starting everything in order, keeping it going, and stopping it in the opposite order."""

import signal
import socket
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from urllib.error import URLError

import click
import structlog

from entrypoints.settings import Settings
from entrypoints.up.child import Child
from entrypoints.up.database import database
from entrypoints.up.errors import UpError
from entrypoints.up.greeting import greeting

EVERYWHERE = {"0.0.0.0", "::"}  # noqa: S104 - compared with, not listened on
LOOK_EVERY_S = 0.05
READY_WITHIN_S = 30
WORKERS_END_WITHIN_S = 4.0
SCHEDULER_ENDS_WITHIN_S = 3.0
WORKERS_GRACE_S = 2.5
MOST_QUICK_DEATHS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be started."""

    settings: Settings
    data: Path
    workers: int
    strategies: Sequence[str]

    @property
    def url(self) -> str:
        """Where the scheduler will answer."""
        host = self.settings.host
        shown = "localhost" if host in {"127.0.0.1", *EVERYWHERE} else host
        return _url(shown, self.settings.port)


@dataclass(slots=True)
class Household:
    """The processes of one `taskmill up`."""

    plan: Plan
    _stop_signals: int = field(default=0, init=False)

    def run(self) -> None:
        """Start everything and keep it going until SIGINT or SIGTERM, then stop everything."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._count_signal)
        _require_free_port(self.plan.settings)
        with database(self.plan.settings, self.plan.data) as url:
            self._live(url)

    def _live(self, database_url: str) -> None:
        scheduler, workers = self._children(database_url)
        with self._stopping(scheduler, workers):
            scheduler.start()
            self._await_ready(scheduler)
            if self._stop_signals:
                return
            for worker in workers:
                worker.start()
            click.echo(greeting(self.plan.url, store=self.plan.settings.store))
            self._keep_going([scheduler, *workers])

    def _children(self, database_url: str) -> tuple[Child, list[Child]]:
        settings = self.plan.settings
        environment = {
            "TASKMILL_STORE": settings.store,
            "TASKMILL_DATABASE_URL": database_url,
            "TASKMILL_GRACE": str(min(settings.grace, WORKERS_GRACE_S)),
        }
        serve = ["serve", "--host", settings.host, "--port", str(settings.port)]
        work = ["work", "--scheduler", _reachable(settings), "--slots", str(settings.slots)]
        for strategies in self.plan.strategies:
            work += ["--strategies", strategies]
        workers = [Child(*work, environment=environment) for _ in range(self.plan.workers)]
        return Child(*serve, environment=environment), workers

    def _await_ready(self, scheduler: Child) -> None:
        until_s = time.monotonic() + READY_WITHIN_S
        while not self._stop_signals and not _is_ready(_reachable(self.plan.settings)):
            if not scheduler.is_running:
                raise UpError("the scheduler did not start; its last lines above say why")
            if time.monotonic() > until_s:
                raise UpError(f"the scheduler does not answer within {READY_WITHIN_S} s")
            time.sleep(LOOK_EVERY_S)

    def _keep_going(self, children: Sequence[Child]) -> None:
        while not self._stop_signals:
            for child in children:
                if child.exit_code is not None:
                    _bury(child)
                child.start_when_due()
            time.sleep(LOOK_EVERY_S)

    @contextmanager
    def _stopping(self, scheduler: Child, workers: Sequence[Child]) -> Iterator[None]:
        try:
            yield
        finally:
            # Workers first: while the scheduler is there they can hand back what they run.
            self._end(workers, within_s=WORKERS_END_WITHIN_S)
            self._end([scheduler], within_s=SCHEDULER_ENDS_WITHIN_S)

    def _end(self, children: Sequence[Child], *, within_s: float) -> None:
        for child in children:
            child.stop()
        signals, until_s = self._stop_signals, time.monotonic() + within_s
        while any(child.is_running for child in children) and time.monotonic() < until_s:
            if self._stop_signals > max(signals, 1):  # asked again: be quick
                break
            time.sleep(LOOK_EVERY_S)
        for child in children:
            child.kill()

    def _count_signal(self, *_: object) -> None:
        self._stop_signals += 1


def _bury(child: Child) -> None:
    code = child.exit_code
    pause_s = child.note_death()
    if child.quick_deaths >= MOST_QUICK_DEATHS:
        raise UpError(f"`{child.name}` has ended {child.quick_deaths} times in a row; giving up")
    structlog.get_logger("taskmill").warning(
        "a process has ended; starting it again",
        process=child.name,
        exit_code=code,
        in_seconds=pause_s,
    )


def _reachable(settings: Settings) -> str:
    host = "127.0.0.1" if settings.host in EVERYWHERE else settings.host
    return _url(host, settings.port)


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _is_ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/health/ready", timeout=2) as answer:  # noqa: S310
            return bool(answer.status == 200)  # noqa: PLR2004
    except (URLError, HTTPException, OSError):
        return False


def _require_free_port(settings: Settings) -> None:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            message = f"cannot listen on {settings.host} port {settings.port}: {error.strerror}"
            raise UpError(f"{message}; choose another with --port") from None
