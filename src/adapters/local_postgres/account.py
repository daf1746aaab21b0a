"""Who the server runs as: PostgreSQL refuses to run as root."""

import os
import pwd
import shutil
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

from adapters.local_postgres.errors import LocalPostgresError

NAME = "taskmill-postgres"
ALREADY_EXISTS = 9  # what useradd answers when another process was faster
READ_AND_SEARCH = stat.S_IROTH | stat.S_IXOTH


@dataclass(frozen=True, slots=True)
class Account:
    """The system user that owns the data and runs the server."""

    uid: int
    gid: int

    def own(self, path: Path) -> None:
        """Make the account the owner of a file or directory."""
        os.chown(path, self.uid, self.gid)

    def reach(self, path: Path) -> None:
        """Let the account pass through the directories that lead to a path, not list them."""
        for directory in path.parents:
            _allow(directory, stat.S_IXOTH)

    def read(self, tree: Path) -> None:
        """Let the account read and run what an installation with a strict umask hid from it."""
        self.reach(tree)
        if tree.stat().st_mode & READ_AND_SEARCH == READ_AND_SEARCH:
            return
        for path in [*tree.rglob("*"), tree]:
            executable = path.is_dir() or path.stat().st_mode & stat.S_IXUSR
            _allow(path, READ_AND_SEARCH if executable else stat.S_IROTH)


def account_for(data: Path) -> Account | None:
    """Return who has to run a server on this data, or None if we may do so ourselves."""
    if os.geteuid() != 0:
        return None
    if data.exists() and data.stat().st_uid != 0:
        return Account(data.stat().st_uid, data.stat().st_gid)
    return _named_account()


def _named_account() -> Account:
    try:
        entry = pwd.getpwnam(NAME)
    except KeyError:
        _add_user()
        entry = pwd.getpwnam(NAME)
    return Account(entry.pw_uid, entry.pw_gid)


def _add_user() -> None:
    useradd = shutil.which("useradd")
    if useradd is None:
        message = "PostgreSQL does not run as root: start Taskmill as an ordinary user."
        raise LocalPostgresError(message)
    command = [useradd, "--system", "--no-create-home", "--shell", "/bin/false", NAME]
    added = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if added.returncode not in {0, ALREADY_EXISTS}:
        message = f"The system user {NAME} for PostgreSQL cannot be made: {added.stderr.strip()}"
        raise LocalPostgresError(message)


def _allow(path: Path, bits: int) -> None:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & bits != bits:
        path.chmod(mode | bits)
