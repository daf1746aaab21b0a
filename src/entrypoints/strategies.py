"""Finding the strategies that users bring along."""

import importlib
import os
import sys
from collections.abc import Iterable, Sequence
from importlib.metadata import entry_points

from application.worker.registry import NotStrategiesError, Registry, strategies_in
from domain.errors import InvalidValueError

GROUP = "taskmill.strategies"


class StrategiesError(Exception):
    """Strategies that were asked for cannot be had; the message is one line."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"cannot take strategies from {name!r}: {' '.join(reason.split())}")
        self.name = name


def load_strategies(names: Sequence[str]) -> dict[object, object]:
    """Return callables by job_type: what installed packages offer, then what is named.

    Where several have the same job_type, the one named last counts.
    """
    offered = [point.value for point in entry_points(group=GROUP)]
    return {key: run for name in [*offered, *names] for key, run in _strategies_at(name)}


def _strategies_at(name: str) -> Iterable[tuple[object, object]]:
    value = _named(name)
    try:
        found = list(strategies_in(value))
        Registry(dict(found))
    except (NotStrategiesError, InvalidValueError) as error:
        raise StrategiesError(name, str(error)) from None
    return found


def _named(name: str) -> object:
    module_name, _, attribute = name.partition(":")
    if not module_name or not attribute:
        raise StrategiesError(name, "expected package.module:attribute")
    value: object = _module(name, module_name)
    for part in attribute.split("."):
        try:
            value = getattr(value, part)
        except AttributeError:
            raise StrategiesError(name, f"{module_name} has no {attribute}") from None
    return value


def _module(name: str, module_name: str) -> object:
    # A command's own directory is where its users expect it to look, as `python -m` does.
    if os.getcwd() not in sys.path:  # noqa: PTH109 - text, as in sys.path
        sys.path.insert(0, os.getcwd())  # noqa: PTH109 - as above
    try:
        return importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        raise StrategiesError(name, f"{type(error).__name__}: {error}") from error
