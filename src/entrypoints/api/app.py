"""The HTTP application of one scheduler."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from litestar import Litestar
from litestar.di import Provide

from entrypoints.api.jobs import JobRoutes
from entrypoints.api.openapi import document_config
from entrypoints.api.pages import asset_routes
from entrypoints.api.problems import PROBLEMS, answer_problem
from entrypoints.api.system import SystemRoutes
from entrypoints.api.workers import WorkerRoutes
from entrypoints.container import Container
from entrypoints.lifecycle import opened, scheduler_loops


def create_app(container: Container) -> Litestar:
    """Return the application over what the container holds; its lifespan opens the wiring."""
    return Litestar(
        route_handlers=[JobRoutes, WorkerRoutes, SystemRoutes, asset_routes()],
        dependencies=_dependencies(container),
        exception_handlers=dict.fromkeys(PROBLEMS, answer_problem),
        lifespan=[_lifespan(container)],
        openapi_config=document_config(),
        request_max_body_size=container.settings().max_body,
        logging_config=None,
    )


def _dependencies(container: Container) -> dict[str, Provide]:
    provided: dict[str, Callable[[], Any]] = {
        "settings": container.settings,
        "submit_jobs": container.submit,
        "get_job": container.get_job,
        "list_attempts": container.list_attempts,
        "cancel_job": container.cancel_job,
        "retry_job": container.retry_job,
        "list_jobs": container.list_jobs,
        "count_jobs": container.count_jobs,
        "reach_store": container.reach_store,
        "list_workers": container.list_workers,
        "claim_jobs": container.claim,
        "meet_worker": container.meet_worker,
        "keep_leases": container.keep_leases,
        "report_outcomes": container.report,
        "sign_off": container.sign_off,
    }
    return {name: Provide(_given(make()), sync_to_thread=False) for name, make in provided.items()}


def _given(thing: Any) -> Callable[[], Any]:  # noqa: ANN401 - any use case
    def give() -> Any:  # noqa: ANN401 - as above
        return thing

    return give


def _lifespan(container: Container) -> Callable[[Litestar], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_app: Litestar) -> AsyncIterator[None]:
        async with opened(container, scheduler_loops(container)):
            yield

    return lifespan
