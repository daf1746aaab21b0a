"""The mutants of the SQL keep up with the SQL."""

import importlib

import pytest

from tests.mutants.mutations import MUTATIONS, Mutation
from tests.mutants.plugin import mutated


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_every_mutation_finds_what_it_breaks(mutation: Mutation) -> None:
    for constant in mutation.constants:
        module_name, name = constant.split(".")
        module = importlib.import_module(f"adapters.postgres.{module_name}")

        assert str(mutated(getattr(module, name), mutation)) != str(getattr(module, name))
