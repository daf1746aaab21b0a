SELECT jobs.id, jobs.job_type, jobs.queue, jobs.priority, jobs.state, jobs.rank, jobs.run_at, jobs.created_at, jobs.timeout, jobs.max_attempts, jobs.retry_delay, jobs.retry_factor, jobs.retry_max_delay, jobs.retry_jitter, jobs.payload, jobs.metadata, jobs.unique_key, jobs.attempt, jobs.failures, jobs.started_at, jobs.finished_at, jobs.ended_at, jobs.worker_id, jobs.claim_id, jobs.outcome, jobs.lease_expires_at, jobs.progress, jobs.cancel_requested, jobs.result, jobs.error 
FROM jobs 
WHERE jobs.state = 'failed' AND jobs.job_type = $1::VARCHAR COLLATE "C" AND jobs.queue = $2::VARCHAR COLLATE "C" AND jobs.id < $3::BIGINT ORDER BY jobs.id DESC 
 LIMIT $4::INTEGER
