"""All of Taskmill in one command, with real processes."""

import asyncio
import os
import pwd
import socket
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from tests.chaos.rig import free_port, wait_until
from tests.entrypoints.up_rig import PLAIN, runs, up

MEMORY = ("--store", "memory")
NOBODY = pwd.getpwnam("nobody")
LIBRARY = sysconfig.get_path("stdlib")
AGAIN = """
import subprocess, sys
subprocess.run([sys.executable, "-m", "entrypoints", "--version"], check=True)
"""
STORES = [
    pytest.param(MEMORY, id="memory"),
    pytest.param((), id="postgres", marks=pytest.mark.postgres),
]


@pytest.mark.parametrize("options", STORES)
def test_a_printed_message_is_seen_and_one_interrupt_ends_everything(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    with up(tmp_path, "--data", str(tmp_path / "data"), *options) as running:
        running.await_ready()
        job = running.run_job(job_type="print", payload={"message": "Hello from a test"})
        exit_code = running.interrupt()

        assert (job["state"], job["result"]) == ("succeeded", {"printed": "Hello from a test"})
        assert "Hello from a test\n" in running.text()
        assert f"{running.url.replace('127.0.0.1', 'localhost')}/schema" in running.text()
        assert exit_code == 0
        assert running.alive() == []


@pytest.mark.postgres
def test_jobs_are_there_after_a_restart(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "data"))
    with up(tmp_path, *data) as first:
        first.await_ready()
        job = first.run_job(job_type="sleep", payload={"seconds": 0})
        first.interrupt()

    with up(tmp_path, *data) as second:
        second.await_ready()
        kept = second.job(job["id"])
        later = second.run_job(job_type="sleep", payload={"seconds": 0})

    assert kept == job
    assert later["id"] == int(str(job["id"])) + 1


@pytest.mark.postgres
@pytest.mark.parametrize("port", ["the same", "another"])
def test_a_second_up_on_the_same_data_says_so_and_stops(tmp_path: Path, port: str) -> None:
    data = ("--data", str(tmp_path / "data"))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with up(tmp_path, *data) as first:
        first.await_ready()
        number = int(first.url.rpartition(":")[2]) if port == "the same" else free_port()
        with up(elsewhere, *data, port=number) as second:
            assert second.process.wait(timeout=20) == 1

        [line] = second.text().splitlines()
        assert f"in use by another `taskmill up` (process {first.process.pid})" in line


def test_a_port_in_use_is_told_before_anything_is_started(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with up(tmp_path, "--data", str(tmp_path / "data"), port=port) as running:
            assert running.process.wait(timeout=20) == 1

    [line] = running.text().splitlines()
    assert f"port {port}" in line
    assert "--port" in line
    assert not (tmp_path / "data").exists()


@pytest.mark.postgres
def test_when_up_is_killed_nothing_lives_on_but_its_data(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "data"))
    with up(tmp_path, *data) as killed:
        killed.await_ready()
        ours = killed.parts("entrypoints")
        killed.process.kill()
        killed.process.wait()

        assert len(ours) == 2
        wait_until(lambda: not any(map(runs, ours)), at_most_s=10, what="they have ended")
        with up(tmp_path, *data) as next_one:
            next_one.await_ready()
            job = next_one.run_job(job_type="sleep", payload={"seconds": 0})

    assert job["state"] == "succeeded"


def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    with up(tmp_path, *MEMORY) as running:
        running.await_ready()
        [worker] = [one for one in running.look() if "work" in one.cmdline()]

        worker.kill()

        job = running.run_job(job_type="sleep", payload={"seconds": 0})
        assert job["state"] == "succeeded"
        assert "starting it again" in running.text()


def test_there_are_as_many_workers_as_asked_for(tmp_path: Path) -> None:
    with up(tmp_path, *MEMORY, "--workers", "2", "--slots", "1") as running:
        running.await_ready()
        jobs = [running.submit(job_type="sleep", payload={"seconds": 1}) for _ in range(2)]
        wait_until(lambda: running.count("succeeded") == 2, at_most_s=20, what="both have run")

        assert len(running.parts("work")) == 2
        assert len({running.job(job)["worker_id"] for job in jobs}) == 2
        assert running.interrupt() == 0
        assert running.alive() == []


@pytest.mark.postgres
def test_a_database_from_outside_is_used_where_one_is_named(
    tmp_path: Path, database_url: str
) -> None:
    environment = {**PLAIN, "TASKMILL_DATABASE_URL": database_url}
    data = tmp_path / "data"
    with up(tmp_path, "--data", str(data), environment=environment) as running:
        running.await_ready()
        job = running.run_job(job_type="sleep", payload={"seconds": 0})

        assert (job["state"], states_in(database_url)) == ("succeeded", ["succeeded"])
        assert running.parts("-D") == []
        assert not data.exists()


