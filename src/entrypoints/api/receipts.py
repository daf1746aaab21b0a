"""The `Idempotency-Key` header: a name for one submit."""

from hashlib import sha256

from application.requests import Receipt
from domain.names import LONGEST_KEY
from domain.uniqueness import canonical
from entrypoints.api.bodies import AnyRequest
from entrypoints.api.problems import refused_field

HEADER = "Idempotency-Key"


async def receipt_of(request: AnyRequest) -> Receipt | None:
    """Return the receipt that a submit asks for, if it does.

    Two bodies that are equal in value are the same request, however they are written.
    """
    key = request.headers.get(HEADER)
    if key is None:
        return None
    if not (1 <= len(key) <= LONGEST_KEY and key.isprintable()):
        raise refused_field(HEADER, f"must be 1 to {LONGEST_KEY} printable characters")
    asked = f"{request.url.path}\n{canonical(await request.body())}"
    return Receipt(key=key, fingerprint=sha256(asked.encode()).digest())
