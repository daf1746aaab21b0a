"""Which strategy runs which type of job."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import partial, singledispatch
from typing import Any

from application.worker.ports import Strategy
from application.worker.threads import in_thread
from domain.names import require_name


class UnknownStrategyError(LookupError):
    """No strategy runs jobs of this type."""

    def __init__(self, *, job_type: str) -> None:
        super().__init__(f"this worker has no strategy for {job_type}")
        self.job_type = job_type


class NotStrategiesError(TypeError):
    """The value is neither a mapping from job_type to callable nor an iterable of strategies."""

    def __init__(self, value: object, *, reason: str) -> None:
        super().__init__(reason)
        self.value = value


class Registry:
    """Strategies by job_type; of two for the same type the later one counts."""

    def __init__(self, *sources: object) -> None:
        """Take strategies from mappings of callables and iterables of objects.

        Raises:
            NotStrategiesError: a source has another shape.
            InvalidValueError: a name is no job_type.
        """
        self._strategies: dict[str, Strategy] = {}
        for source in sources:
            for job_type, function in strategies_in(source):
                self._add(job_type, function)

    @property
    def job_types(self) -> frozenset[str]:
        """The types that can be run."""
        return frozenset(self._strategies)

    def __getitem__(self, job_type: str) -> Strategy:
        """Return the strategy of a type; `UnknownStrategyError` if there is none."""
        try:
            return self._strategies[job_type]
        except KeyError:
            raise UnknownStrategyError(job_type=job_type) from None

    def _add(self, job_type: object, function: object) -> None:
        if not isinstance(job_type, str):
            raise NotStrategiesError(function, reason=f"the job_type {job_type!r} is no text")
        require_name("job_type", job_type)
        if not callable(function):
            raise NotStrategiesError(function, reason=f"the strategy of {job_type} is not callable")
        self._strategies[job_type] = awaitable(function)


def awaitable(function: Callable[..., Any]) -> Strategy:
    """Return an async function as it is, and a plain one so that it runs in a thread."""
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(_call_of(function)):
        return function
    return partial(in_thread, function)


def _call_of(function: Callable[..., Any]) -> object:
    return getattr(type(function), "__call__", None)  # noqa: B004 - to inspect, not to test


@singledispatch
def strategies_in(source: object) -> Iterable[tuple[object, object]]:
    """Return pairs of job_type and callable; `NotStrategiesError` if the source has none."""
    reason = "neither a mapping from job_type to callable nor an iterable of strategies"
    raise NotStrategiesError(source, reason=reason)


@strategies_in.register
def _(source: Mapping) -> Iterable[tuple[object, object]]:  # type: ignore[type-arg] # dispatch
    return source.items()


@strategies_in.register
def _(source: Iterable) -> Iterable[tuple[object, object]]:  # type: ignore[type-arg] # dispatch
    for strategy in source:
        try:
            yield strategy.job_type, strategy.run
        except AttributeError:
            reason = f"{strategy!r} has not both job_type and run"
            raise NotStrategiesError(strategy, reason=reason) from None
