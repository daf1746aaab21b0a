"""What a claim costs does not depend on jobs that its worker cannot run now."""

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import anyio
import pytest

from adapters.postgres import statements
from adapters.postgres.engine import INDEXES_ONLY, SESSION, Database, connect
from adapters.postgres.store import PostgresJobStore
from domain.job import Job, JobState
from tests.builders import NOW, SECOND, a_claim, a_job, an_offer
from tests.contract.steps import add_all

pytestmark = pytest.mark.postgres

LIMIT = 20
MANY = 20_000
OURS = ["ada", NOW, 30 * SECOND, LIMIT, ["print"]]
CLAIMS = [
    pytest.param(statements.CLAIM, [*OURS, "r1"], id="any queue"),
    pytest.param(statements.CLAIM_IN_QUEUES, [*OURS, ["default", "q7"], "r1"], id="these queues"),
]

FUTURE = {"delay": timedelta(days=1), "priority": 32_767}
OTHER_TYPE = {"job_type": "mail", "priority": 32_767}
BACKLOG = {"priority": -1}

FINISH_ALL = """
UPDATE jobs SET state = 'succeeded', finished_at = now() WHERE job_type = 'mail'
"""

# Rows and index entries that this transaction has looked at.
LOOKED_AT = """
SELECT sum(pg_stat_get_xact_tuples_returned(indexrelid))
    + pg_stat_get_xact_tuples_returned('jobs'::regclass)
FROM pg_index WHERE indrelid = 'jobs'::regclass
"""


async def add_many(database: Database, count: int, **changes: Any) -> None:  # noqa: ANN401 - any field of a submission
    store = PostgresJobStore(database)
    for _ in range(count // 5_000):
        await add_all(store, [a_job(**changes)] * 5_000)


async def buffers(url: str, sql: str, arguments: Sequence[object]) -> int:
    """Return how many pages one claim touches, and take the claim back."""
    connection = await connect(url, settings=SESSION | INDEXES_ONLY)
    transaction = connection.transaction()
    await transaction.start()
    explained = await connection.fetchval(
        f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}", *arguments
    )
    await transaction.rollback()
    await connection.close()
    plan = json.loads(explained)[0]["Plan"]
    count: int = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
    return count


@pytest.mark.parametrize(("sql", "arguments"), CLAIMS)
@pytest.mark.parametrize("others", [FUTURE, OTHER_TYPE, BACKLOG], ids=["future", "type", "backlog"])
async def test_a_claim_touches_no_more_pages_for_twenty_thousand_jobs_beside_its_own(
    database: Database,
    migrated_url: str,
    sql: str,
    arguments: Sequence[object],
    others: dict[str, Any],
) -> None:
    await add_many(database, 5_000)
    alone = await buffers(migrated_url, sql, arguments)
    await add_many(database, MANY, **others)

    beside = await buffers(migrated_url, sql, arguments)

    assert beside < 1.5 * alone, f"{beside} pages, where alone it took {alone}"


@pytest.mark.parametrize(("sql", "arguments"), CLAIMS)
async def test_a_claim_touches_no_more_pages_for_twenty_thousand_finished_jobs(
    database: Database, migrated_url: str, sql: str, arguments: Sequence[object]
) -> None:
    await add_many(database, 5_000)
    alone = await buffers(migrated_url, sql, arguments)
    await add_many(database, MANY, job_type="mail")
    await database.fetch(FINISH_ALL)

    assert await buffers(migrated_url, sql, arguments) < 1.5 * alone


@pytest.mark.parametrize(("sql", "arguments"), CLAIMS)
async def test_a_claim_touches_no_more_pages_for_a_thousand_queues_it_does_not_name(
    database: Database, migrated_url: str, sql: str, arguments: Sequence[object]
) -> None:
    await add_many(database, 5_000)
    alone = await buffers(migrated_url, sql, arguments)
    queues = [a_job(queue=f"a{n:03}", priority=-1) for n in range(1_000)]
    await add_all(PostgresJobStore(database), queues)

    assert await buffers(migrated_url, sql, arguments) < 1.5 * alone


HELD = [[*range(1, 21)], [1] * LIMIT, ["ada"] * LIMIT]
FENCE = [HELD[0], ["running"] * LIMIT, HELD[1], HELD[2], [None] * LIMIT, [None] * LIMIT]
HOT = [
    *CLAIMS,
    pytest.param(statements.GET, [HELD[0]], id="get"),
    pytest.param(
        statements.RENEW, ["running", NOW, *HELD, [0.5] * LIMIT, [SECOND] * LIMIT], id="renew"
    ),
    pytest.param(statements.SUCCEED, [*FENCE, ["1"] * LIMIT, [NOW] * LIMIT], id="succeed"),
    pytest.param(
        statements.SETTLE,
        [
            *FENCE,
            *(["pending"] * LIMIT, [0] * LIMIT, [NOW] * LIMIT, [1] * LIMIT, [NOW] * LIMIT),
            *([None] * LIMIT, ["ada"] * LIMIT, ["failed"] * LIMIT, [False] * LIMIT),
            *([None] * LIMIT, [None] * LIMIT, [NOW] * LIMIT),
        ],
        id="settle",
    ),
]


