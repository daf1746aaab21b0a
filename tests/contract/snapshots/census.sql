WITH
-- Each of these has an index with just its rows in it.
counted AS (
    SELECT state, queue, job_type, count(*) AS jobs, min(run_at) AS oldest
    FROM jobs WHERE state = 'pending' AND failures >= 0 GROUP BY state, queue, job_type
    UNION ALL
    SELECT state, queue, job_type, count(*), NULL
    FROM jobs WHERE state = 'running' GROUP BY state, queue, job_type
    UNION ALL
    SELECT state, NULL, NULL, count(*), NULL
    FROM jobs WHERE state = 'scheduled' GROUP BY state
    UNION ALL
    SELECT state, NULL, NULL, count(*), NULL
    FROM jobs WHERE state IN ('failed', 'cancelled') GROUP BY state
),
-- Successes have none, so that they need not write to it: counted only up to here.
some_succeeded AS (
    SELECT count(*) AS jobs
    FROM (SELECT FROM jobs WHERE state = 'succeeded' LIMIT $1::bigint + 1) AS few
),
-- Above, what the server believes to be in the table, less the others.
succeeded AS (
    SELECT CASE WHEN some_succeeded.jobs <= $1::bigint THEN some_succeeded.jobs
        ELSE greatest(some_succeeded.jobs, pg_stat_get_live_tuples('jobs'::regclass) - others.jobs)
        END AS jobs
    FROM some_succeeded, (SELECT coalesce(sum(jobs), 0)::bigint AS jobs FROM counted) AS others
)
SELECT state, queue, job_type, jobs, oldest FROM counted
UNION ALL
SELECT 'succeeded', NULL, NULL, jobs, NULL FROM succeeded
