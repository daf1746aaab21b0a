WITH told AS (
    SELECT *
    FROM unnest(
        $1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::boolean[], $6::timestamptz[],
        $7::json[], $8::timestamptz[]
    ) AS told (
        id, from_state, from_attempt, from_worker_id, from_cancel_requested, expired_by,
        result, finished_at
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
SET state = 'succeeded',
    outcome = 'succeeded',
    result = standing.result,
    error = NULL,
    finished_at = standing.finished_at,
    ended_at = standing.finished_at,
    lease_expires_at = NULL
FROM standing
WHERE jobs.id = ANY(ARRAY[standing.id])
RETURNING jobs.id
