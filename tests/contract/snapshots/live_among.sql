SELECT jobs.id 
FROM jobs 
WHERE jobs.id = ANY ($1::BIGINT[]) AND state IN ('scheduled', 'pending', 'running')
