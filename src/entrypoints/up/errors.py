"""Why Taskmill cannot come up, or goes down."""

from entrypoints.cli.failures import FAILED, MISUSED


class UpError(Exception):
    """One sentence that says what stands in the way."""

    exit_code = FAILED


class MisusedError(UpError):
    """What stands in the way is how Taskmill was called: trying again would not help."""

    exit_code = MISUSED


class StoppedError(Exception):
    """It was asked to stop before it was up."""
