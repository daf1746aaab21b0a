"""What can be set from outside, each with a default: the `TASKMILL_*` environment variables."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Literal

import msgspec

PREFIX = "TASKMILL_"

MOST_SLOTS = 10_000
"""All leases of a worker must fit into one heartbeat."""

Seconds = Annotated[float, msgspec.Meta(gt=0, le=86_400)]
Count = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Bytes = Annotated[int, msgspec.Meta(ge=1, le=2**30)]
Port = Annotated[int, msgspec.Meta(ge=0, le=65_535)]


class SettingsError(Exception):
    """A variable has a value that it cannot have."""

    def __init__(self, *, variable: str, value: str, expected: str) -> None:
        super().__init__(f"{variable}={value!r}: {expected}")
        self.variable = variable
        self.value = value
        self.expected = expected


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings of all commands. Lengths of time are in seconds, sizes in bytes."""

    store: Literal["postgres", "memory"] = "postgres"
    database_url: str = "postgresql://postgres@127.0.0.1:5432/postgres"
    pool_size: Count = 10
    host: str = "127.0.0.1"
    port: Port = 8000
    reaper: bool = True
    lease: Seconds = 30
    max_payload: Bytes = 256 * 1024
    max_body: Bytes = 64 * 1024 * 1024
    log_format: Literal["console", "json"] = "console"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    scheduler_url: str = "http://127.0.0.1:8000"
    slots: Annotated[int, msgspec.Meta(ge=1, le=MOST_SLOTS)] = 10
    queues: str | None = None
    strategies: str = ""
    grace: Annotated[float, msgspec.Meta(ge=0, le=86_400)] = 30
    http_allow: str = ""

    @property
    def lease_length(self) -> timedelta:
        """How long a lease lasts at most without a heartbeat."""
        return timedelta(seconds=self.lease)


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Return the settings that the environment asks for; `SettingsError` names a bad one."""
    values = {
        field.name: environment[PREFIX + field.name.upper()]
        for field in msgspec.structs.fields(Settings)
        if PREFIX + field.name.upper() in environment
    }
    try:
        return msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        expected, _, path = str(error).partition(" - at `$.")
        name = path.removesuffix("`")
        raise SettingsError(
            variable=PREFIX + name.upper(), value=values[name], expected=expected
        ) from None


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Return the variables that look like settings but are none: a typo, most likely."""
    known = {PREFIX + field.name.upper() for field in msgspec.structs.fields(Settings)}
    return sorted(name for name in environment if name.startswith(PREFIX) and name not in known)
