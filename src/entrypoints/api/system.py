"""Routes for operators and probes."""

from datetime import datetime, timedelta
from importlib.metadata import version
from typing import Literal

import msgspec
from litestar import Controller, get
from litestar.di import NamedDependency

from application.inspect import CountJobs, ReachStore
from application.queries import LaneCount
from entrypoints.settings import Settings

PROBE_WITHIN = timedelta(seconds=2)


class HealthView(msgspec.Struct, frozen=True):
    """The scheduler is well."""

    status: Literal["ok"]
    version: str
    store: str


class LaneView(msgspec.Struct, frozen=True):
    """A queue's jobs of one type; ages in seconds."""

    queue: str
    job_type: str
    pending: int
    running: int
    oldest_pending_age: float | None


class StatsView(msgspec.Struct, frozen=True, omit_defaults=True):
    """All jobs by state, and the lanes where something waits or runs."""

    states: dict[str, int]
    lanes: list[LaneView]
    approximate: bool = False


class SystemRoutes(Controller):
    """`/health` and `/stats`."""

    path = "/"
    tags = ("System",)

    @get("/health", summary="Is all well?")
    async def health(
        self, settings: NamedDependency[Settings], reach_store: NamedDependency[ReachStore]
    ) -> HealthView:
        """Return 200 if requests can be served, 503 if the store cannot be reached."""
        await reach_store(within=PROBE_WITHIN)
        return _well(settings)

    @get("/health/live", summary="Does the process run?")
    async def live(self, settings: NamedDependency[Settings]) -> HealthView:
        """Return 200 as long as the process answers at all."""
        return _well(settings)

    @get("/health/ready", summary="Can it serve?")
    async def ready(
        self, settings: NamedDependency[Settings], reach_store: NamedDependency[ReachStore]
    ) -> HealthView:
        """Return 200 if requests can be served, 503 if the store cannot be reached."""
        await reach_store(within=PROBE_WITHIN)
        return _well(settings)

    @get("/stats", summary="Count the jobs")
    async def stats(self, count_jobs: NamedDependency[CountJobs]) -> StatsView:
        """Return counts by state, and what waits and runs in each lane."""
        census, now = await count_jobs()
        return StatsView(
            states={state.value: count for state, count in census.states.items()},
            lanes=[_lane_view_of(count, now) for count in census.lanes],
            approximate=census.approximate,
        )


def _well(settings: NamedDependency[Settings]) -> HealthView:
    return HealthView("ok", version("taskmill"), settings.store)


def _lane_view_of(count: LaneCount, now: datetime) -> LaneView:
    age_s = None
    if count.oldest_pending is not None:
        age_s = max((now - count.oldest_pending).total_seconds(), 0.0)
    return LaneView(count.lane.queue, count.lane.job_type, count.pending, count.running, age_s)
