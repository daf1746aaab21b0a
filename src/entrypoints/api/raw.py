"""Fields that are passed through as the bytes that were sent."""

from typing import Any

import msgspec
from msgspec import Raw

NULL = b"null"


def left_out() -> Any:  # noqa: ANN401 - msgspec types its fields like their values
    """Return the default of a raw field: null, which is the same as leaving it out."""
    return msgspec.field(default_factory=lambda: Raw(NULL))
