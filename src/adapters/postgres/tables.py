"""The tables, as SQLAlchemy sees them; the migrations are what makes them."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Double,
    Identity,
    Index,
    Integer,
    Interval,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    false,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSON

metadata = MetaData()

# Names compare byte by byte: faster than a language's order, and an index on them survives
# the operating system changing its mind about that order.
Name = Text(collation="C")
Instant = DateTime(timezone=True)

# Written into the statements as they stand here, never as arguments: the planner uses a
# partial index only where it can see that the condition is the index's own.
# The second half always holds. It tells apart the two indexes of pending jobs: each walks in
# an order that the other has not, and a planner misled by old statistics would take either.
IS_PENDING_IN_LANE = text("state = 'pending' AND failures >= 0")
IS_PENDING_OF_TYPE = text("state = 'pending' AND attempt >= 0")
IS_SCHEDULED = text("state = 'scheduled'")
IS_RUNNING = text("state = 'running'")
IS_LIVE = text("state IN ('scheduled', 'pending', 'running')")
BEARS_KEY = text("unique_key IS NOT NULL AND state IN ('scheduled', 'pending', 'running')")
IS_UNSUCCESSFUL = text("state IN ('failed', 'cancelled')")

jobs = Table(
    "jobs",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("job_type", Name, nullable=False),
    Column("queue", Name, nullable=False),
    Column("priority", SmallInteger, nullable=False),
    # Text under a CHECK: readable in psql, and a new state is a migration of one constraint,
    # where an enum type would cost each new connection a look into the catalogue.
    Column("state", Name, nullable=False),
    Column("rank", BigInteger, nullable=False),
    Column("run_at", Instant, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("timeout", Interval, nullable=False),
    Column("max_attempts", Integer, nullable=False),
    Column("retry_delay", Interval, nullable=False),
    Column("retry_factor", Double, nullable=False),
    Column("retry_max_delay", Interval, nullable=False),
    Column("retry_jitter", Double, nullable=False),
    # json and not jsonb: kept as written, so that NUL escapes, numbers of any size and
    # repeated keys come back equal.
    Column("payload", JSON, nullable=False),
    Column("metadata", JSON, nullable=False),
    Column("unique_key", Name),
    Column("attempt", Integer, nullable=False, server_default=text("0")),
    Column("failures", Integer, nullable=False, server_default=text("0")),
    Column("started_at", Instant),
    Column("finished_at", Instant),
    Column("ended_at", Instant),
    Column("worker_id", Name),
    Column("claim_id", Name),
    Column("outcome", Name),
    Column("lease_expires_at", Instant),
    Column("progress", Double),
    Column("cancel_requested", Boolean, nullable=False, server_default=false()),
    Column("result", JSON),
    Column("error", JSON),
    CheckConstraint(
        "state IN ('scheduled', 'pending', 'running', 'succeeded', 'failed', 'cancelled')",
        name="jobs_known_state",
    ),
    CheckConstraint(
        "(state = 'running') = (lease_expires_at IS NOT NULL)", name="jobs_leased_while_running"
    ),
    CheckConstraint(
        "(state IN ('succeeded', 'failed', 'cancelled')) = (finished_at IS NOT NULL)",
        name="jobs_finished_when_final",
    ),
    CheckConstraint("0 <= failures AND failures <= attempt", name="jobs_failures_are_attempts"),
    # A lane's jobs in order, for workers that name their queues.
    Index(
        "jobs_pending_in_lane",
        *("job_type", "queue", "rank", "run_at", "id"),
        postgresql_where=IS_PENDING_IN_LANE,
    ),
    # A type's jobs in order whatever the queue: most workers take from all queues, and with
    # this a thousand queues cost their claims what one costs.
    Index(
        "jobs_pending_of_type",
        *("job_type", "rank", "run_at", "id"),
        postgresql_where=IS_PENDING_OF_TYPE,
    ),
    Index("jobs_scheduled", "run_at", "id", postgresql_where=IS_SCHEDULED),
    Index("jobs_running", "lease_expires_at", "id", postgresql_where=IS_RUNNING),
    Index("jobs_held", "worker_id", "id", postgresql_where=IS_RUNNING),
    # At most one live job bears a key: uniqueness is decided here and nowhere else.
    Index("jobs_unique_key", "unique_key", unique=True, postgresql_where=BEARS_KEY),
    # The jobs that people look for; successes, the many, do not pay for it.
    Index("jobs_unsuccessful", "id", postgresql_where=IS_UNSUCCESSFUL),
)

workers = Table(
    "workers",
    metadata,
    Column("id", Name, primary_key=True),
    Column("last_seen", Instant, nullable=False),
    Column("job_types", ARRAY(Text), nullable=False),
    Column("queues", ARRAY(Text)),
    Column("slots", Integer),
    Column("draining", Boolean, nullable=False),
)

# The attempts before the latest, which its job tells of. No foreign key: a job's row is hot, and
# each reference would lock it.
attempts = Table(
    "attempts",
    metadata,
    Column("job_id", BigInteger, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("worker_id", Name, nullable=False),
    Column("started_at", Instant, nullable=False),
    Column("ended_at", Instant),
    Column("outcome", Name),
    Column("error", JSON),
)

# Which submits were answered under an idempotency key, and with which jobs.
receipts = Table(
    "receipts",
    metadata,
    Column("key", Name, primary_key=True),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("answered_at", Instant, nullable=False),
    Column("job_ids", ARRAY(BigInteger), nullable=False),
    Column("how", ARRAY(Text), nullable=False),
    Index("receipts_answered_at", "answered_at"),
)
