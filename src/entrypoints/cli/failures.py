"""How commands fail: one clear line, and an exit code that scripts can rely on."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import click

FAILED = 1
MISUSED = 2
UNREACHABLE = 3
UNFINISHED = 4


def give_up(message: str, *, code: int = FAILED) -> NoReturn:
    """End the command with one line on standard error."""
    click.echo(f"taskmill: {message}", err=True)
    sys.exit(code)


@contextmanager
def explained() -> Iterator[None]:
    """Turn the errors that users can do something about into one line each."""
    try:
        yield
    except Exception as error:
        told = _explanation(error)
        if told is None:
            raise
        message, code = told
        give_up(message, code=code)


def _explanation(error: Exception) -> tuple[str, int] | None:
    # Imported once something has failed: a command that works need not wait for it.
    from adapters.postgres.migrate import WrongSchemaError  # noqa: PLC0415
    from application.ports import StoreUnavailableError  # noqa: PLC0415
    from entrypoints.up.errors import UpError  # noqa: PLC0415

    match error:
        case UpError():
            return str(error), error.exit_code
        case WrongSchemaError():
            return str(error), FAILED
        case StoreUnavailableError():
            return f"cannot reach the database: {error}", UNREACHABLE
        case _:
            return None
