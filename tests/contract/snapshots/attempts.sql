SELECT job_id, number, worker_id, started_at, ended_at, outcome, error
FROM attempts
WHERE job_id = $1::bigint
ORDER BY number
