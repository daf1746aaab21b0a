"""Options that several subcommands share."""

import click

from entrypoints.settings import MOST_SLOTS

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
