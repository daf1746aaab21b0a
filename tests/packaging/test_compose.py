"""The containers: what is started, in which order, and what the world can reach."""

import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
TASKMILL = Path(sysconfig.get_path("scripts")) / "taskmill"


def conditions(service: str) -> dict[str, str]:
    waits_for = SERVICES[service].get("depends_on", {})
    return {name: need["condition"] for name, need in waits_for.items()}


def commands() -> dict[str, list[str]]:
    return {name: each["command"] for name, each in SERVICES.items() if "command" in each}


def test_the_services_are_the_processes_of_the_design() -> None:
    assert set(SERVICES) == {"postgres", "migrate", "scheduler", "worker", "reaper"}


def test_the_database_is_kept_in_a_volume_where_its_image_wants_it() -> None:
    assert SERVICES["postgres"]["image"] == "postgres:18"
    assert SERVICES["postgres"]["volumes"] == ["postgres-data:/var/lib/postgresql"]
    assert "postgres-data" in COMPOSE["volumes"]


def test_our_services_share_one_image() -> None:
    images = {SERVICES[name]["image"] for name in commands()}

    assert images == {"taskmill:local"}


def test_ports_are_published_on_the_loopback_address_alone() -> None:
    ports = {name: each["ports"] for name, each in SERVICES.items() if "ports" in each}

    assert set(ports) == {"scheduler"}
    assert all(port.startswith("127.0.0.1:") for port in ports["scheduler"])


@pytest.mark.parametrize(
    ("service", "check"), [("postgres", "pg_isready"), ("scheduler", "/health")]
)
def test_who_is_waited_for_has_a_health_check(service: str, check: str) -> None:
    test = SERVICES[service]["healthcheck"]["test"]

    assert test[0] == "CMD"
    assert check in " ".join(test)


def test_services_start_in_order() -> None:
    ready = {"postgres": "service_healthy", "migrate": "service_completed_successfully"}

    assert conditions("migrate") == {"postgres": "service_healthy"}
    assert conditions("scheduler") == ready
    assert conditions("reaper") == ready
    assert conditions("worker") == {"scheduler": "service_healthy"}


def test_all_but_the_migration_come_back_by_themselves() -> None:
    restarts = {name: each["restart"] for name, each in SERVICES.items()}

    assert restarts.pop("migrate") == "no"
    assert set(restarts.values()) == {"unless-stopped"}


def test_workers_can_be_many() -> None:
    worker = SERVICES["worker"]

    assert not {"container_name", "ports", "hostname"} & set(worker)
    assert "stop_grace_period" in worker


def test_workers_know_no_database() -> None:
    assert not SERVICES["worker"]["environment"]


@pytest.mark.parametrize("service", commands())
def test_each_command_is_one_that_taskmill_has(service: str) -> None:
    program, *arguments = commands()[service]

    assert program == "taskmill"
    subprocess.run([TASKMILL, *arguments, "--help"], check=True, capture_output=True)


def test_the_image_is_a_plain_python_that_does_not_run_as_root() -> None:
    lines = DOCKERFILE.splitlines()
    bases = [line.split()[1] for line in lines if line.startswith("FROM ")]

    assert bases == ["python:3.13-slim", "python:3.13-slim"]
    assert "USER taskmill" in lines
