"""The alphabets of names and keys."""

import re

from domain.errors import InvalidValueError

NAME_PATTERN = r"^[A-Za-z0-9_.:-]{1,100}$"
LONGEST_KEY = 255
_NAME = re.compile(NAME_PATTERN)


def require_name(field: str, value: str) -> None:
    """Raise `InvalidValueError` unless the value can name a job type or a queue."""
    if not _NAME.fullmatch(value):
        raise InvalidValueError(
            field=field, value=value, expected="1 to 100 characters of A-Z a-z 0-9 _ . : -"
        )


def require_key(field: str, value: str) -> None:
    """Raise `InvalidValueError` unless the value can serve as a key."""
    if not (1 <= len(value) <= LONGEST_KEY and value.isprintable()):
        raise InvalidValueError(
            field=field, value=value, expected=f"1 to {LONGEST_KEY} printable characters"
        )
