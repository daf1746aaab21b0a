SELECT workers.id, workers.last_seen, workers.job_types, workers.queues, workers.slots, workers.draining 
FROM workers 
WHERE workers.last_seen >= $1::TIMESTAMP WITH TIME ZONE ORDER BY workers.id
