"""A pytest plugin that writes down how each example fared: one line of JSON each."""

import json
import os
from pathlib import Path

import pytest
from pytest_bdd.reporting import test_report_context_registry

FILE_VARIABLE = "EXAMPLES_FILE"


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep the outcome of an example, or that its set-up or clean-up failed."""
    context = test_report_context_registry.get(report)
    if context is None or (report.when != "call" and report.passed):
        return
    scenario = context.scenario
    line = {
        "feature": Path(scenario["feature"]["rel_filename"]).name,
        "example": scenario["name"],
        "wiring": report.nodeid.rsplit("[", 1)[1].removesuffix("]"),
        "outcome": report.outcome,
    }
    with Path(os.environ[FILE_VARIABLE]).open("a") as file:
        file.write(json.dumps(line) + "\n")
