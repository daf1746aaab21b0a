"""Run by Alembic for every command: on the connection that `migrate` has opened."""

from alembic import context
from sqlalchemy import text

from adapters.postgres.migrate import VERSION_TABLE
from adapters.postgres.tables import metadata

# Any number, as long as every version of Taskmill uses this one.
ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(7241551036)")

connection = context.config.attributes["connection"]
context.configure(connection, target_metadata=metadata, version_table=VERSION_TABLE)
with context.begin_transaction():
    # Before the version is read: whoever waits here then finds the other's work done.
    connection.execute(ONE_AT_A_TIME)
    context.run_migrations()
