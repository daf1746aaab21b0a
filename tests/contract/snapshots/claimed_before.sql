SELECT jobs.id, jobs.job_type, jobs.queue, jobs.priority, jobs.state, jobs.rank, jobs.run_at, jobs.created_at, jobs.timeout, jobs.max_attempts, jobs.retry_delay, jobs.retry_factor, jobs.retry_max_delay, jobs.retry_jitter, jobs.payload, jobs.metadata, jobs.unique_key, jobs.attempt, jobs.failures, jobs.started_at, jobs.finished_at, jobs.ended_at, jobs.worker_id, jobs.claim_id, jobs.outcome, jobs.lease_expires_at, jobs.progress, jobs.cancel_requested, jobs.result, jobs.error
FROM jobs
WHERE jobs.state = 'running' AND jobs.worker_id = $1::text AND jobs.claim_id = $2::text
    AND jobs.started_at > $3::timestamptz
ORDER BY jobs.rank, jobs.run_at, jobs.id
