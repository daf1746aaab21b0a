"""The subcommand that starts everything on one computer."""

from pathlib import Path

import click

from entrypoints.cli.configured import settings_with, start_logging
from entrypoints.cli.failures import MISUSED, explained, give_up
from entrypoints.cli.options import HOST, SLOTS, STRATEGIES

# What only this command needs is imported inside it: see commands.py.
# ruff: noqa: PLC0415


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
    from entrypoints.up.household import Household
    from entrypoints.up.plan import Plan

    settings = settings_with(host=host, port=port, store=store, slots=slots)
    if settings.port == 0:
        give_up("up has to know its port: choose one with --port", code=MISUSED)
    start_logging(settings)
    with explained():
        Household(Plan(settings=settings, data=data, workers=workers, strategies=strategies)).run()
