"""Statements that look at who holds what, and who held it before."""

from adapters.postgres.statements import ALL_COLUMNS

HELD_BY = f"""
SELECT {ALL_COLUMNS}
FROM jobs
WHERE jobs.state = 'running' AND jobs.worker_id = $1::text AND jobs.started_at <= $2::timestamptz
    -- A heartbeat names nearly all that its worker holds: what it names need not be read.
    AND NOT EXISTS (
        SELECT FROM unnest($3::bigint[], $4::bigint[]) AS known (id, attempt)
        WHERE known.id = jobs.id AND known.attempt = jobs.attempt
    )
ORDER BY jobs.id
"""  # noqa: S608 - as above

CLAIMED_BEFORE = f"""
SELECT {ALL_COLUMNS}
FROM jobs
WHERE jobs.state = 'running' AND jobs.worker_id = $1::text AND jobs.claim_id = $2::text
    AND jobs.started_at > $3::timestamptz
ORDER BY jobs.rank, jobs.run_at, jobs.id
"""  # noqa: S608 - as above

ATTEMPTS = """
SELECT job_id, number, worker_id, started_at, ended_at, outcome, error
FROM attempts
WHERE job_id = $1::bigint
ORDER BY number
"""
