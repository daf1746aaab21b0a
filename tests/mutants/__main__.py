"""Break the SQL in many ways, one at a time, and tell which test notices each.

python -m tests.mutants              the contract tests, then the agreement test
python -m tests.mutants agreement    the agreement test alone: what it must find by itself
python -m tests.mutants NAME…        these mutants only
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from adapters.local_postgres.server import LocalPostgres
from tests.mutants.mutations import MUTATIONS, Mutation
from tests.mutants.plugin import MUTANT
from tests.postgres_server import HASTY

HERE = Path(__file__).parents[1] / "contract"
CONTRACT = [
    *("settling", "claiming", "renewing", "looking_overdue", "adding", "keys", "attempts"),
    "claim_cost",
]
AGREEMENT = "agreement"
FAILED = re.compile(r"^(?:FAILED|ERROR) \S*?::(\S+)", re.MULTILINE)
TESTS_FAILED = 1


def main(arguments: Sequence[str]) -> int:
    """Return how many mutants nobody noticed."""
    by_itself = list(arguments) == [AGREEMENT]
    chosen = [
        mutation
        for mutation in MUTATIONS
        if (mutation.alone if by_itself else not arguments or mutation.name in arguments)
    ]
    with (
        tempfile.TemporaryDirectory(prefix="taskmill-mutants-", ignore_cleanup_errors=True) as home,
        LocalPostgres(settings=HASTY) as server,
    ):
        url = server.start(Path(home))
        suites = [[AGREEMENT]] if by_itself else [CONTRACT, [AGREEMENT]]
        return sum(_survives(mutation, url, suites) for mutation in chosen)


def _survives(mutation: Mutation, url: str, suites: Sequence[Sequence[str]]) -> bool:
    for suite in suites:
        caught_by = _first_failure(mutation, url, suite)
        if caught_by:
            print(f"{mutation.name:<42} caught by {caught_by}", flush=True)  # noqa: T201 - the report
            return False
    print(f"{mutation.name:<42} SURVIVED", flush=True)  # noqa: T201 - the report
    return True


def _first_failure(mutation: Mutation, url: str, suite: Sequence[str]) -> str | None:
    files = [str(HERE / f"test_{name}.py") for name in suite]
    options = ["-p", "tests.mutants.plugin", "-m", "postgres", "-x", "-q", "--tb=no"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-p", "no:cacheprovider", *files],
        env={**os.environ, MUTANT: mutation.name, "TASKMILL_TEST_DATABASE_URL": url},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return None
    failed = FAILED.search(done.stdout)
    if done.returncode != TESTS_FAILED or failed is None:
        sys.exit(f"{mutation.name}: the tests did not run\n{done.stdout}{done.stderr}")
    return failed[1]


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
