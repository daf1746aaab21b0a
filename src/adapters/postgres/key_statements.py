"""Statements for jobs that may be there already, under a key of their own or of their submit."""

from adapters.postgres.statements import ALL_COLUMNS, NEW_JOBS

# Batches that share keys wait here, in one order, instead of for each other's rows in a circle.
# A few hundred names for any number of keys: locks live in a table of fixed size.
LOCK_KEYS = """
SELECT pg_advisory_xact_lock(7461, bucket)
FROM (
    SELECT DISTINCT (hashtextextended(key, 0) & 255)::integer AS bucket
    FROM unnest($1::text[]) AS keys (key)
    ORDER BY bucket
) AS buckets
"""

ADD_KEYED = f"""{NEW_JOBS}
ORDER BY position
-- The index decides: a key that a live job bears, or one earlier in the batch, is passed over.
ON CONFLICT (unique_key)
    WHERE unique_key IS NOT NULL AND state IN ('scheduled', 'pending', 'running')
    DO NOTHING
RETURNING id, unique_key
"""

BEARERS = f"""
SELECT {ALL_COLUMNS}
FROM jobs
WHERE jobs.unique_key = ANY($1::text[]) AND jobs.state IN ('scheduled', 'pending', 'running')
"""  # noqa: S608 - made of this module's constants

# $1 key, $2 fingerprint, $3 now, $4 the time at which older receipts have lapsed
TAKE_RECEIPT = """
INSERT INTO receipts (key, fingerprint, answered_at, job_ids, how)
VALUES ($1::text, $2::bytea, $3::timestamptz, '{}', '{}')
-- Whoever comes second waits here until the first has committed, and then finds its answer.
ON CONFLICT (key) DO UPDATE
SET fingerprint = excluded.fingerprint, answered_at = excluded.answered_at
WHERE receipts.answered_at <= $4::timestamptz
RETURNING key
"""

READ_RECEIPT = """
SELECT fingerprint, job_ids, how FROM receipts WHERE key = $1::text
"""

FILL_RECEIPT = """
UPDATE receipts SET job_ids = $2::bigint[], how = $3::text[] WHERE key = $1::text
"""

FORGET_RECEIPTS = """
DELETE FROM receipts WHERE answered_at <= $1::timestamptz
"""
