"""The command line, as a person or a script uses it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chaos.rig import COMMAND, free_port
from tests.entrypoints.up_rig import PLAIN, Up, up

COMMANDS = ["up", "serve", "work", "reap", "migrate", "submit", "job", "jobs"]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**PLAIN, **environment},
    )


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    with up(tmp_path_factory.mktemp("up"), "--store", "memory") as running:
        running.await_ready()
        yield running


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(command: str) -> None:
    done = run(command, "--help")

    assert done.returncode == 0
    assert "Example:" in done.stdout


def test_the_version_is_told() -> None:
    assert run("--version").stdout.startswith("taskmill ")


def test_help_needs_neither_the_web_framework_nor_the_database() -> None:
    code = (
        "import sys; from entrypoints.cli.commands import taskmill\n"
        "taskmill(['--help'], standalone_mode=False)\n"
        "sys.exit(bool({'litestar', 'sqlalchemy', 'httpx'} & sys.modules.keys()))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


@pytest.mark.parametrize(
    "command", ["serve", "up", "work", "reap", "migrate", "submit print", "job 1", "jobs"]
)
def test_a_bad_setting_is_one_line_and_a_wrong_usage(command: str) -> None:
    done = run(*command.split(), TASKMILL_PORT="web")

    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    assert "TASKMILL_PORT='web'" in line


@pytest.mark.parametrize("command", ["submit print", "submit print --wait", "job 1", "jobs"])
def test_a_scheduler_that_cannot_be_reached_has_its_own_exit_code(command: str) -> None:
    done = run(*command.split(), "--scheduler", f"http://127.0.0.1:{free_port()}")

    assert done.returncode == 3
    assert len(done.stderr.splitlines()) == 1


def test_a_database_that_cannot_be_reached_has_the_same() -> None:
    url = f"postgresql://nobody@127.0.0.1:{free_port()}/nothing"

    done = run("migrate", TASKMILL_DATABASE_URL=url)

    assert done.returncode == 3
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.postgres
def test_a_scheduler_refuses_a_database_without_its_schema(database_url: str) -> None:
    port = str(free_port())
    refused = run("serve", "--port", port, TASKMILL_DATABASE_URL=database_url)
    migrated = run("migrate", TASKMILL_DATABASE_URL=database_url)

    assert refused.returncode == 1
    [line] = refused.stderr.splitlines()
    assert "taskmill migrate" in line
    assert (migrated.returncode, "at version" in migrated.stdout) == (0, True)


def test_a_job_is_submitted_awaited_and_looked_at(running: Up) -> None:
    scheduler = ("--scheduler", running.url)
    submitted = run(
        "submit", "print", "--payload", '{"message": "hi"}', "--metadata", "team=blue",
        "--priority", "7", "--wait", *scheduler,
    )  # fmt: skip

    job = json.loads(submitted.stdout)
    shown = json.loads(run("job", str(job["id"]), *scheduler).stdout)
    listed = run("jobs", "--state", "succeeded", *scheduler).stdout

    assert submitted.returncode == 0
    assert (job["state"], job["priority"], job["metadata"]) == ("succeeded", 7, {"team": "blue"})
    assert shown == job
    assert f"{job['id']:>8}  succeeded" in listed


def test_waiting_for_a_job_that_fails_is_a_failure(running: Up) -> None:
    done = run(
        "submit", "sleep", "--payload", '{"seconds": -1}', "--wait", "--scheduler", running.url
    )

    assert done.returncode == 1
    assert json.loads(done.stdout)["state"] == "failed"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["submit", "print", "--payload", "{"], 2, "--payload is not JSON"),
        (["submit", "print", "--metadata", "blue"], 2, "KEY=VALUE"),
        (["submit", "two words"], 1, "job_type"),
        (["job", "999999"], 1, "there is no job 999999"),
        (["job", "x"], 2, "not a valid integer"),
        (["jobs", "--state", "asleep"], 1, "state"),
    ],
)
def test_what_is_wrong_is_told(running: Up, arguments: list[str], code: int, words: str) -> None:
    done = run(*arguments, "--scheduler", running.url)

    assert (done.returncode, words in done.stderr) == (code, True), done.stderr


def test_strategies_that_cannot_be_had_are_told_in_one_line(tmp_path: Path) -> None:
    done = run("work", "--strategies", "no.such.module:THINGS", HOME=str(tmp_path))

    assert done.returncode == 2
    assert "no.such.module" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_waiting_has_an_end_and_a_code_of_its_own(running: Up) -> None:
    scheduler = ("--scheduler", running.url)
    done = run("submit", "sleep", "--payload", '{"seconds": 3}', *scheduler, "--wait", "0.2")

    job = json.loads(done.stdout)
    assert done.returncode == 4
    assert f"job {job['id']} is still" in done.stderr
    assert run("job", str(job["id"]), *scheduler, "--wait").returncode == 0


def test_no_number_of_a_payload_changes_on_its_way(running: Up) -> None:
    number = "1.00000000000000000001e400"
    payload = f'{{"number": {number}}}'

    done = run("submit", "later", "--payload", payload, "--scheduler", running.url)

    assert f'"number": {number}' in done.stdout


def test_a_scheduler_says_so_if_its_port_is_in_use(running: Up) -> None:
    port = running.url.rpartition(":")[2]

    done = run("serve", "--port", port, TASKMILL_STORE="memory")

    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert f"port {port}" in line


def test_what_is_no_scheduler_is_told_from_one(running: Up) -> None:
    done = run("jobs", "--scheduler", f"{running.url}/schema")

    assert done.returncode == 3
    assert "no scheduler" in done.stderr
