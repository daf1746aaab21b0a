SELECT pg_advisory_xact_lock(7461, bucket)
FROM (
    SELECT DISTINCT (hashtextextended(key, 0) & 255)::integer AS bucket
    FROM unnest($1::text[]) AS keys (key)
    ORDER BY bucket
) AS buckets
