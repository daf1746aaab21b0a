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


class UniqueKeyTakenError(RuleBrokenError):
    """A job that is not final bears the unique key, and it is other work.

    `index` is the place of the refused job in its batch; `job_id` is 0 where the other one is
    in the same batch.
    """

    def __init__(self, *, unique_key: str, job_id: int, index: int) -> None:
        bearer = f"job {job_id}" if job_id else "an earlier job of the same batch"
        super().__init__(f"unique_key {unique_key!r} is taken by {bearer}, which is other work")
        self.unique_key = unique_key
        self.job_id = job_id
        self.index = index


class IdempotencyKeyReusedError(RuleBrokenError):
    """The idempotency key was used for another request."""

    def __init__(self, *, key: str) -> None:
        super().__init__(f"idempotency key {key!r} was used for another request")
        self.key = key


class KeyHeldError(RuleBrokenError):
    """A job cannot come back to life: another live job bears its unique key by now."""

    def __init__(self, *, job_id: int, unique_key: str) -> None:
        super().__init__(f"cannot retry job {job_id}: another live job bears its unique_key")
        self.job_id = job_id
        self.unique_key = unique_key
