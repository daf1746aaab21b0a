"""The statements that every job passes through, as PostgreSQL reads them.

Each is one atomic statement for the driver, with $n arguments. Those that change jobs first
lock the rows, in a materialized CTE, and change no row but those.

A plan may be made while the table is empty and be kept while it fills, so each is worded to
have one way only of being run. `failures >= 0` and `attempt >= 0` always hold: each names the
one index of pending jobs that may be walked. `= ANY(ARRAY[id])` is an equality by which ids
can be looked up, but not the whole table read in their order.
"""

JOB_COLUMNS = (
    "id", "job_type", "queue", "priority", "state", "rank", "run_at", "created_at", "timeout",
    "max_attempts", "retry_delay", "retry_factor", "retry_max_delay", "retry_jitter", "payload",
    "metadata", "unique_key", "attempt", "failures", "started_at", "finished_at", "ended_at",
    "worker_id", "claim_id", "outcome", "lease_expires_at", "progress", "cancel_requested",
    "result", "error",
)  # fmt: skip

ALL_COLUMNS = ", ".join(f"jobs.{column}" for column in JOB_COLUMNS)

NEW_JOBS = """
INSERT INTO jobs (
    job_type, queue, priority, state, rank, run_at, created_at, timeout, max_attempts,
    retry_delay, retry_factor, retry_max_delay, retry_jitter, payload, metadata, unique_key
)
SELECT
    job_type, queue, priority, state, rank, run_at, created_at, timeout, max_attempts,
    retry_delay, retry_factor, retry_max_delay, retry_jitter, payload, metadata, unique_key
FROM unnest(
    $1::text[], $2::text[], $3::smallint[], $4::text[], $5::bigint[], $6::timestamptz[],
    $7::timestamptz[], $8::interval[], $9::integer[], $10::interval[], $11::float8[],
    $12::interval[], $13::float8[], $14::json[], $15::json[], $16::text[]
) WITH ORDINALITY AS new (
    job_type, queue, priority, state, rank, run_at, created_at, timeout, max_attempts,
    retry_delay, retry_factor, retry_max_delay, retry_jitter, payload, metadata, unique_key,
    position
)
"""

ADD = f"""{NEW_JOBS}
-- Ids are given in this order, so that those of the answer, sorted, are those of the input.
ORDER BY position
RETURNING id
"""

GET = f"""
SELECT {ALL_COLUMNS}
FROM jobs
WHERE jobs.id = ANY($1::bigint[])
"""  # noqa: S608 - made of this module's constants

# What a worker may take, where it takes from any queue: one index walk a type.
_IN_ANY_QUEUE = """
lanes AS (
    SELECT job_type FROM unnest($5::text[]) AS wanted (job_type)
),
-- The head of each lane. A little more than is asked for, because other claims may hold the
-- first rows just now; never more, so that a backlog's length costs nothing. No other lane's
-- jobs, no future and no finished ones are in the index that this walks.
candidates AS MATERIALIZED (
    SELECT head.place, head.rank, head.run_at, head.id
    FROM lanes CROSS JOIN LATERAL (
        SELECT jobs.ctid AS place, jobs.rank, jobs.run_at, jobs.id
        FROM jobs
        WHERE jobs.state = 'pending' AND jobs.attempt >= 0
            AND jobs.job_type = lanes.job_type
        ORDER BY jobs.rank, jobs.run_at, jobs.id
        LIMIT $4::integer * 2 + 16
    ) AS head
    ORDER BY head.rank, head.run_at, head.id
    LIMIT $4::integer * 2 + 16
)"""

