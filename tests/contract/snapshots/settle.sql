WITH told AS (
    SELECT *
    FROM unnest(
        $1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::boolean[], $6::timestamptz[],
        $7::text[], $8::bigint[], $9::timestamptz[], $10::integer[], $11::timestamptz[],
        $12::timestamptz[], $13::text[], $14::text[], $15::boolean[], $16::json[], $17::json[],
        $18::timestamptz[]
    ) AS told (
        id, from_state, from_attempt, from_worker_id, from_cancel_requested, expired_by,
        state, rank, run_at, failures, started_at, finished_at, worker_id, outcome,
        cancel_requested, result, error, ended_at
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
SET state = standing.state,
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
    lease_expires_at = CASE WHEN standing.state = 'running' THEN jobs.lease_expires_at END
FROM standing
WHERE jobs.id = ANY(ARRAY[standing.id])
RETURNING jobs.id
