"""One household a data directory."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from entrypoints.up.errors import UpError


@contextmanager
def locked(data: Path) -> Iterator[None]:
    """Hold the directory; `UpError` if another process does. A dead process holds nothing."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        file = (data / "lock").open("a+")
    except OSError as error:
        raise UpError(f"cannot use {data}: {error.strerror}; choose another with --data") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read().strip() or "unknown"
            message = f"{data} is in use by another `taskmill up` (process {holder})"
            raise UpError(message) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def require_unlocked(data: Path) -> None:
    """Raise `UpError` if another household holds the directory; make nothing."""
    if (data / "lock").exists():
        with locked(data):
            pass
