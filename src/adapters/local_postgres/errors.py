"""What can go wrong when PostgreSQL is started here."""


class LocalPostgresError(Exception):
    """PostgreSQL cannot be run from this data directory; the message says why."""
