"""The command line, `taskmill`."""

from entrypoints.cli.commands import main

__all__ = ["main"]
