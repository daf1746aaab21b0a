"""Subcommands for those who submit jobs and ask after them."""

import json
from typing import Any

import click

from entrypoints.cli.failures import FAILED, MISUSED, UNREACHABLE, give_up

# What only these commands need is imported inside them: see commands.py.
# ruff: noqa: PLC0415

FINAL = frozenset({"succeeded", "failed", "cancelled"})
LONGEST_POLL_S = 20.0

SCHEDULER = click.option(
    "--scheduler", metavar="URL", help="The scheduler.  [default: http://127.0.0.1:8000]"
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
@click.option("--wait", is_flag=True, help="Wait until the job has ended.")
def submit(
    job_type: str,
    scheduler: str | None,
    payload: str,
    metadata: tuple[str, ...],
    wait: bool,  # noqa: FBT001 - click passes a flag by name
    **fields: Any,  # noqa: ANN401 - the other fields of a job, as they are given
) -> None:
    """Submit a job of TYPE and print it; with --wait, print it once it has ended.

    Exits with 1 if the awaited job did not succeed.

    Example:  taskmill submit print --payload '{"message": "hello"}' --wait
    """
    asked = {name: value for name, value in fields.items() if value is not None}
    asked |= {"job_type": job_type, "payload": _document(payload), "metadata": _pairs(metadata)}
    answer = _call("POST", scheduler, "/jobs", json=asked)
    while wait and answer["state"] not in FINAL:
        answer = _call("GET", scheduler, f"/jobs/{answer['id']}", params={"wait": LONGEST_POLL_S})
    _show(answer)
    if wait and answer["state"] != "succeeded":
        give_up(f"job {answer['id']} has {answer['state']}", code=FAILED)


@click.command()
@click.argument("job_id", metavar="ID", type=click.IntRange(1))
@SCHEDULER
@click.option("--wait", is_flag=True, help="Wait until the job has ended.")
def job(job_id: int, scheduler: str | None, wait: bool) -> None:  # noqa: FBT001 - as above
    """Print the job with this ID.

    Example:  taskmill job 1 --wait
    """
    path = f"/jobs/{job_id}"
    answer = _call("GET", scheduler, path)
    while wait and answer["state"] not in FINAL:
        answer = _call("GET", scheduler, path, params={"wait": LONGEST_POLL_S})
    _show(answer)


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
    given = {name: value for name, value in filters.items() if value is not None}
    for item in _call("GET", scheduler, "/jobs", params=given)["items"]:
        error = item["error"]["message"] if item["error"] else ""
        click.echo(
            f"{item['id']:>8}  {item['state']:<9}  {item['queue']}/{item['job_type']}"
            f"  priority {item['priority']}  attempt {item['attempt']}  {error}".rstrip()
        )


def _call(method: str, scheduler: str | None, path: str, **request: Any) -> Any:  # noqa: ANN401
    import httpx

    from entrypoints.cli.configured import settings_with

    url = settings_with(scheduler_url=scheduler).scheduler_url.rstrip("/") + path
    try:
        answer = httpx.request(method, url, timeout=LONGEST_POLL_S + 10, **request)
        body = answer.json()
    except (httpx.TransportError, httpx.InvalidURL) as error:
        give_up(f"cannot reach the scheduler at {url}: {error}", code=UNREACHABLE)
    except ValueError:
        give_up(f"{url} does not answer as a scheduler does", code=UNREACHABLE)
    if answer.is_error:
        give_up(body.get("detail", answer.text), code=FAILED)
    return body


def _document(text: str) -> Any:  # noqa: ANN401 - any JSON
    try:
        return json.loads(text)
    except ValueError as error:
        give_up(f"--payload is not JSON: {error}", code=MISUSED)


def _pairs(texts: tuple[str, ...]) -> dict[str, str]:
    for text in texts:
        if "=" not in text:
            give_up(f"--metadata takes KEY=VALUE, not {text!r}", code=MISUSED)
    return dict(text.split("=", 1) for text in texts)


def _show(answer: object) -> None:
    click.echo(json.dumps(answer, indent=2, ensure_ascii=False))
