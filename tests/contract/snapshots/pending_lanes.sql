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