# The same where it names its queues.
_IN_THESE_QUEUES = """
-- The asked-for queues that hold jobs of each type, by jumping through the index from one
-- queue to the next: what it costs is the number of lanes, and not of the jobs in them.
lanes AS (
    SELECT wanted.job_type, first.queue
    FROM unnest($5::text[]) AS wanted (job_type) CROSS JOIN LATERAL (
        SELECT jobs.queue FROM jobs
        WHERE jobs.state = 'pending' AND jobs.failures >= 0
            AND jobs.job_type = wanted.job_type AND jobs.queue = ANY($6::text[])
        ORDER BY jobs.queue
        LIMIT 1
    ) AS first
    UNION ALL
    SELECT lanes.job_type, next.queue
    FROM lanes CROSS JOIN LATERAL (
        SELECT jobs.queue FROM jobs
        WHERE jobs.state = 'pending' AND jobs.failures >= 0
            AND jobs.job_type = lanes.job_type AND jobs.queue = ANY($6::text[])
            AND jobs.queue > lanes.queue
        ORDER BY jobs.queue
        LIMIT 1
    ) AS next
),
-- The head of each lane; see above.
candidates AS MATERIALIZED (
    SELECT head.place, head.rank, head.run_at, head.id
    FROM lanes CROSS JOIN LATERAL (
        SELECT jobs.ctid AS place, jobs.rank, jobs.run_at, jobs.id
        FROM jobs
        WHERE jobs.state = 'pending' AND jobs.failures >= 0
            AND jobs.job_type = lanes.job_type AND jobs.queue = lanes.queue
        ORDER BY jobs.rank, jobs.run_at, jobs.id
        LIMIT $4::integer * 2 + 16
    ) AS head
    ORDER BY head.rank, head.run_at, head.id
    LIMIT $4::integer * 2 + 16
)"""

# $1 the worker, $2 now, $3 the longest lease, $4 how many, $5 types, $6 queues or the claim's
# name, $7 the claim's name where $6 is the queues
_CLAIM = """
WITH RECURSIVE {lanes},
-- Locks the first rows that nobody else holds. Materialized, so that whatever the plan this
-- runs once and LIMIT bounds what is changed; the lock comes after the sort and under LIMIT,
-- so that no row is locked but those handed out. A row that was taken since the statement
-- began is looked at again once locked, and fails the condition. Rows are found by their place
-- in the table, without a join and without a second walk through an index; one that has moved
-- since is another's by now.
picked AS MATERIALIZED (
    SELECT jobs.ctid AS place, jobs.attempt
    FROM jobs
    WHERE jobs.ctid = ANY(ARRAY(SELECT candidates.place FROM candidates))
        AND jobs.state = 'pending'
    ORDER BY jobs.rank, jobs.run_at, jobs.id
    LIMIT $4::integer
    FOR UPDATE SKIP LOCKED
),
-- The attempt before goes into the history, as the job still tells of it: all parts of this
-- statement see the rows as they were before it. Most jobs are claimed once and cost nothing.
filed AS (
    INSERT INTO attempts (job_id, number, worker_id, started_at, ended_at, outcome, error)
    SELECT id, attempt, worker_id, started_at, ended_at, outcome,
        CASE WHEN outcome IN ('failed', 'timeout', 'worker_lost') THEN error END
    FROM jobs
    WHERE jobs.ctid = ANY(ARRAY(SELECT picked.place FROM picked WHERE picked.attempt > 0))
),
claimed AS (
    UPDATE jobs
    SET state = 'running',
        attempt = jobs.attempt + 1,
        worker_id = $1::text,
        claim_id = {claim_id}::text,
        started_at = $2::timestamptz,
        ended_at = NULL,
        lease_expires_at = $2::timestamptz + least(jobs.timeout, $3::interval),
        outcome = NULL,
        progress = NULL
    WHERE jobs.ctid = ANY(ARRAY(SELECT picked.place FROM picked))
    RETURNING {columns}
)
-- One row without a job when nothing was claimed: an empty answer with candidates means that
-- others hold them, one without means that there is no work.
SELECT claimed.*, seen.candidates
FROM (SELECT count(*) AS candidates FROM candidates) AS seen LEFT JOIN claimed ON true
ORDER BY claimed.rank, claimed.run_at, claimed.id
"""

CLAIM = _CLAIM.format(lanes=_IN_ANY_QUEUE.strip(), columns=ALL_COLUMNS, claim_id="$6")
CLAIM_IN_QUEUES = _CLAIM.format(lanes=_IN_THESE_QUEUES.strip(), columns=ALL_COLUMNS, claim_id="$7")

