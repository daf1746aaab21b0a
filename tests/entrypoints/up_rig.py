"""A `taskmill up` of one's own, watched from outside."""

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psutil

from tests.chaos.rig import COMMAND, free_port, wait_until

PLAIN = {name: value for name, value in os.environ.items() if not name.startswith("TASKMILL_")}


@dataclass(slots=True)
class Up:
    """One household, its output, and every process that it ever had."""

    process: subprocess.Popen[bytes]
    output: Path
    url: str
    seen: set[psutil.Process] = field(default_factory=set)

    def text(self) -> str:
        """Return all that was written so far."""
        return self.output.read_text()

    def look(self) -> set[psutil.Process]:
        """Remember the processes that belong to it now."""
        found = psutil.Process(self.process.pid).children(recursive=True)
        self.seen |= set(found)
        return set(found)

    def await_ready(self) -> None:
        """Wait until jobs can be submitted."""
        wait_until(lambda: "Ctrl-C" in self.text(), at_most_s=40, what="up has greeted")
        self.look()

    def is_ready(self) -> bool:
        """Tell whether the scheduler answers and reaches its store."""
        try:
            return httpx.get(f"{self.url}/health/ready").is_success
        except httpx.TransportError:
            return False

    def interrupt(self, number: signal.Signals = signal.SIGINT) -> int:
        """Do what Ctrl-C does in a terminal; return the exit code."""
        self.look()
        self.process.send_signal(number)
        return self.process.wait(timeout=10)

    def end(self) -> None:
        """End whatever is left of it, politely where that works."""
        try:
            if self.process.poll() is None:
                self.look()
                self.process.terminate()
                self.process.wait(timeout=15)
        finally:
            self.process.kill()
            self.process.wait()
            for left in self.seen:
                with suppress(psutil.NoSuchProcess):
                    left.kill()

    def parts(self, name: str) -> list[psutil.Process]:
        """Return its processes that have this word in their command line."""
        return [process for process in self.look() if name in process.cmdline()]

    def alive(self) -> list[str]:
        """Return the command lines of its processes that still run."""
        return [" ".join(process.cmdline()) for process in self.seen if runs(process)]

    def submit(self, **fields: object) -> int:
        """Submit a job and return its id."""
        job = httpx.post(f"{self.url}/jobs", json=fields).raise_for_status().json()
        return int(job["id"])

    def job(self, job_id: object) -> dict[str, object]:
        """Return a job as it is now."""
        answer = httpx.get(f"{self.url}/jobs/{job_id}").raise_for_status().json()
        return dict(answer)

    def count(self, state: str) -> int:
        """Return how many jobs are in this state."""
        stats = httpx.get(f"{self.url}/stats").raise_for_status().json()
        return int(stats["states"][state])

    def run_job(self, **fields: object) -> dict[str, object]:
        """Submit a job and return it once it has ended."""
        job_id = self.submit(**fields)
        ended = httpx.get(f"{self.url}/jobs/{job_id}", params={"wait": 20}, timeout=30)
        answer: dict[str, object] = ended.raise_for_status().json()
        return answer


def runs(process: psutil.Process) -> bool:
    """Tell whether the process is there; one that ended and was not fetched yet is not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@contextmanager
def up(
    directory: Path,
    *options: str,
    port: int | None = None,
    environment: Mapping[str, str] = PLAIN,
    taskmill: Sequence[str] = (str(COMMAND),),
) -> Iterator[Up]:
    """Start `taskmill up` with its data in a directory; end whatever is left of it."""
    port = port or free_port()
    output = directory / f"up-{port}.log"
    command = [*taskmill, "up", "--port", str(port), *options]
    with output.open("ab") as file:
        process = subprocess.Popen(
            command, stdout=file, stderr=file, env=environment, cwd=directory
        )
    running = Up(process, output, f"http://127.0.0.1:{port}")
    try:
        yield running
    finally:
        running.end()
