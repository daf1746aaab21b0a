"""What a claim costs beside jobs that its worker cannot run now.

First with 10,000 jobs of its own only; then beside a million jobs for tomorrow at the highest
priority; then beside 100,000 more that are pending at the highest priority, of a type that the
worker does not know.
"""

import json
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

from adapters.local_postgres.server import LocalPostgres
from adapters.postgres import statements
from adapters.postgres.clock import PostgresClock
from adapters.postgres.engine import INDEXES_ONLY, SESSION, Database, connect
from adapters.postgres.migrate import upgrade
from adapters.postgres.store import PostgresJobStore
from application.requests import ClaimRequest
from domain import moves
from domain.deadline import LEASE_LENGTH
from domain.dispatch import HIGHEST_PRIORITY, Offer, rank

OWN = 10_000
FUTURE = 1_000_000
FOREIGN = 100_000
LIMIT = 10
ROUNDS = 300

FILL = """
INSERT INTO jobs (
    job_type, queue, priority, state, rank, run_at, created_at, timeout, max_attempts,
    retry_delay, retry_factor, retry_max_delay, retry_jitter, payload, metadata
)
SELECT $1::text, 'default', $2::smallint, $3::text, $4::bigint + n, $5::timestamptz, now(),
    interval '30 s', 2, interval '0', 2, interval '1 h', 0, '{}', '{}'
FROM generate_series(1, $6::integer) AS n
"""


async def claim_cost() -> None:
    """Print pages and milliseconds of a claim of ten, and their ratios to the first row."""
    with TemporaryDirectory(prefix="taskmill-bench-") as home, LocalPostgres() as server:
        url = server.start(Path(home))
        await upgrade(url)
        database = Database(url, pool_size=2)
        try:
            await _measure_all(url, database)
        finally:
            await database.close()


async def _measure_all(url: str, database: Database) -> None:
    clock = PostgresClock(database)
    await clock.sync()
    await _fill(database, clock, "print", "pending", OWN, priority=0)
    alone = await _measure(url, database, clock)
    _show("10,000 jobs of its own", alone, alone)
    await _fill(database, clock, "print", "scheduled", FUTURE, priority=HIGHEST_PRIORITY)
    _show("+ 1,000,000 for tomorrow, more urgent", await _measure(url, database, clock), alone)
    await _fill(database, clock, "unheard-of", "pending", FOREIGN, priority=HIGHEST_PRIORITY)
    _show("+ 100,000 of another type", await _measure(url, database, clock), alone)


async def _fill(  # noqa: PLR0913 - what tells one kind of job from another
    database: Database,
    clock: PostgresClock,
    job_type: str,
    state: str,
    count: int,
    *,
    priority: int,
) -> None:
    now = clock.now()
    run_at = now if state == "pending" else now.replace(year=now.year + 1)
    first_rank = rank(priority=priority, run_at=run_at)
    await database.fetch(FILL, job_type, priority, state, first_rank, run_at, count)
    await database.fetch("ANALYZE jobs")


async def _measure(url: str, database: Database, clock: PostgresClock) -> tuple[float, ...]:
    store = PostgresJobStore(database)
    request = ClaimRequest(
        worker_id="bench", offer=Offer(job_types=frozenset({"print"})), limit=LIMIT
    )
    pages = await _pages(url, clock)
    times_ms = list[float]()
    for _ in range(ROUNDS):
        started_s = perf_counter()
        jobs = await store.claim(request, now=clock.now())
        times_ms.append((perf_counter() - started_s) * 1000)
        done = [moves.release(job, now=clock.now()) for job in jobs]
        await store.settle(done)
    return pages, median(times_ms), quantiles(times_ms, n=100)[98]


async def _pages(url: str, clock: PostgresClock) -> float:
    connection = await connect(url, settings=SESSION | INDEXES_ONLY)
    transaction = connection.transaction()
    await transaction.start()
    explained = await connection.fetchval(
        f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statements.CLAIM}",
        *["bench", clock.now(), LEASE_LENGTH, LIMIT, ["print"], None],
    )
    await transaction.rollback()
    await connection.close()
    plan = json.loads(explained)[0]["Plan"]
    return float(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])


def _show(what: str, measured: tuple[float, ...], alone: tuple[float, ...]) -> None:
    pages, middle_ms, slow_ms = measured
    ratios = "  ".join(f"{one / other:.2f}" for one, other in zip(measured, alone, strict=True))
    print(
        f"{what:<40} {pages:4.0f} pages  median {middle_ms:.2f} ms  p99 {slow_ms:.2f} ms"
        f"  ratios {ratios}"
    )
