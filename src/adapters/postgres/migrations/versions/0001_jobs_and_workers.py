"""The jobs and the workers."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, JSON

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

NAME = sa.Text(collation="C")
INSTANT = sa.DateTime(timezone=True)
IN_LANE = sa.text("state = 'pending' AND failures >= 0")
OF_TYPE = sa.text("state = 'pending' AND attempt >= 0")

# Every job is written three times and the dead versions pile up where claims look: room on the
# page for the next version, and a vacuum that comes early, for its share of changed rows, and
# does not pause. New rows need it too, so that counting can stay in the index.
CHURN = """
ALTER TABLE jobs SET (
    fillfactor = 85,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_insert_scale_factor = 0.1,
    autovacuum_analyze_scale_factor = 0.05,
    autovacuum_vacuum_cost_delay = 0
)
"""


def upgrade() -> None:
    """Make both tables and their indexes."""
    op.create_table("jobs", *_submitted(), *_progress(), *_invariants())
    op.execute(CHURN)
    lane = ["job_type", "queue", "rank", "run_at", "id"]
    op.create_index("jobs_pending_in_lane", "jobs", lane, postgresql_where=IN_LANE)
    whole_type = ["job_type", "rank", "run_at", "id"]
    op.create_index("jobs_pending_of_type", "jobs", whole_type, postgresql_where=OF_TYPE)
    scheduled = sa.text("state = 'scheduled'")
    op.create_index("jobs_scheduled", "jobs", ["run_at", "id"], postgresql_where=scheduled)
    running = sa.text("state = 'running'")
    op.create_index("jobs_running", "jobs", ["lease_expires_at", "id"], postgresql_where=running)
    unsuccessful = sa.text("state IN ('failed', 'cancelled')")
    op.create_index("jobs_unsuccessful", "jobs", ["id"], postgresql_where=unsuccessful)
    op.create_table("workers", *_worker())


def _submitted() -> list[sa.Column[Any]]:
    return [
        sa.Column("id", sa.BigInteger, sa.Identity(always=True), primary_key=True),
        sa.Column("job_type", NAME, nullable=False),
        sa.Column("queue", NAME, nullable=False),
        sa.Column("priority", sa.SmallInteger, nullable=False),
        sa.Column("state", NAME, nullable=False),
        sa.Column("rank", sa.BigInteger, nullable=False),
        sa.Column("run_at", INSTANT, nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("timeout", sa.Interval, nullable=False),
        sa.Column("max_attempts", sa.Integer, nullable=False),
        sa.Column("retry_delay", sa.Interval, nullable=False),
        sa.Column("retry_factor", sa.Double, nullable=False),
        sa.Column("retry_max_delay", sa.Interval, nullable=False),
        sa.Column("retry_jitter", sa.Double, nullable=False),
        sa.Column("payload", JSON, nullable=False),
        sa.Column("metadata", JSON, nullable=False),
    ]


def _progress() -> list[sa.Column[Any]]:
    return [
        sa.Column("attempt", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("failures", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("started_at", INSTANT),
        sa.Column("finished_at", INSTANT),
        sa.Column("worker_id", NAME),
        sa.Column("outcome", NAME),
        sa.Column("lease_expires_at", INSTANT),
        sa.Column("progress", sa.Double),
        sa.Column("cancel_requested", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("result", JSON),
        sa.Column("error", JSON),
    ]


def _invariants() -> list[sa.CheckConstraint]:
    known = "state IN ('scheduled', 'pending', 'running', 'succeeded', 'failed', 'cancelled')"
    leased = "(state = 'running') = (lease_expires_at IS NOT NULL)"
    finished = "(state IN ('succeeded', 'failed', 'cancelled')) = (finished_at IS NOT NULL)"
    return [
        sa.CheckConstraint(known, name="jobs_known_state"),
        sa.CheckConstraint(leased, name="jobs_leased_while_running"),
        sa.CheckConstraint(finished, name="jobs_finished_when_final"),
        sa.CheckConstraint(
            "0 <= failures AND failures <= attempt", name="jobs_failures_are_attempts"
        ),
    ]


def _worker() -> list[sa.Column[Any]]:
    return [
        sa.Column("id", NAME, primary_key=True),
        sa.Column("last_seen", INSTANT, nullable=False),
        sa.Column("job_types", ARRAY(sa.Text), nullable=False),
        sa.Column("queues", ARRAY(sa.Text)),
        sa.Column("slots", sa.Integer),
        sa.Column("draining", sa.Boolean, nullable=False),
    ]
