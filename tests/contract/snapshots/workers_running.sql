SELECT jobs.worker_id, count(*) AS leases 
FROM jobs 
WHERE state = 'running' AND jobs.worker_id IS NOT NULL GROUP BY jobs.worker_id