@pytest.mark.parametrize("finished", [0, 10, 200])
@pytest.mark.parametrize(("sql", "arguments"), HOT)
async def test_a_plan_made_while_the_table_was_small_is_as_good_for_a_full_one(
    database: Database, migrated_url: str, sql: str, arguments: Sequence[object], finished: int
) -> None:
    await add_all(PostgresJobStore(database), [a_job(job_type="mail")] * finished)
    await database.fetch(FINISH_ALL)
    await database.fetch("VACUUM (ANALYZE) jobs")
    connection = await connect(migrated_url, settings=SESSION | INDEXES_ONLY)
    await connection.fetch(sql, *arguments)
    await add_many(database, MANY)
    claimed = await PostgresJobStore(database).claim(a_claim(limit=LIMIT), now=NOW)
    assert [job.id for job in claimed] == [finished + n for n in HELD[0]]

    async with connection.transaction():
        answer = await connection.fetch(sql, *_shifted(arguments, finished))
        looked_at = await connection.fetchval(LOOKED_AT)
    await connection.close()

    assert len(answer) == LIMIT
    assert looked_at <= 10 * LIMIT


def _shifted(arguments: Sequence[object], by: int) -> list[object]:
    """Return the arguments with the ids moved on by as many as were taken before."""
    ids = [by + n for n in range(1, LIMIT + 1)]
    return [ids if argument == HELD[0] else argument for argument in arguments]


MISLED = [
    {},
    {"enable_material": "off"},
    {"enable_nestloop": "off"},
    {"enable_indexscan": "off", "enable_seqscan": "on", "enable_tidscan": "off"},
    {"enable_hashjoin": "on", "enable_seqscan": "on", "enable_nestloop": "off"},
    {"enable_mergejoin": "on", "enable_seqscan": "on", "enable_nestloop": "off"},
    {"plan_cache_mode": "force_custom_plan", "enable_sort": "off"},
]


@pytest.mark.parametrize("settings", MISLED, ids=str)
@pytest.mark.parametrize(("sql", "arguments"), CLAIMS)
async def test_whatever_plan_is_made_from_a_table_believed_empty_a_claim_takes_its_limit_in_order(
    database: Database,
    migrated_url: str,
    sql: str,
    arguments: Sequence[object],
    settings: dict[str, str],
) -> None:
    await database.fetch("ANALYZE jobs")
    await add_all(PostgresJobStore(database), [a_job(priority=n % 100) for n in range(10_000)])
    connection = await connect(migrated_url, settings=SESSION | INDEXES_ONLY | settings)

    rows = await connection.fetch(sql, *arguments)
    changed = await connection.fetchval("SELECT count(*) FROM jobs WHERE state = 'running'")
    await connection.close()

    assert changed == LIMIT
    assert [(row["priority"], row["id"]) for row in rows] == [
        (99, 100 * n + 100) for n in range(20)
    ]


async def test_rows_that_are_not_handed_out_are_not_locked(
    database: Database, migrated_url: str
) -> None:
    await add_all(PostgresJobStore(database), [a_job() for _ in range(100)])
    connection = await connect(migrated_url)
    async with connection.transaction():
        await connection.fetch(statements.CLAIM, *OURS, "r1")
        free = await database.fetch(
            "SELECT id FROM jobs WHERE state = 'pending' FOR UPDATE SKIP LOCKED"
        )
    await connection.close()

    assert len(free) == 100 - LIMIT


async def test_a_claim_passes_over_jobs_that_another_claim_holds(
    database: Database, migrated_url: str
) -> None:
    store = PostgresJobStore(database)
    await add_all(store, [a_job() for _ in range(30)])
    connection = await connect(migrated_url)
    async with connection.transaction():
        held = await connection.fetch(statements.CLAIM, *OURS, "r1")
        with anyio.fail_after(5):
            got = await store.claim(a_claim(limit=LIMIT, offer=an_offer()), now=NOW)
    await connection.close()

    assert [row["id"] for row in held] == list(range(1, 21))
    assert [job.id for job in got] == list(range(21, 31))
    assert _running(got)


def _running(jobs: Sequence[Job]) -> bool:
    return all(job.state is JobState.RUNNING for job in jobs)
