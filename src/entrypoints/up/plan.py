"""What a household consists of."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from entrypoints.settings import Settings
from entrypoints.up.addresses import around_proxies, url_for_people, url_of
from entrypoints.up.child import Child

DATABASE_URL = "TASKMILL_DATABASE_URL"
WORKERS_GRACE_S = 2.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be started."""

    settings: Settings
    data: Path
    workers: int
    strategies: Sequence[str]

    @property
    def url(self) -> str:
        """Where people find the scheduler."""
        return url_for_people(self.settings.host, self.settings.port)

    def children(self, database_url: str) -> tuple[Child, list[Child]]:
        """Return the scheduler and the workers, not started yet."""
        environment = self._environment(database_url)
        host, port = self.settings.host, self.settings.port
        serve = ["serve", "--host", host, "--port", str(port)]
        work = ["work", "--scheduler", url_of(host, port), "--slots", str(self.settings.slots)]
        for strategies in self.strategies:
            work += ["--strategies", strategies]
        workers = [Child(*work, environment=environment) for _ in range(self.workers)]
        return Child(*serve, environment=environment), workers

    def _environment(self, database_url: str) -> dict[str, str]:
        return {
            "TASKMILL_STORE": self.settings.store,
            DATABASE_URL: database_url,
            "TASKMILL_GRACE": str(min(self.settings.grace, WORKERS_GRACE_S)),
            "no_proxy": around_proxies(self.settings.host, os.environ),
        }
