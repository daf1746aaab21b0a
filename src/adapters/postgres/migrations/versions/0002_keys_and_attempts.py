"""Unique keys, idempotency keys, named claims, and the history of attempts."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, JSON

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

NAME = sa.Text(collation="C")
INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add the columns, their indexes, and two tables."""
    for column in (
        sa.Column("unique_key", NAME),
        sa.Column("ended_at", INSTANT),
        sa.Column("claim_id", NAME),
    ):
        op.add_column("jobs", column)
    running = sa.text("state = 'running'")
    op.create_index("jobs_held", "jobs", ["worker_id", "id"], postgresql_where=running)
    bears_key = sa.text("unique_key IS NOT NULL AND state IN ('scheduled', 'pending', 'running')")
    op.create_index(
        "jobs_unique_key", "jobs", ["unique_key"], unique=True, postgresql_where=bears_key
    )
    _make_attempts()
    _make_receipts()


def _make_attempts() -> None:
    op.create_table(
        "attempts",
        sa.Column("job_id", sa.BigInteger, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("worker_id", NAME, nullable=False),
        sa.Column("started_at", INSTANT, nullable=False),
        sa.Column("ended_at", INSTANT),
        sa.Column("outcome", NAME),
        sa.Column("error", JSON),
    )


def _make_receipts() -> None:
    op.create_table(
        "receipts",
        sa.Column("key", NAME, primary_key=True),
        sa.Column("fingerprint", sa.LargeBinary, nullable=False),
        sa.Column("answered_at", INSTANT, nullable=False),
        sa.Column("job_ids", ARRAY(sa.BigInteger), nullable=False),
        sa.Column("how", ARRAY(sa.Text), nullable=False),
    )
    op.create_index("receipts_answered_at", "receipts", ["answered_at"])
