"""The rings: who may import whom."""

import ast
import sys
from pathlib import Path

import grimp
import pytest
from importlinter import cli

ROOT = Path(__file__).parents[2]
RINGS = ("domain", "application", "adapters", "entrypoints")
IMPURE = {"asyncio", "logging", "os", "pathlib", "random", "secrets", "socket", "time", "uuid"}
CLOCKS = {"now", "utcnow", "today"}
COMPOSITION_ROOT = "entrypoints.container"


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph(*RINGS, include_external_packages=True, cache_dir=None)


def domain_sources() -> list[Path]:
    return sorted((ROOT / "src" / "domain").rglob("*.py"))


def test_the_contracts_of_import_linter_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)

    assert cli.lint_imports(no_cache=True) == cli.EXIT_STATUS_SUCCESS


def test_the_domain_imports_the_pure_part_of_the_standard_library(
    graph: grimp.ImportGraph,
) -> None:
    modules = {"domain", *graph.find_descendants("domain")}
    imported = {
        name.partition(".")[0]
        for module in modules
        for name in graph.find_modules_directly_imported_by(module)
    }

    assert not imported - {"domain"} - (sys.stdlib_module_names - IMPURE)


@pytest.mark.parametrize("source", domain_sources(), ids=lambda path: path.stem)
def test_the_domain_neither_awaits_nor_reads_a_clock(source: Path) -> None:
    nodes = list(ast.walk(ast.parse(source.read_text())))
    clocks = [node for node in nodes if isinstance(node, ast.Attribute) and node.attr in CLOCKS]
    waits = [node for node in nodes if isinstance(node, ast.AsyncFunctionDef | ast.Await)]

    assert not [*clocks, *waits]


def test_only_the_composition_root_names_two_adapters(graph: grimp.ImportGraph) -> None:
    named = {
        module: {
            name.split(".")[1]
            for name in graph.find_modules_directly_imported_by(module)
            if name.startswith("adapters.")
        }
        for module in graph.find_descendants("entrypoints")
    }

    assert {module for module, several in named.items() if len(several) > 1} <= {COMPOSITION_ROOT}
