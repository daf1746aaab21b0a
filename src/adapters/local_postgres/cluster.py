"""The data directory of a local server: made once, whole or not at all, and checked."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters.local_postgres.account import Account
from adapters.local_postgres.errors import LocalPostgresError
from adapters.local_postgres.postmaster import PORT
from adapters.local_postgres.programs import Programs

# Trust is right where only the owner of the directory can reach the socket.
INITDB = (
    "--username=postgres",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C",
    "--no-instructions",
)
LONGEST_SOCKET_PATH = 103  # bytes that every system can put into the address of a socket


@dataclass(frozen=True, slots=True)
class Cluster:
    """What PostgreSQL calls a cluster: one directory that one server serves."""

    path: Path
    programs: Programs
    account: Account | None

    @property
    def log(self) -> Path:
        """Where the server writes what it has to say."""
        return self.path.with_suffix(".log")

    def ensure(self) -> None:
        """Make the data directory, or check that one which is there can be used."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self.account is not None:
            self.account.reach(self.path)
            self.account.read(self.programs.directory.parent)
        if not self.path.exists():
            self._create()
        if self.log.exists():
            self.log.replace(self.log.with_suffix(".log.old"))
        made_by, brought = self._major_version(), self.programs.major_version()
        if made_by != brought:
            message = (
                f"The data in {self.path} was made by PostgreSQL {made_by}, and {brought} cannot "
                "read it: choose another data directory, or move the data with pg_dump."
            )
            raise LocalPostgresError(message)

    def socket_directory(self) -> Path:
        """Return a private directory for the socket, with a name that an address can hold."""
        longest = self.path / f".s.PGSQL.{PORT}"
        # PostgreSQL takes a list here, so that a comma or a quote would end the name.
        plain = not set(str(self.path)) & set(",\"'")
        if plain and len(os.fsencode(longest)) <= LONGEST_SOCKET_PATH:
            return self.path
        directory = Path(tempfile.mkdtemp(prefix="taskmill-", dir="/tmp"))
        if self.account is not None:
            self.account.own(directory)
        return directory

    def launch(self, settings: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """Start the server process, out of reach of the signals that a terminal sends us."""
        arguments = [f"--{name}={value}" for name, value in settings.items()]
        with self.log.open("ab") as log:
            return subprocess.Popen(  # noqa: S603 - a program of the wheel
                [self.programs.path("postgres"), "-D", str(self.path), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                **self._surroundings(),
            )

    def complaint(self) -> str:
        """Return what the server said last about why it cannot go on, and where it said so."""
        lines = self.log.read_text(errors="replace").splitlines()
        fatal = [line.partition("FATAL:")[2].strip() for line in lines if "FATAL:" in line]
        return f"{fatal[-1] if fatal else 'it did not say why'} (more in {self.log})"

    def held_by_orphans(self) -> bool:
        """Tell whether sessions that outlived a killed server keep a new one from starting."""
        return "pre-existing shared memory block" in self.complaint()

    def _create(self) -> None:
        """Run initdb beside the final place, so that one cut short is never taken for whole."""
        draft = self.path.with_suffix(".new")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        if self.account is not None:
            self.account.own(draft)
        made = subprocess.run(  # noqa: S603 - a program of the wheel
            [self.programs.path("initdb"), *INITDB, "-D", str(draft)],
            capture_output=True,
            text=True,
            check=False,
            start_new_session=True,
            **self._surroundings(),
        )
        if made.returncode != 0:
            message = f"PostgreSQL cannot make its data in {self.path}: {_last_line(made.stderr)}"
            raise LocalPostgresError(message)
        draft.rename(self.path)

    def _major_version(self) -> str:
        try:
            return (self.path / "PG_VERSION").read_text().strip()
        except FileNotFoundError:
            message = f"{self.path} is in the way: it is no data directory of PostgreSQL."
            raise LocalPostgresError(message) from None

    def _surroundings(self) -> dict[str, Any]:
        """Return the user, directory and environment that the programs run in."""
        environment = {key: text for key, text in os.environ.items() if not key.startswith("PG")}
        around: dict[str, Any] = {"cwd": "/", "env": environment | {"LC_ALL": "C"}}
        if self.account is not None:
            around |= {"user": self.account.uid, "group": self.account.gid, "extra_groups": []}
        return around


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it did not say why"
