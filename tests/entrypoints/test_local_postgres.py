"""The server behind `taskmill up`: started, stopped, found again, never lost."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from adapters.local_postgres.errors import LocalPostgresError
from adapters.local_postgres.postmaster import Postmaster, read_postmaster
from adapters.local_postgres.server import LocalPostgres

pytestmark = pytest.mark.postgres

OWNER = """
import sys, time, pathlib
from adapters.local_postgres.server import LocalPostgres
with LocalPostgres() as server:
    print(server.start(pathlib.Path(sys.argv[1])), flush=True)
    time.sleep(600)
"""


@pytest.fixture
def data() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        yield Path(directory)


async def ask(url: str, statement: str) -> object:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()


def running(data: Path) -> Postmaster:
    server = read_postmaster(data / "postgres")
    assert server is not None
    return server


def lock_files(data: Path) -> list[Path]:
    return [data / "postgres" / "postmaster.pid", data / "postgres" / ".s.PGSQL.5432.lock"]


def an_owner(data: Path) -> subprocess.Popen[str]:
    """Start a process that owns a server on this data, and wait until the server is up."""
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(data)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert owner.stdout is not None
    owner.stdout.readline()
    return owner


def end(owner: subprocess.Popen[str], how: signal.Signals) -> None:
    """Signal the owner's whole process group, as a terminal does, and wait for its end."""
    with owner:
        os.killpg(owner.pid, how)


async def test_data_is_found_again_after_a_stop(data: Path) -> None:
    with LocalPostgres() as server:
        await ask(server.start(data), "CREATE TABLE kept AS SELECT 42 AS answer")

    with LocalPostgres() as server:
        assert await ask(server.start(data), "SELECT answer FROM kept") == 42


async def test_a_commit_waits_for_the_disk(data: Path) -> None:
    with LocalPostgres() as server:
        url = server.start(data)
        settings = [await ask(url, f"SHOW {name}") for name in ("fsync", "synchronous_commit")]

    assert settings == ["on", "on"]


async def test_nobody_can_connect_over_the_network(data: Path) -> None:
    with LocalPostgres() as server:
        assert await ask(server.start(data), "SHOW listen_addresses") == ""


def test_a_second_start_on_the_same_data_finds_the_same_server(data: Path) -> None:
    with LocalPostgres() as first, LocalPostgres() as second:
        assert first.start(data) == second.start(data)


def test_stopping_twice_is_no_fault(data: Path) -> None:
    server = LocalPostgres()
    server.start(data)

    server.stop()
    server.stop()


async def test_a_server_left_by_a_killed_owner_is_adopted_and_stopped(data: Path) -> None:
    end(an_owner(data), signal.SIGKILL)
    orphan = running(data)
    assert orphan.answers()

    with LocalPostgres() as server:
        await ask(server.start(data), "SELECT 1")
        assert running(data).pid == orphan.pid

    assert not orphan.alive()


def test_an_interrupt_from_the_terminal_leaves_no_server(data: Path) -> None:
    owner = an_owner(data)
    server = running(data)

    end(owner, signal.SIGINT)

    assert not server.alive()


async def test_it_starts_again_after_its_own_process_was_killed(data: Path) -> None:
    with LocalPostgres() as server:
        await ask(server.start(data), "CREATE TABLE kept AS SELECT 42 AS answer")
        os.kill(running(data).pid, signal.SIGKILL)

        assert await ask(server.start(data), "SELECT answer FROM kept") == 42


async def test_a_process_number_used_again_does_not_keep_it_from_starting(data: Path) -> None:
    with LocalPostgres() as server:
        server.start(data)
        left = [(path, path.read_text()) for path in lock_files(data)]
    for path, text in left:
        path.write_text(text.replace(text.splitlines()[0], str(os.getppid()), 1))

    with LocalPostgres() as server:
        assert await ask(server.start(data), "SELECT 1") == 1


async def test_a_path_too_long_for_a_socket_works(data: Path) -> None:
    with LocalPostgres() as server:
        url = server.start(data / ("long" * 30))
        socket_directory = running(data / ("long" * 30)).socket_directory

        assert await ask(url, "SELECT 1") == 1
    assert not socket_directory.exists()


async def test_a_path_with_odd_characters_works(data: Path) -> None:
    with LocalPostgres() as server:
        assert await ask(server.start(data / "Ada's, 100% & more"), "SELECT 1") == 1


async def test_stopping_is_fast_with_clients_connected(data: Path) -> None:
    server = LocalPostgres()
    client = await asyncpg.connect(server.start(data))

    began = time.monotonic()
    server.stop()
    took = time.monotonic() - began

    client.terminate()
    assert took < 5


def test_data_of_another_major_version_is_refused_in_one_sentence(data: Path) -> None:
    (data / "postgres").mkdir()
    (data / "postgres" / "PG_VERSION").write_text("9\n")

    with pytest.raises(LocalPostgresError, match="made by PostgreSQL 9, and 18 cannot read it"):
        LocalPostgres().start(data)


def test_a_directory_of_something_else_is_left_alone(data: Path) -> None:
    (data / "postgres").mkdir()
    (data / "postgres" / "letter.txt").write_text("Dear Ada")

    with pytest.raises(LocalPostgresError, match="no data directory of PostgreSQL"):
        LocalPostgres().start(data)
    assert (data / "postgres" / "letter.txt").read_text() == "Dear Ada"


def test_a_server_that_cannot_start_says_why(data: Path) -> None:
    with pytest.raises(LocalPostgresError, match=r"did not start: .*shared_buffers"):
        LocalPostgres(settings={"shared_buffers": "much"}).start(data)


def test_data_made_half_is_made_anew(data: Path) -> None:
    (data / "postgres.new").mkdir()
    (data / "postgres.new" / "PG_VERSION").write_text("18\n")

    with LocalPostgres() as server:
        server.start(data)

    assert not (data / "postgres.new").exists()
