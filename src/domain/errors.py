"""What the domain refuses, with the offending values as attributes."""


class RuleBrokenError(Exception):
    """A rule of the domain was refused; nothing has changed."""


class IllegalMoveError(RuleBrokenError):
    """The job's state does not allow this move."""

    def __init__(self, *, move: str, job_id: int, state: str) -> None:
        super().__init__(f"cannot {move} job {job_id}: it is {state}")
        self.move = move
        self.job_id = job_id
        self.state = state


class InvalidValueError(RuleBrokenError):
    """A value lies outside what the field allows.

    `field` is the dotted path inside the request, such as `priority` or `retry.delay`.
    """

    def __init__(self, *, field: str, value: object, expected: str) -> None:
        super().__init__(f"{field} must be {expected}")
        self.field = field
        self.value = value
        self.expected = expected


class UnknownJobError(RuleBrokenError):
    """There is no job with this id."""

    def __init__(self, *, job_id: int) -> None:
        super().__init__(f"there is no job {job_id}")
        self.job_id = job_id
