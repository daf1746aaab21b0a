"""The command `taskmill` and what belongs to all of its subcommands.

Each subcommand imports what it needs only when it runs, so that `--help` is there at once.
"""

import os
import sys

import click

from entrypoints.cli.everything import up
from entrypoints.cli.jobs import job, jobs, submit
from entrypoints.cli.processes import migrate, reap, serve, work


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="taskmill", message="taskmill %(version)s")
def taskmill() -> None:
    """Taskmill runs background jobs: an HTTP scheduler over PostgreSQL, and workers that poll it.

    \b
    Start everything on this computer:   taskmill up
    Submit a job and wait for its end:   taskmill submit print --payload '{"message": "hi"}' --wait

    Settings come from TASKMILL_* environment variables; options go before them.

    \b
    Exit codes: 0 done, 1 it did not work out, 2 wrong usage or setting, 3 the scheduler or
    the database cannot be reached, 4 the job had not ended when --wait was over.
    """  # noqa: D301 - \b keeps click from re-wrapping the lines


for _command in (up, serve, work, reap, migrate, submit, job, jobs):
    taskmill.add_command(_command)


def main() -> None:
    """Run the command line."""
    try:
        taskmill(prog_name="taskmill")
    except BrokenPipeError:
        # Whoever read our output has heard enough, as `head` does.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
