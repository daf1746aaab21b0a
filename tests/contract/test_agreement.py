"""The memory adapter is the specification: PostgreSQL answers every program as it does."""

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings

from adapters.postgres.engine import Database
from tests.contract.conftest import EMPTY, in_memory, in_postgres
from tests.contract.programs import Step, programs
from tests.contract.twins import Twins


@pytest.mark.postgres
@settings(
    max_examples=250,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(program=programs)
async def test_postgres_answers_as_memory_does_whatever_the_program_of_calls(
    database: Database, program: Sequence[Step]
) -> None:
    await database.execute(EMPTY)
    twins = Twins(in_memory(), in_postgres(database))

    await twins.run(program)
    await twins.compare_reading()
