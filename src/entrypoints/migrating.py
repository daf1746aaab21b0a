"""Bringing the database's schema up to date."""

import asyncio

from adapters.postgres.migrate import expected_version, upgrade


def migrate(url: str) -> str:
    """Apply what is missing; return the version that the schema is at then."""
    asyncio.run(upgrade(url))
    return expected_version()
