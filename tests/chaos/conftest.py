"""The rig on a database of its own."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.postgres.migrate import upgrade
from tests.chaos.rig import Rig


@pytest.fixture
def rig(database_url: str, tmp_path: Path) -> Iterator[Rig]:
    """A scheduler whose leases last two seconds, with no worker yet."""
    asyncio.run(upgrade(database_url))
    rig = Rig(database_url, tmp_path, settings={"TASKMILL_LEASE": "2"})
    try:
        rig.start_scheduler()
        yield rig
    finally:
        rig.stop_all()