# $1 the state 'running', $2 now
RENEW = """
WITH told AS (
    SELECT *
    FROM unnest($3::bigint[], $4::bigint[], $5::text[], $6::float8[], $7::interval[])
        AS told (id, attempt, worker_id, progress, lease_length)
),
-- Locks in the order of ids, as SETTLE does, so that two of them never wait for each other.
-- The state is an argument: a literal would let the planner walk the index of running jobs
-- in place of the primary key.
held AS MATERIALIZED (
    SELECT told.*
    FROM told JOIN jobs ON jobs.id = ANY(ARRAY[told.id])
    WHERE jobs.state = $1::text
        AND jobs.attempt = told.attempt
        AND jobs.worker_id = told.worker_id
    ORDER BY told.id
    FOR UPDATE OF jobs
)
UPDATE jobs
SET progress = coalesce(held.progress, jobs.progress),
    lease_expires_at = least(
        $2::timestamptz + least(jobs.timeout, held.lease_length),
        jobs.started_at + jobs.timeout
    )
FROM held
WHERE jobs.id = ANY(ARRAY[held.id])
RETURNING jobs.id, jobs.attempt, jobs.worker_id, jobs.lease_expires_at, jobs.cancel_requested
"""

# $1 to $6 are the fence, one array a column; the rest is what the move writes.
_SETTLE = """
WITH told AS (
    SELECT *
    FROM unnest(
        $1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::boolean[], $6::timestamptz[],
        {arrays}
    ) AS told (
        id, from_state, from_attempt, from_worker_id, from_cancel_requested, expired_by,
        {columns}
    )
),
-- The fence: only a job that still stands where the move was decided is locked and changed;
-- NULL stands for what does not matter to the move. Locked in the order of ids, so that two
-- settlements never wait for each other.
standing AS MATERIALIZED (
    SELECT told.*
    FROM told JOIN jobs ON jobs.id = ANY(ARRAY[told.id])
    WHERE jobs.state = told.from_state
        AND jobs.attempt = told.from_attempt
        AND jobs.worker_id IS NOT DISTINCT FROM told.from_worker_id
        AND jobs.cancel_requested = coalesce(told.from_cancel_requested, jobs.cancel_requested)
        AND (told.expired_by IS NULL OR jobs.lease_expires_at <= told.expired_by)
    ORDER BY told.id
    FOR UPDATE OF jobs
)
UPDATE jobs
SET {changes}
FROM standing
WHERE jobs.id = ANY(ARRAY[standing.id])
RETURNING jobs.id
"""

SUCCEED = _SETTLE.format(
    arrays="$7::json[], $8::timestamptz[]",
    columns="result, finished_at",
    changes="""state = 'succeeded',
    outcome = 'succeeded',
    result = standing.result,
    error = NULL,
    finished_at = standing.finished_at,
    ended_at = standing.finished_at,
    lease_expires_at = NULL""",
)

SETTLE = _SETTLE.format(
    arrays="""$7::text[], $8::bigint[], $9::timestamptz[], $10::integer[], $11::timestamptz[],
        $12::timestamptz[], $13::text[], $14::text[], $15::boolean[], $16::json[], $17::json[],
        $18::timestamptz[]""",
    columns="""state, rank, run_at, failures, started_at, finished_at, worker_id, outcome,
        cancel_requested, result, error, ended_at""",
    changes="""state = standing.state,
    rank = standing.rank,
    run_at = standing.run_at,
    failures = standing.failures,
    started_at = standing.started_at,
    finished_at = standing.finished_at,
    worker_id = standing.worker_id,
    ended_at = standing.ended_at,
    outcome = standing.outcome,
    cancel_requested = standing.cancel_requested,
    result = standing.result,
    error = standing.error,
    -- A job that stays running keeps its lease: only claims and heartbeats give those.
    lease_expires_at = CASE WHEN standing.state = 'running' THEN jobs.lease_expires_at END""",
)

PENDING_LANES = """
WITH RECURSIVE
-- Jumps through the index from one lane to the next: a backlog's length costs nothing.
lanes AS (
    (
        SELECT job_type, queue FROM jobs
        WHERE state = 'pending' AND failures >= 0
        ORDER BY job_type, queue
        LIMIT 1
    )
    UNION ALL
    SELECT next.job_type, next.queue
    FROM lanes CROSS JOIN LATERAL (
        SELECT jobs.job_type, jobs.queue FROM jobs
        WHERE jobs.state = 'pending' AND jobs.failures >= 0
            AND (jobs.job_type, jobs.queue) > (lanes.job_type, lanes.queue)
        ORDER BY jobs.job_type, jobs.queue
        LIMIT 1
    ) AS next
)
SELECT job_type, queue FROM lanes
"""
