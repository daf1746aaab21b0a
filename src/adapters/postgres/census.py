"""Counting jobs on the server, and making a census of what it counted."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from adapters.postgres.engine import Record
from application.queries import Census, LaneCount
from domain.dispatch import Lane
from domain.job import JobState

EXACT_UP_TO = 100_000
"""More successes than this are not counted one by one."""

# $1 how many successes are counted one by one
CENSUS = """
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
"""


def census_from(rows: Sequence[Record]) -> Census:
    """Add up the rows of `CENSUS`: one for each state and lane, no lane where none is told."""
    states = Counter[str]()
    lanes = defaultdict[Lane, dict[str, Record]](dict)
    for row in rows:
        states[row["state"]] += row["jobs"]
        if row["queue"] is not None:
            lanes[Lane(row["queue"], row["job_type"])][row["state"]] = row
    return Census(
        states={state: states[state] for state in JobState},
        lanes=[_lane_count(lane, lanes[lane]) for lane in sorted(lanes)],
        approximate=states[JobState.SUCCEEDED] > EXACT_UP_TO,
    )


def _lane_count(lane: Lane, by_state: dict[str, Record]) -> LaneCount:
    pending, running = by_state.get(JobState.PENDING), by_state.get(JobState.RUNNING)
    return LaneCount(
        lane=lane,
        pending=pending["jobs"] if pending else 0,
        running=running["jobs"] if running else 0,
        oldest_pending=pending["oldest"] if pending else None,
    )
