"""A scheduler and its workers as processes of their own, to be killed at will."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.chaos.ledger import LEDGER_VARIABLE

COMMAND = Path(sys.executable).with_name("taskmill")
ROOT = Path(__file__).parents[2]


def free_port() -> int:
    """Return a port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def wait_until(condition: Callable[[], bool], *, at_most_s: float, what: str) -> None:
    """Look again and again until the condition holds; fail with `what` when the time is up."""
    until = time.monotonic() + at_most_s
    while not condition():
        assert time.monotonic() < until, f"not within {at_most_s} s: {what}"
        time.sleep(0.02)


@dataclass(slots=True)
class Rig:
    """Processes around one database, a client for them, and the ledger of what ran."""

    database_url: str
    directory: Path
    settings: Mapping[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Where the scheduler answers."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def ledger(self) -> Path:
        """The file that the strategies write to."""
        return self.directory / "ledger"

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        """Start a scheduler and wait until it answers."""
        process = self.start("serve", "--port", str(self.port))
        wait_until(self._is_ready, at_most_s=20, what="the scheduler answers")
        return process

    def start_worker(self, *, slots: int = 10) -> subprocess.Popen[bytes]:
        """Start a worker that knows the ledger's strategies."""
        strategies = "tests.chaos.ledger:STRATEGIES"
        arguments = ["--scheduler", self.url, "--slots", str(slots), "--strategies", strategies]
        return self.start("work", *arguments)

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start `taskmill` with these arguments; its output goes to a file of its own."""
        log = self.directory / f"{len(self.processes)}-{arguments[0]}.log"
        environment = {
            **os.environ,
            **self.settings,
            "TASKMILL_DATABASE_URL": self.database_url,
            LEDGER_VARIABLE: str(self.ledger),
        }
        with log.open("wb") as output:
            process = subprocess.Popen(
                [COMMAND, *arguments], cwd=ROOT, env=environment, stdout=output, stderr=output
            )
        self.processes.append(process)
        return process

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """End a process without a chance to say goodbye."""
        process.kill()
        process.wait()

    def stop_all(self) -> None:
        """End all that still runs."""
        for process in self.processes:
            process.send_signal(signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.kill(process)

    def submit(self, *jobs: Mapping[str, Any]) -> list[int]:
        """Submit jobs as one batch; return their ids."""
        answer = httpx.post(f"{self.url}/jobs/batch", json={"jobs": jobs}, timeout=30)
        answer.raise_for_status()
        ids: list[int] = answer.json()["ids"]
        return ids

    def job(self, job_id: int, *, wait_s: float = 0) -> dict[str, Any]:
        """Return a job, once it is final or the wait is over."""
        answer = httpx.get(
            f"{self.url}/jobs/{job_id}", params={"wait": wait_s}, timeout=wait_s + 10
        )
        answer.raise_for_status()
        body: dict[str, Any] = answer.json()
        return body

    def count(self, state: str) -> int:
        """Return how many jobs are in this state."""
        answer = httpx.get(f"{self.url}/stats", timeout=10)
        answer.raise_for_status()
        count: int = answer.json()["states"][state]
        return count

    def _is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.url}/health/ready", timeout=2).is_success
        except httpx.TransportError:
            return False
