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
