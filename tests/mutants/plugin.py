"""A pytest plugin that runs the tests against broken statements."""

import importlib
import os
from collections.abc import Sequence

from hypothesis import Phase, settings
from sqlalchemy import Executable, text
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.sql import ClauseElement

from tests.mutants.mutations import MUTATIONS, Mutation

MUTANT = "TASKMILL_MUTANT"
NAMED = PGDialect(paramstyle="named")  # type: ignore[no-untyped-call]

# The mutant is found or not; the smallest program that finds it is nobody's business.
settings.register_profile("mutants", phases=[Phase.explicit, Phase.generate])


class MutationNotFoundError(Exception):
    """The statement has changed, and the mutation must follow."""


def mutated(statement: str | Executable, mutation: Mutation) -> str | Executable:
    """Return the statement with the mistake in it."""
    if isinstance(statement, str):
        return _changed(statement, mutation)
    assert isinstance(statement, ClauseElement)
    # SQLAlchemy breaks lines before each clause; so that a mutation need not know where:
    named = " ".join(str(statement.compile(dialect=NAMED)).split())
    return text(_changed(named, mutation))


def apply(mutation: Mutation) -> None:
    """Break the constants before any adapter has read them."""
    for constant in mutation.constants:
        module_name, name = constant.split(".")
        module = importlib.import_module(f"adapters.postgres.{module_name}")
        setattr(module, name, mutated(getattr(module, name), mutation))


def named(name: str, among: Sequence[Mutation] = MUTATIONS) -> Mutation:
    """Return the mutation of this name."""
    [mutation] = [mutation for mutation in among if mutation.name == name]
    return mutation


def pytest_configure() -> None:
    settings.load_profile("mutants")
    if os.environ.get(MUTANT):
        apply(named(os.environ[MUTANT]))


def _changed(sql: str, mutation: Mutation) -> str:
    if mutation.old not in sql:
        message = f"{mutation.name}: no {mutation.old!r} in {sql}"
        raise MutationNotFoundError(message)
    return sql.replace(mutation.old, mutation.new)
