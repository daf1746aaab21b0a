"""What can be set from outside."""

import re
from pathlib import Path

import msgspec
import pytest

from entrypoints.settings import (
    PREFIX,
    Settings,
    SettingsError,
    read_settings,
    unknown_variables,
)

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"


def test_without_variables_every_setting_has_its_default() -> None:
    assert read_settings({"PATH": "/bin"}) == Settings()


def test_variables_are_read_in_their_own_types() -> None:
    given = {"TASKMILL_PORT": "9000", "TASKMILL_REAPER": "false", "TASKMILL_LEASE": "2.5"}

    assert read_settings(given) == Settings(port=9000, reaper=False, lease=2.5)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("TASKMILL_PORT", "web"),
        ("TASKMILL_PORT", "99999"),
        ("TASKMILL_STORE", "sqlite"),
        ("TASKMILL_LEASE", "0"),
        ("TASKMILL_REAPER", "perhaps"),
        ("TASKMILL_POOL_SIZE", "0"),
        ("TASKMILL_LOG_FORMAT", "xml"),
    ],
)
def test_a_bad_value_is_told_in_one_line_that_names_the_variable(variable: str, value: str) -> None:
    with pytest.raises(SettingsError) as refused:
        read_settings({variable: value})

    assert refused.value.variable == variable
    assert str(refused.value).startswith(f"{variable}={value!r}: ")
    assert "\n" not in str(refused.value)


def test_a_variable_that_is_no_setting_is_found() -> None:
    assert unknown_variables({"TASKMILL_PROT": "1", "TASKMILL_PORT": "1", "HOME": "/"}) == [
        "TASKMILL_PROT"
    ]


def test_the_page_on_settings_lists_just_those_that_exist() -> None:
    names = {PREFIX + field.name.upper() for field in msgspec.structs.fields(Settings)}

    assert set(re.findall(r"`(TASKMILL_[A-Z_]+)`", PAGE.read_text())) == names
