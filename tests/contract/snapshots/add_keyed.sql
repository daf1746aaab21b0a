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

ORDER BY position
-- The index decides: a key that a live job bears, or one earlier in the batch, is passed over.
ON CONFLICT (unique_key)
    WHERE unique_key IS NOT NULL AND state IN ('scheduled', 'pending', 'running')
    DO NOTHING
RETURNING id, unique_key
