"""What is installed under the name taskmill: four packages, one command, and nothing else."""

import json
from importlib.metadata import Distribution, distribution, packages_distributions
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

PACKAGES = ("domain", "application", "adapters", "entrypoints")


@pytest.fixture
def taskmill() -> Distribution:
    return distribution("taskmill")


def editable_source(taskmill: Distribution) -> Path | None:
    """Return the source tree that an editable install points at, or None for a wheel."""
    origin = json.loads(taskmill.read_text("direct_url.json") or "{}")
    if not origin.get("dir_info", {}).get("editable"):
        return None
    return Path(url2pathname(urlsplit(origin["url"]).path)) / "src"


@pytest.mark.parametrize("package", PACKAGES)
def test_no_other_distribution_brings_a_package_of_that_name(package: str) -> None:
    # An editable install lists no packages at all, and then nobody may.
    assert set(packages_distributions().get(package, [])) <= {"taskmill"}


@pytest.mark.parametrize("package", PACKAGES)
def test_the_package_that_is_imported_is_ours(package: str, taskmill: Distribution) -> None:
    home = editable_source(taskmill) or Path(str(taskmill.locate_file("")))
    spec = find_spec(package)

    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.origin).resolve() == (home / package / "__init__.py").resolve()


def test_the_wheel_holds_nothing_but_the_packages(taskmill: Distribution) -> None:
    if editable_source(taskmill) is not None:
        pytest.skip("an editable install has no wheel's contents")
    tops = {path.parts[0] for path in taskmill.files or []}

    assert tops == {*PACKAGES, "..", f"taskmill-{taskmill.version}.dist-info"}


def test_the_one_command_is_taskmill(taskmill: Distribution) -> None:
    scripts = taskmill.entry_points.select(group="console_scripts")

    assert [(script.name, script.value) for script in scripts] == [
        ("taskmill", "entrypoints.cli:main")
    ]


def test_the_command_can_be_loaded(taskmill: Distribution) -> None:
    [script] = taskmill.entry_points.select(group="console_scripts")

    assert callable(script.load())


def test_the_metadata_says_what_users_ask_first(taskmill: Distribution) -> None:
    metadata = taskmill.metadata

    assert metadata["Name"] == "taskmill"
    assert metadata["Version"] == "0.1.0"
    assert metadata["License-Expression"] == "MIT"
    assert metadata["License-File"] == "LICENSE"
    assert metadata["Requires-Python"] == ">=3.11"


def test_tools_for_development_are_no_dependency_of_users(taskmill: Distribution) -> None:
    needed = [line for line in taskmill.requires or [] if "extra ==" not in line]

    assert not [line for line in needed if line.startswith(("pytest", "mypy", "ruff"))]
