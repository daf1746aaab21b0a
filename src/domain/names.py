"""The alphabet of job types and queues."""

import re

from domain.errors import InvalidValueError

NAME_PATTERN = r"^[A-Za-z0-9_.:-]{1,100}$"
_NAME = re.compile(NAME_PATTERN)


def require_name(field: str, value: str) -> None:
    """Raise `InvalidValueError` unless the value can name a job type or a queue."""
    if not _NAME.fullmatch(value):
        raise InvalidValueError(
            field=field, value=value, expected="1 to 100 characters of A-Z a-z 0-9 _ . : -"
        )
