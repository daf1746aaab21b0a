INSERT INTO receipts (key, fingerprint, answered_at, job_ids, how)
VALUES ($1::text, $2::bytea, $3::timestamptz, '{}', '{}')
-- Whoever comes second waits here until the first has committed, and then finds its answer.
ON CONFLICT (key) DO UPDATE
SET fingerprint = excluded.fingerprint, answered_at = excluded.answered_at
WHERE receipts.answered_at <= $4::timestamptz
RETURNING key
