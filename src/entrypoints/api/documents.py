"""What makes a raw JSON document fit to be kept, beyond being JSON."""

import re

DEEPEST = 100
"""Documents nested deeper than this are refused: readers of many languages give up on them."""

_BRACKET = re.compile(rb"[\[\]{}]")
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_SURROGATES = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(?P<lone>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
    rb"|\\[^u]|\\u[0-9a-fA-F]{4}"
)


def fault_of(document: bytes) -> str | None:
    """Return what is wrong with a well-formed document, or None."""
    if _is_deeper_than(document, DEEPEST):
        return f"nested deeper than {DEEPEST} levels"
    if b"\\u" in document and any(found["lone"] for found in _SURROGATES.finditer(document)):
        return "half of a surrogate pair, which is no character"
    return None


def mended(body: bytes) -> bytes:
    """Return the body with U+FFFD in place of whatever in it is no character.

    Work that was done must be recorded: a report is mended where a submit would be refused.
    """
    text = body.decode(errors="replace").encode()
    return _SURROGATES.sub(_mended, text) if b"\\u" in text else text


def _mended(found: re.Match[bytes]) -> bytes:
    return b"\\ufffd" if found["lone"] else found[0]


def _is_deeper_than(document: bytes, limit: int) -> bool:
    # Counting all brackets is fast and enough for nearly every document.
    if document.count(b"[") + document.count(b"{") <= limit:
        return False
    depth = 0
    for found in _BRACKET.finditer(_STRING.sub(b"", document)):
        depth += 1 if found[0] in b"[{" else -1
        if depth > limit:
            return True
    return False
