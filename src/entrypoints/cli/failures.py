"""How commands fail: one clear line, and an exit code that scripts can rely on."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import click

FAILED = 1
MISUSED = 2
UNREACHABLE = 3


def give_up(message: str, *, code: int = FAILED) -> NoReturn:
    """End the command with one line on standard error."""
    click.echo(f"taskmill: {message}", err=True)
    sys.exit(code)


@contextmanager
def explained() -> Iterator[None]:
    """Turn the errors that users can do something about into one line each."""
    from adapters.postgres.migrate import WrongSchemaError  # noqa: PLC0415 - only when needed
    from application.ports import StoreUnavailableError  # noqa: PLC0415 - as above

    try:
        yield
    except WrongSchemaError as error:
        give_up(str(error))
    except StoreUnavailableError as error:
        give_up(f"cannot reach the database: {error}", code=UNREACHABLE)
