"""Renders the features, with how they fared on every wiring, into one page.

`python -m tests.acceptance.living_docs` writes `build/living-docs.html` and exits with 1 if an
example failed or was not run.
"""

import json
import os
import subprocess
import sys
from collections import defaultdict
from datetime import UTC, datetime
from html import escape
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gherkin import Parser

from tests.acceptance.recorder import FILE_VARIABLE
from tests.acceptance.wirings import WIRING_NAMES

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PAGE = ROOT / "build" / "living-docs.html"
STYLE = (HERE / "living_docs.css").read_text()

Results = dict[tuple[str, str], dict[str, str]]


def main() -> int:
    """Run the features and write the page."""
    exit_code, results = _run()
    features = [_parsed(path) for path in sorted((ROOT / "features").glob("*.feature"))]
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(_page(features, results))
    sys.stdout.write(f"The living documentation is in {PAGE.relative_to(ROOT)}\n")
    return exit_code or int(_missing(features, results))


def _run() -> tuple[int, Results]:
    results: Results = defaultdict(dict)
    with TemporaryDirectory() as directory:
        lines = Path(directory) / "examples"
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "tests.acceptance.recorder", HERE],
            env={**os.environ, FILE_VARIABLE: str(lines)},
            check=False,
        )
        for line in map(json.loads, lines.read_text().splitlines()):
            results[line["feature"], line["example"]][line["wiring"]] = line["outcome"]
    return done.returncode, results


def _parsed(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = dict(Parser().parse(path.read_text()))
    return {**document["feature"], "file": path.name}


def _examples(feature: dict[str, Any]) -> list[dict[str, Any]]:
    rules = [child["rule"] for child in feature["children"]]
    return [child["scenario"] for rule in rules for child in rule["children"]]


def _missing(features: list[dict[str, Any]], results: Results) -> bool:
    return any(
        results[feature["file"], example["name"]].keys() != set(WIRING_NAMES)
        for feature in features
        for example in _examples(feature)
    )


def _page(features: list[dict[str, Any]], results: Results) -> str:
    outcomes = [outcome for fared in results.values() for outcome in fared.values()]
    passed = outcomes.count("passed")
    contents = "".join(
        f'<li><a href="#{_anchor(feature)}">{escape(feature["name"])}</a></li>'
        for feature in features
    )
    body = "".join(_feature(feature, results) for feature in features)
    made = f"Taskmill {version('taskmill')}, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>What Taskmill does</title><style>{STYLE}</style></head><body>"
        f"<header><h1>What Taskmill does</h1><p>{passed} of {len(outcomes)} checks passed: "
        f"each example on {len(WIRING_NAMES)} wirings ({', '.join(WIRING_NAMES)}).</p></header>"
        f"<nav><ol>{contents}</ol></nav><main>{body}</main><footer>{made}</footer></body></html>"
    )


def _feature(feature: dict[str, Any], results: Results) -> str:
    rules = "".join(_rule(child["rule"], feature, results) for child in feature["children"])
    return (
        f'<section id="{_anchor(feature)}"><h2>{escape(feature["name"])}</h2>'
        f"<p>{escape(feature['description'].strip())}</p>{rules}</section>"
    )


def _rule(rule: dict[str, Any], feature: dict[str, Any], results: Results) -> str:
    examples = "".join(
        _example(child["scenario"], results[feature["file"], child["scenario"]["name"]])
        for child in rule["children"]
    )
    return f"<h3>{escape(rule['name'])}</h3>{examples}"


def _example(example: dict[str, Any], fared: dict[str, str]) -> str:
    steps = "".join(
        f"<li><b>{escape(step['keyword'].strip())}</b> {escape(step['text'])}</li>"
        for step in example["steps"]
    )
    marks = "".join(_mark(wiring, fared.get(wiring, "not run")) for wiring in WIRING_NAMES)
    return (
        f"<article><h4>{escape(example['name'])}</h4><ul>{steps}</ul>"
        f'<p class="marks">{marks}</p></article>'
    )


def _mark(wiring: str, outcome: str) -> str:
    sign = {"passed": "✓", "failed": "✗"}.get(outcome, "?")
    kind = outcome.replace(" ", "-")
    return f'<span class="{kind}" title="{outcome}">{sign} {wiring}</span>'


def _anchor(feature: dict[str, Any]) -> str:
    return str(feature["file"]).removesuffix(".feature")


if __name__ == "__main__":
    sys.exit(main())
