"""Subcommands that start a process: everything, or one part of it."""

from pathlib import Path

import click

from entrypoints.cli.configured import require_url, settings_with, start_logging
from entrypoints.cli.failures import MISUSED, explained, give_up
from entrypoints.cli.orphans import stop_when_standard_input_ends
from entrypoints.settings import MOST_SLOTS

# What only these commands need is imported inside them: see commands.py.
# ruff: noqa: PLC0415

HOST = click.option("--host", help="Address to listen on.  [default: 127.0.0.1]")
PORT = click.option("--port", type=click.IntRange(0, 65535), help="Port.  [default: 8000]")
SLOTS = click.option(
    "--slots",
    type=click.IntRange(1, MOST_SLOTS),
    help="Jobs that a worker runs at once.  [default: 10]",
)
STOP_AT_EOF = click.option(
    "--stop-at-eof", is_flag=True, hidden=True, help="Stop when standard input ends."
)
STRATEGIES = click.option(
    "--strategies",
    multiple=True,
    metavar="MODULE:ATTRIBUTE",
    help="Own strategies, as package.module:attribute. May be given more than once.",
)


@click.command()
@HOST
@click.option("--port", type=click.IntRange(1, 65535), help="Port.  [default: 8000]")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=".taskmill",
    show_default=True,
    help="Directory for the database.",
)
@click.option("--store", type=click.Choice(["postgres", "memory"]), help="Where jobs are kept.")
@click.option(
    "--workers", type=click.IntRange(0), default=1, show_default=True, help="Worker processes."
)
@SLOTS
@STRATEGIES
def up(  # noqa: PLR0913, PLR0917 - one parameter an option
    host: str | None,
    port: int | None,
    data: Path,
    store: str | None,
    workers: int,
    slots: int | None,
    strategies: tuple[str, ...],
) -> None:
    """Start all of Taskmill on this computer: database, scheduler, reaper and workers.

    PostgreSQL comes with Taskmill and keeps its data in --data; with TASKMILL_DATABASE_URL
    set, that server is used instead. Ctrl-C stops everything.

    Example:  taskmill up --workers 2 --strategies myapp.tasks:STRATEGIES
    """
    from entrypoints.up.errors import UpError
    from entrypoints.up.household import Household, Plan

    settings = settings_with(host=host, port=port, store=store, slots=slots)
    start_logging(settings)
    plan = Plan(settings=settings, data=data, workers=workers, strategies=strategies)
    with explained():
        try:
            Household(plan).run()
        except UpError as error:
            give_up(str(error))


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
    from entrypoints.serve import serve as run

    settings = settings_with(host=host, port=port)
    start_logging(settings)
    if stop_at_eof:
        stop_when_standard_input_ends()
    with explained():
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
