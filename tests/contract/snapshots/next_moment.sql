SELECT min(anon_1.moment) AS min_1 
FROM (SELECT min(jobs.lease_expires_at) AS moment 
FROM jobs 
WHERE state = 'running' UNION ALL SELECT min(jobs.run_at) AS min_2 
FROM jobs 
WHERE state = 'scheduled') AS anon_1
