WITH RECURSIVE -- The asked-for queues that hold jobs of each type, by jumping through the index from one
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
),
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
        claim_id = $7::text,
        started_at = $2::timestamptz,
        ended_at = NULL,
        lease_expires_at = $2::timestamptz + least(jobs.timeout, $3::interval),
        outcome = NULL,
        progress = NULL
    WHERE jobs.ctid = ANY(ARRAY(SELECT picked.place FROM picked))
    RETURNING jobs.id, jobs.job_type, jobs.queue, jobs.priority, jobs.state, jobs.rank, jobs.run_at, jobs.created_at, jobs.timeout, jobs.max_attempts, jobs.retry_delay, jobs.retry_factor, jobs.retry_max_delay, jobs.retry_jitter, jobs.payload, jobs.metadata, jobs.unique_key, jobs.attempt, jobs.failures, jobs.started_at, jobs.finished_at, jobs.ended_at, jobs.worker_id, jobs.claim_id, jobs.outcome, jobs.lease_expires_at, jobs.progress, jobs.cancel_requested, jobs.result, jobs.error
)
-- One row without a job when nothing was claimed: an empty answer with candidates means that
-- others hold them, one without means that there is no work.
SELECT claimed.*, seen.candidates
FROM (SELECT count(*) AS candidates FROM candidates) AS seen LEFT JOIN claimed ON true
ORDER BY claimed.rank, claimed.run_at, claimed.id