@pytest.mark.postgres
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_an_ordinary_user_needs_no_more_than_a_directory(home: Path) -> None:
    taskmill, environment = as_nobody(home)
    data = ("--data", str(home / "data"))
    with up(home, *data, environment=environment, taskmill=taskmill) as running:
        running.await_ready()
        job = running.run_job(job_type="sleep", payload={"seconds": 0})

        assert job["state"] == "succeeded"
        assert {one.uids().effective for one in running.look()} == {NOBODY.pw_uid}
        assert running.interrupt() == 0
        assert running.alive() == []


def test_ports_can_be_chosen(tmp_path: Path) -> None:
    port = free_port()
    with up(tmp_path, *MEMORY, "--workers", "0", port=port) as running:
        running.await_ready()

        assert f"http://localhost:{port}" in running.text()


@pytest.mark.parametrize("host", ["::", "::1", "0.0.0.0", "localhost"])  # noqa: S104
def test_it_listens_where_it_is_told(tmp_path: Path, host: str) -> None:
    if ":" in host and not ipv6_works():
        pytest.skip("no IPv6 here")
    url_host = "[::1]" if ":" in host else "127.0.0.1"
    with up(tmp_path, *MEMORY, "--host", host) as running:
        running.await_ready()
        running.url = running.url.replace("127.0.0.1", url_host)

        assert running.run_job(job_type="sleep", payload={"seconds": 0})["state"] == "succeeded"


def test_a_proxy_for_the_world_outside_is_none_for_the_household(tmp_path: Path) -> None:
    proxy = f"http://127.0.0.1:{free_port()}"
    environment = {**PLAIN, "HTTP_PROXY": proxy, "http_proxy": proxy}
    with up(tmp_path, *MEMORY, environment=environment) as running:
        running.await_ready()

        assert running.run_job(job_type="sleep", payload={"seconds": 0})["state"] == "succeeded"


def test_strategies_that_cannot_be_had_are_no_reason_to_try_again(tmp_path: Path) -> None:
    with up(tmp_path, *MEMORY, "--strategies", "no.such.module:THINGS") as running:
        assert running.process.wait(timeout=20) == 2

    assert running.text().count("no.such.module") == 1
    assert "starting it again" not in running.text()


@pytest.mark.postgres
def test_a_database_that_dies_comes_back(tmp_path: Path) -> None:
    with up(tmp_path, "--data", str(tmp_path / "data")) as running:
        running.await_ready()
        first = running.run_job(job_type="sleep", payload={"seconds": 0})
        [server] = [one for one in running.look() if "-D" in one.cmdline()]

        server.kill()
        noticed = "PostgreSQL has ended; starting it again"
        wait_until(lambda: noticed in running.text(), at_most_s=10, what="its death is told")
        wait_until(running.is_ready, at_most_s=30, what="jobs can be submitted again")

        second = running.run_job(job_type="sleep", payload={"seconds": 0})
        assert (first["state"], second["state"]) == ("succeeded", "succeeded")
        running.interrupt()
        assert running.alive() == []


@pytest.fixture
def home() -> Iterator[Path]:
    """A directory that belongs to an ordinary user, and lies where it can be reached."""
    with tempfile.TemporaryDirectory(prefix="taskmill-user-") as home:
        os.chown(home, NOBODY.pw_uid, NOBODY.pw_gid)
        yield Path(home)


def as_nobody(home: Path) -> tuple[list[str], dict[str, str]]:
    """Return `taskmill` as a command of an ordinary user, and the environment that it needs."""
    ids = [f"--reuid={NOBODY.pw_uid}", f"--regid={NOBODY.pw_gid}", "--clear-groups"]
    packages = [path for path in sys.path if path and not path.startswith(LIBRARY)]
    environment = {
        **PLAIN,
        "HOME": str(home),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join(packages),
    }
    for python in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        command = ["setpriv", *ids, python]
        if starts_itself_again(command, environment):
            return [*command, "-m", "entrypoints"], environment
    pytest.skip("every interpreter of this version lies where only root can reach it")


def starts_itself_again(python: list[str], environment: dict[str, str]) -> bool:
    """Tell whether this interpreter can do what `up` does with its parts."""
    command = [*python, "-c", AGAIN]
    done = subprocess.run(command, capture_output=True, check=False, env=environment, timeout=60)
    return done.returncode == 0


def states_in(database_url: str) -> list[str]:
    """Return the states of all jobs, read past the scheduler."""

    async def read() -> list[str]:
        connection = await asyncpg.connect(database_url)
        try:
            return [row["state"] for row in await connection.fetch("SELECT state FROM jobs")]
        finally:
            await connection.close()

    return asyncio.run(read())


def ipv6_works() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False
