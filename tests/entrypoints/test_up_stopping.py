"""Stopping `taskmill up` when something does not want to stop."""

import asyncio
import signal
from pathlib import Path

import asyncpg
import pytest

from tests.chaos.rig import wait_until
from tests.entrypoints.up_rig import PLAIN, Up, up

MEMORY = ("--store", "memory")
MIGRATING = 7241551036  # the advisory lock that migrations hold
OWN = ("--strategies", "tasks:STRATEGIES")
TASKS = """
import subprocess
import time


def stuck(task):
    time.sleep(600)


def spawning(task):
    subprocess.run(["sleep", "600"], check=True)


STRATEGIES = {"stuck": stuck, "spawning": spawning}
"""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Return one where the tasks are that do not want to stop."""
    (tmp_path / "tasks.py").write_text(TASKS)
    return tmp_path


def begin(running: Up, job_type: str) -> None:
    running.await_ready()
    running.submit(job_type=job_type)
    wait_until(lambda: running.count("running") == 1, at_most_s=20, what="the job runs")
    if job_type == "spawning":
        wait_until(
            lambda: any("sleep" in one.cmdline() for one in running.look()),
            at_most_s=20,
            what="it has a process of its own",
        )


@pytest.mark.parametrize("job_type", ["stuck", "spawning"])
def test_a_job_that_does_not_end_is_ended(directory: Path, job_type: str) -> None:
    with up(directory, *MEMORY, *OWN) as running:
        begin(running, job_type)

        assert running.interrupt() == 0
        assert running.alive() == []


@pytest.mark.parametrize("job_type", ["stuck", "spawning"])
def test_nor_does_it_outlive_an_up_that_is_killed(directory: Path, job_type: str) -> None:
    with up(directory, *MEMORY, *OWN) as running:
        begin(running, job_type)
        running.look()

        running.process.kill()
        running.process.wait()

        wait_until(lambda: running.alive() == [], at_most_s=15, what="all have ended")


@pytest.mark.postgres
@pytest.mark.parametrize("interrupts", [1, 2])
def test_processes_that_hang_are_ended_too(tmp_path: Path, interrupts: int) -> None:
    with up(tmp_path, "--data", str(tmp_path / "data")) as running:
        running.await_ready()
        for process in running.look():
            if "entrypoints" in process.cmdline():
                process.suspend()

        if interrupts > 1:
            running.process.send_signal(signal.SIGINT)
            wait_until(lambda: "once more" in running.text(), at_most_s=10, what="it is stopping")

        assert running.interrupt() == 0
        assert running.alive() == []


@pytest.mark.postgres
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_other_ways_of_asking_end_all_as_well(tmp_path: Path, number: signal.Signals) -> None:
    with up(tmp_path, "--data", str(tmp_path / "data")) as running:
        running.await_ready()

        assert running.interrupt(number) == 0
        assert running.alive() == []


@pytest.mark.postgres
def test_a_migration_that_waits_does_not_keep_it(tmp_path: Path, database_url: str) -> None:
    environment = {**PLAIN, "TASKMILL_DATABASE_URL": database_url}

    async def interrupted_while_locked() -> int:
        connection = await asyncpg.connect(database_url)
        try:
            await connection.execute("SELECT pg_advisory_lock($1)", MIGRATING)
            with up(tmp_path, environment=environment) as running:
                while not await connection.fetchval(
                    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
                ):
                    assert running.process.poll() is None
                return running.interrupt()
        finally:
            await connection.close()

    assert asyncio.run(asyncio.wait_for(interrupted_while_locked(), timeout=60)) == 0
