"""When two payloads are the same."""

import pytest

from domain.job import Json
from domain.uniqueness import is_same_json


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", "1.0"), ("1", "10e-1"), ("100", "1e2"), ("-0", "0.000"), ("1.50", "15E-1"),
        ('{"a": 1, "b": [2]}', '{ "b" :[2.0],"a":1}'), ('"\\u0061"', '"a"'),
        ("1e400", "10e399"), ("0.1", "1e-1"),
    ],
)  # fmt: skip
def test_documents_equal_in_value_are_the_same(one: str, other: str) -> None:
    assert is_same_json(Json(one.encode()), Json(other.encode()))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", "true"), ("0", "false"), ("1", '"1"'), ("0", "null"), ("1", "-1"), ("1e400", "1e401"),
        ("1000000000000000000000000000000", "1000000000000000000000000000001"),
        ("[1, 2]", "[2, 1]"), ("0.1", "0.10000000000000001"), ('{"a": 1}', '{"a": 1, "b": 2}'),
    ],
)  # fmt: skip
def test_documents_that_differ_in_value_or_kind_are_not(one: str, other: str) -> None:
    assert not is_same_json(Json(one.encode()), Json(other.encode()))
