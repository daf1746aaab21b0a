"""Subcommands that start one part of Taskmill."""

import click

from entrypoints.cli.configured import require_url, settings_with, start_logging
from entrypoints.cli.failures import MISUSED, explained, give_up
from entrypoints.cli.options import HOST, PORT, SLOTS, STOP_AT_EOF, STRATEGIES
from entrypoints.cli.orphans import stop_when_standard_input_ends

# What only these commands need is imported inside them: see commands.py.
# ruff: noqa: PLC0415


@click.command()
@HOST
@PORT
@STOP_AT_EOF
def serve(host: str | None, port: int | None, stop_at_eof: bool) -> None:  # noqa: FBT001 - a flag
    """Run a scheduler: the HTTP interface, and the reaper beside it.

    Needs a database with the current schema (see: taskmill migrate). Any number of schedulers
    may share one.

    Example:  TASKMILL_DATABASE_URL=postgresql://me@db/jobs taskmill serve --port 8000
    """
    from entrypoints.up.addresses import require_free_port

    settings = settings_with(host=host, port=port)
    start_logging(settings)
    if stop_at_eof:
        stop_when_standard_input_ends()
    with explained():
        require_free_port(settings.host, settings.port)
        from entrypoints.serve import serve as run

        run(settings)


@click.command()
@click.option("--scheduler", metavar="URL", help="The scheduler.  [default: http://127.0.0.1:8000]")
@SLOTS
@click.option("--queue", "queues", multiple=True, help="Only from this queue. May be repeated.")
@STRATEGIES
@click.option(
    "--grace",
    type=click.FloatRange(0),
    help="Seconds that running jobs get to end when the worker is stopped.  [default: 30]",
)
@STOP_AT_EOF
def work(  # noqa: PLR0913, PLR0917 - one parameter an option
    scheduler: str | None,
    slots: int | None,
    queues: tuple[str, ...],
    strategies: tuple[str, ...],
    grace: float | None,
    stop_at_eof: bool,  # noqa: FBT001 - a flag
) -> None:
    """Run a worker: it asks the scheduler for jobs and runs them.

    It knows print, http_call and sleep, and whatever --strategies adds. Stopped once, it ends
    what it runs; stopped twice, it hands its jobs back at once.

    Example:  taskmill work --scheduler http://jobs.example:8000 --slots 50
    """
    import asyncio

    from entrypoints.strategies import StrategiesError
    from entrypoints.worker import WorkerOptions
    from entrypoints.worker import work as run

    settings = settings_with(scheduler_url=scheduler, slots=slots, grace=grace)
    require_url(settings.scheduler_url)
    start_logging(settings)
    if stop_at_eof:
        stop_when_standard_input_ends()
    options = WorkerOptions(
        scheduler_url=settings.scheduler_url,
        slots=settings.slots,
        queues=queues or _listed(settings.queues or "") or None,
        strategies=strategies or _listed(settings.strategies),
        grace_s=settings.grace,
    )
    try:
        asyncio.run(run(options))
    except StrategiesError as error:
        give_up(str(error), code=MISUSED)


@click.command()
def reap() -> None:
    """Run the reaper alone: it rescues stuck jobs and wakes scheduled ones.

    A scheduler does the same by default; more than one reaper is harmless.

    Example:  TASKMILL_DATABASE_URL=postgresql://me@db/jobs taskmill reap
    """
    import asyncio

    from entrypoints.reaper import reap as run

    settings = settings_with()
    start_logging(settings)
    with explained():
        asyncio.run(run(settings))


@click.command()
def migrate() -> None:
    """Bring the database's schema up to date. Does nothing where it is.

    Example:  TASKMILL_DATABASE_URL=postgresql://me@db/jobs taskmill migrate
    """
    from entrypoints.migrating import migrate as run

    settings = settings_with()
    start_logging(settings)
    with explained():
        version = run(settings.database_url)
    click.echo(f"The schema is at version {version}.")


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
