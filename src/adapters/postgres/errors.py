"""PostgreSQL's errors in the application's words."""

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from application.ports import StoreUnavailableError

PASSING = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)
"""The statement was undone for another's sake, and may succeed when run again."""

UNAVAILABLE = (
    *PASSING,
    OSError,
    TimeoutError,
    PoolTimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InternalClientError,
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.InsufficientResourcesError,
    asyncpg.OperatorInterventionError,
    asyncpg.ReadOnlySQLTransactionError,  # a primary that has become a standby
)
"""The database is away, starting, stopping or overfull: no fault of the statement."""


@contextmanager
def translated() -> Iterator[None]:
    """Raise `StoreUnavailableError` for what is the database's fault; let the rest pass."""
    try:
        yield
    except Exception as error:
        cause = driver_error(error)
        if is_unavailability(cause):
            raise StoreUnavailableError(_reason(cause)) from error
        raise


def driver_error(error: Exception) -> BaseException:
    """Return the driver's own error where SQLAlchemy has wrapped it."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        return error.orig.__cause__ or error.orig
    return error


def is_unavailability(error: BaseException) -> bool:
    """Tell whether the error says nothing but that the database cannot serve just now."""
    if isinstance(error, asyncpg.InterfaceError):
        # asyncpg says so both for a closed connection and, as a ValueError, for a bad argument.
        return not isinstance(error, ValueError)
    return isinstance(error, UNAVAILABLE)


def _reason(error: BaseException) -> str:
    [first, *_] = str(error).splitlines() or [type(error).__name__]
    return f"the database is not available: {first}"
