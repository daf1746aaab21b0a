"""Why Taskmill cannot come up."""


class UpError(Exception):
    """One sentence that says what stands in the way."""
