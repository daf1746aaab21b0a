"""Settings from the environment, with the options of a command on top."""

import os
from typing import Any
from urllib.parse import urlsplit

import msgspec

from entrypoints.cli.failures import MISUSED, give_up
from entrypoints.settings import Settings, SettingsError, read_settings, unknown_variables


def settings_with(**options: Any) -> Settings:  # noqa: ANN401 - any setting
    """Return the settings; an option that was not given (None) leaves the variable's value."""
    try:
        settings = read_settings(os.environ)
    except SettingsError as error:
        give_up(str(error), code=MISUSED)
    given = {name: value for name, value in options.items() if value is not None}
    try:
        return msgspec.convert({**msgspec.structs.asdict(settings), **given}, Settings)
    except msgspec.ValidationError as error:
        give_up(f"an option has a value that it cannot have: {error}", code=MISUSED)


def start_logging(settings: Settings) -> None:
    """Set the logs up, and warn of variables that look like settings and are none."""
    # Only commands that run for long need these.
    import structlog  # noqa: PLC0415

    from entrypoints.logs import configure_logs  # noqa: PLC0415

    configure_logs(settings)
    for name in unknown_variables(os.environ):
        structlog.get_logger("taskmill").warning("unknown setting ignored", variable=name)


def require_url(url: str) -> None:
    """End the command unless this can be a scheduler's address."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        give_up(f"the scheduler's URL must look like http://host:8000, not {url!r}", code=MISUSED)
