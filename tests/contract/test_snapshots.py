"""The statements as PostgreSQL reads them, kept where a reviewer sees each change.

After a change that is meant: `UPDATE_SNAPSHOTS=1 pytest tests/contract/test_snapshots.py`.
"""

import os
from pathlib import Path

import pytest
from sqlalchemy import Executable
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.sql import ClauseElement

from adapters.postgres import (
    board,
    census,
    key_statements,
    lease_statements,
    overdue,
    statements,
    workers,
)
from application.queries import JobQuery
from domain.job import JobId, JobState

SNAPSHOTS = Path(__file__).parent / "snapshots"
DIALECT = PGDialect_asyncpg()  # type: ignore[no-untyped-call]
A_PAGE = JobQuery(state=JobState.FAILED, job_type="print", queue="default", after=JobId(9))

TEXTS: dict[str, str | Executable] = {
    "add": statements.ADD,
    "get": statements.GET,
    "add_keyed": key_statements.ADD_KEYED,
    "bearers": key_statements.BEARERS,
    "lock_keys": key_statements.LOCK_KEYS,
    "take_receipt": key_statements.TAKE_RECEIPT,
    "held_by": lease_statements.HELD_BY,
    "claimed_before": lease_statements.CLAIMED_BEFORE,
    "attempts": lease_statements.ATTEMPTS,
    "claim": statements.CLAIM,
    "claim_in_queues": statements.CLAIM_IN_QUEUES,
    "renew": statements.RENEW,
    "succeed": statements.SUCCEED,
    "settle": statements.SETTLE,
    "pending_lanes": statements.PENDING_LANES,
    "census": census.CENSUS,
    "expired": overdue.EXPIRED,
    "due": overdue.DUE,
    "next_moment": overdue.NEXT_MOMENT,
    "find": board.page(A_PAGE),
    "live_among": board.LIVE_AMONG,
    "worker_seen": workers.SEEN,
    "worker_touch": workers.TOUCH,
    "workers_listed": workers.LISTED,
    "workers_running": workers.RUNNING,
}


def _compiled(statement: str | Executable) -> str:
    if isinstance(statement, str):
        return statement.strip() + "\n"
    assert isinstance(statement, ClauseElement)
    options = {"render_postcompile": True}
    return f"{statement.compile(dialect=DIALECT, compile_kwargs=options)}\n"


@pytest.mark.parametrize("name", TEXTS)
def test_the_statement_is_what_was_reviewed(name: str) -> None:
    path, text = SNAPSHOTS / f"{name}.sql", _compiled(TEXTS[name])
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(text)

    assert text == path.read_text()


def test_no_snapshot_is_left_of_a_statement_that_is_gone() -> None:
    assert {path.stem for path in SNAPSHOTS.glob("*.sql")} == set(TEXTS)
