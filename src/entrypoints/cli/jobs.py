"""Subcommands for those who submit jobs and ask after them."""

import math
from typing import Any

import click

from entrypoints.cli.failures import MISUSED, give_up

# What only these commands need is imported inside them: see commands.py.
# ruff: noqa: PLC0415

SCHEDULER = click.option(
    "--scheduler", metavar="URL", help="The scheduler.  [default: http://127.0.0.1:8000]"
)
WAIT = click.option(
    "--wait",
    type=click.FloatRange(0),
    is_flag=False,
    flag_value=math.inf,
    metavar="[SECONDS]",
    help="Wait until the job has ended, at most SECONDS if given. Write it last, or as "
    "--wait=SECONDS.",
)


@click.command()
@click.argument("job_type", metavar="TYPE")
@SCHEDULER
@click.option("--payload", default="{}", metavar="JSON", help="A JSON object for the strategy.")
@click.option("--priority", type=int, help="Higher runs first.  [default: 0]")
@click.option("--queue", help="The queue.  [default: default]")
@click.option("--delay", type=float, help="Run in this many seconds, not at once.")
@click.option("--timeout", type=float, help="Seconds that one attempt may run.  [default: 30]")
@click.option("--max-attempts", type=int, help="Failed attempts allowed.  [default: 2]")
@click.option("--metadata", multiple=True, metavar="KEY=VALUE", help="For people and filters.")
@WAIT
def submit(
    job_type: str,
    scheduler: str | None,
    payload: str,
    metadata: tuple[str, ...],
    wait: float | None,
    **fields: Any,  # noqa: ANN401 - the other fields of a job, as they are given
) -> None:
    """Submit a job of TYPE and print it; with --wait, print it once it has ended.

    With --wait, exits with 1 if the job did not succeed, and with 4 if it had not ended in time.

    Example:  taskmill submit print --payload '{"message": "hello"}' --wait
    """
    import msgspec

    from entrypoints.cli.calls import Scheduler

    asked = {name: value for name, value in fields.items() if value is not None}
    asked |= {"job_type": job_type, "payload": _json(payload), "metadata": _pairs(metadata)}
    there = Scheduler(scheduler)
    _show(there, there.call("POST", "/jobs", content=msgspec.json.encode(asked)), wait)


@click.command()
@click.argument("job_id", metavar="ID", type=click.IntRange(1))
@SCHEDULER
@WAIT
def job(job_id: int, scheduler: str | None, wait: float | None) -> None:
    """Print the job with this ID; with --wait, print it once it has ended.

    With --wait, exits with 1 if the job did not succeed, and with 4 if it had not ended in time.

    Example:  taskmill job 1 --wait 60
    """
    from entrypoints.cli.calls import Scheduler

    there = Scheduler(scheduler)
    _show(there, there.call("GET", f"/jobs/{job_id}"), wait)


@click.command()
@SCHEDULER
@click.option("--state", help="Only jobs in this state.")
@click.option("--type", "job_type", help="Only jobs of this type.")
@click.option("--queue", help="Only jobs of this queue.")
@click.option("--limit", type=click.IntRange(1, 500), default=50, show_default=True)
def jobs(scheduler: str | None, **filters: Any) -> None:  # noqa: ANN401 - as they are given
    """List jobs, newest first.

    Example:  taskmill jobs --state failed --type http_call
    """
    from entrypoints.cli.calls import Page, Scheduler, decoded

    given = {name: str(value) for name, value in filters.items() if value is not None}
    for item in decoded(Scheduler(scheduler).call("GET", "/jobs", params=given), Page).items:
        error = item.error.message if item.error else ""
        click.echo(
            f"{item.id:>8}  {item.state:<9}  {item.queue}/{item.job_type}"
            f"  priority {item.priority}  attempt {item.attempt}  {error}".rstrip()
        )


def _json(text: str) -> Any:  # noqa: ANN401 - JSON as it is, so that no number changes
    import msgspec

    try:
        return msgspec.json.decode(text.encode(), type=msgspec.Raw)
    except (msgspec.MsgspecError, UnicodeEncodeError) as error:
        give_up(f"--payload is not JSON: {error}", code=MISUSED)


def _pairs(texts: tuple[str, ...]) -> dict[str, str]:
    for text in texts:
        if "=" not in text:
            give_up(f"--metadata takes KEY=VALUE, not {text!r}", code=MISUSED)
    return dict(text.split("=", 1) for text in texts)


def _show(scheduler: Any, answer: bytes, wait_s: float | None) -> None:  # noqa: ANN401
    import msgspec

    from entrypoints.cli.waiting import awaited, require_success

    if wait_s is not None:
        answer = awaited(scheduler, answer, at_most_s=wait_s)
    click.echo(msgspec.json.format(answer, indent=2))
    if wait_s is not None:
        require_success(answer)
