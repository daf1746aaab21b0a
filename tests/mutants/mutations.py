"""Small, plausible mistakes in the statements, each as a change of text."""

from dataclasses import dataclass

CLAIMS = ("statements.CLAIM", "statements.CLAIM_IN_QUEUES")
SETTLEMENTS = ("statements.SUCCEED", "statements.SETTLE")
RENEW = ("statements.RENEW",)


@dataclass(frozen=True, slots=True)
class Mutation:
    """Replaces `old` by `new` in each of the constants, in which it must be found.

    `alone` is false for what no single caller of a small store can notice, and so no program of
    the agreement test: it takes several callers at once, or many jobs.
    """

    name: str
    constants: tuple[str, ...]
    old: str
    new: str
    alone: bool = True


MUTATIONS = [
    Mutation(
        "a claim ignores the type",
        ("statements.CLAIM",),
        "AND jobs.job_type = lanes.job_type",
        "",
    ),
    Mutation(
        "a claim ignores the queues",
        ("statements.CLAIM_IN_QUEUES",),
        "AND jobs.queue = ANY($6::text[])",
        "",
    ),
    Mutation(
        "a lane is a whole type",
        ("statements.CLAIM_IN_QUEUES",),
        "AND jobs.queue = lanes.queue",
        "",
    ),
    Mutation(
        "a claim stops at the first queue",
        ("statements.CLAIM_IN_QUEUES",),
        "AND jobs.queue > lanes.queue",
        "AND false",
    ),
    Mutation(
        "the order ignores rank",
        CLAIMS,
        "ORDER BY jobs.rank, jobs.run_at, jobs.id",
        "ORDER BY jobs.run_at, jobs.id",
    ),
    Mutation(
        "the order ignores run_at",
        CLAIMS,
        "ORDER BY jobs.rank, jobs.run_at, jobs.id",
        "ORDER BY jobs.rank, jobs.id",
    ),
    Mutation(
        "the order ignores the id",
        CLAIMS,
        "ORDER BY jobs.rank, jobs.run_at, jobs.id",
        "ORDER BY jobs.rank, jobs.run_at, jobs.id DESC",
    ),
    Mutation(
        "the lanes are not merged in order",
        CLAIMS,
        "ORDER BY head.rank, head.run_at, head.id",
        "ORDER BY head.id",
        alone=False,  # takes a backlog longer than any program makes
    ),
    Mutation(
        "the answer has no order",
        CLAIMS,
        "ORDER BY claimed.rank, claimed.run_at, claimed.id",
        "ORDER BY claimed.id",
    ),
    Mutation(
        "the lock comes before LIMIT",
        CLAIMS,
        "LIMIT $4::integer\n    FOR UPDATE SKIP LOCKED",
        "FOR UPDATE SKIP LOCKED",
    ),
    Mutation("SKIP LOCKED is dropped", CLAIMS, "SKIP LOCKED", "", alone=False),
    Mutation(
        "there is nothing to spare",
        CLAIMS,
        "LIMIT $4::integer * 2 + 16",
        "LIMIT $4::integer",
        alone=False,
    ),
    Mutation("a claim counts no attempt", CLAIMS, "jobs.attempt + 1", "jobs.attempt"),
    Mutation(
        "a lease outlives the timeout", CLAIMS, "least(jobs.timeout, $3::interval)", "$3::interval"
    ),
    Mutation("a claim keeps the last outcome", CLAIMS, "outcome = NULL", "outcome = jobs.outcome"),
    Mutation(
        "a claim keeps the last progress", CLAIMS, "progress = NULL", "progress = jobs.progress"
    ),
    Mutation("a beat needs no attempt", RENEW, "AND jobs.attempt = told.attempt", ""),
    Mutation("a beat needs no worker", RENEW, "AND jobs.worker_id = told.worker_id", ""),
    Mutation("a beat needs no running job", RENEW, "jobs.state = $1::text", "$1::text <> ''"),
    Mutation(
        "a beat goes past the deadline", RENEW, "jobs.started_at + jobs.timeout", "'infinity'"
    ),
    Mutation(
        "a beat forgets the progress",
        RENEW,
        "coalesce(held.progress, jobs.progress)",
        "held.progress",
    ),
    Mutation("the fence has no state", SETTLEMENTS, "jobs.state = told.from_state", "true"),
    Mutation("the fence has no attempt", SETTLEMENTS, "AND jobs.attempt = told.from_attempt", ""),
    Mutation(
        "the fence has no worker",
        SETTLEMENTS,
        "AND jobs.worker_id IS NOT DISTINCT FROM told.from_worker_id",
        "",
    ),
    Mutation(
        "the fence takes no worker for no match",
        SETTLEMENTS,
        "jobs.worker_id IS NOT DISTINCT FROM told.from_worker_id",
        "jobs.worker_id = told.from_worker_id",
    ),
    Mutation(
        "the fence knows of no cancel",
        SETTLEMENTS,
        "AND jobs.cancel_requested = coalesce(told.from_cancel_requested, jobs.cancel_requested)",
        "",
    ),
    Mutation(
        "the fence minds a cancel always",
        SETTLEMENTS,
        "coalesce(told.from_cancel_requested, jobs.cancel_requested)",
        "coalesce(told.from_cancel_requested, false)",
    ),
    Mutation(
        "an expiry is not looked at again",
        SETTLEMENTS,
        "AND (told.expired_by IS NULL OR jobs.lease_expires_at <= told.expired_by)",
        "",
    ),
    Mutation(
        "an expiry comes a moment late",
        SETTLEMENTS,
        "jobs.lease_expires_at <= told.expired_by",
        "jobs.lease_expires_at < told.expired_by",
    ),
    Mutation(
        "a success keeps the error", ("statements.SUCCEED",), "error = NULL", "progress = NULL"
    ),
    Mutation(
        "a cancel asked for ends the lease",
        ("statements.SETTLE",),
        "CASE WHEN standing.state = 'running' THEN jobs.lease_expires_at END",
        "NULL",
    ),
    Mutation("a wait keeps the old rank", ("statements.SETTLE",), "rank = standing.rank,", ""),
    Mutation(
        "a plan may read the whole table",
        (*SETTLEMENTS, *RENEW),
        "jobs.id = ANY(ARRAY[told.id])",
        "jobs.id = told.id",
        alone=False,
    ),
    Mutation("ids come in any order", ("statements.ADD",), "BY position", "BY priority, position"),
    Mutation("due whatever the time", ("overdue.DUE",), "AND jobs.run_at <= :now", ""),
    Mutation("due a moment late", ("overdue.DUE",), "jobs.run_at <= :now", "jobs.run_at < :now"),
    Mutation("due by id", ("overdue.DUE",), "ORDER BY jobs.run_at, jobs.id", "ORDER BY jobs.id"),
    Mutation(
        "expired whatever the time",
        ("overdue.EXPIRED",),
        "AND jobs.lease_expires_at <= :now",
        "",
    ),
    Mutation(
        "expired a moment late",
        ("overdue.EXPIRED",),
        "jobs.lease_expires_at <= :now",
        "jobs.lease_expires_at < :now",
    ),
    Mutation(
        "a claim forgets its name",
        ("statements.CLAIM",),
        "claim_id = $6::text,",
        "claim_id = nullif($6::text, $6::text),",
    ),
    Mutation("an attempt is not filed", CLAIMS, "WHERE picked.attempt > 0", "WHERE false"),
    Mutation(
        "a claim is remembered for ever",
        ("lease_statements.CLAIMED_BEFORE",),
        "AND jobs.started_at > $3::timestamptz",
        "AND $3::timestamptz IS NOT NULL",
        alone=False,
    ),
    Mutation(
        "young leases are taken back",
        ("lease_statements.HELD_BY",),
        "AND jobs.started_at <= $2::timestamptz",
        "AND $2::timestamptz IS NOT NULL",
        alone=False,
    ),
    Mutation(
        "leases of any attempt count as named",
        ("lease_statements.HELD_BY",),
        "AND known.attempt = jobs.attempt",
        "AND known.attempt > 0",
        alone=False,
    ),
    Mutation(
        "a receipt lapses at once",
        ("key_statements.TAKE_RECEIPT",),
        "WHERE receipts.answered_at <= $4::timestamptz",
        "WHERE $4::timestamptz IS NOT NULL",
        alone=False,
    ),
    Mutation(
        "the bearer of a key may be final",
        ("key_statements.BEARERS",),
        "AND jobs.state IN ('scheduled', 'pending', 'running')",
        "",
    ),
]
