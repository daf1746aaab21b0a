"""The OpenAPI document: routes and parameters from the framework, shapes from our own structs.

Bodies are decoded by this package and not by the framework, so their shapes are added here, made
by the very library that decodes them.
"""

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import msgspec
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin, SwaggerRenderPlugin
from litestar.openapi.spec import Info, OpenAPI

from entrypoints.api.examples import ANSWERS, BODIES, PROBLEM_STATUSES
from entrypoints.api.pages import ASSETS_PATH
from entrypoints.api.problems import MEDIA_TYPE, Problem
from entrypoints.api.worker_bodies import OutcomeBody

REFERENCE = "#/components/schemas/{name}"


class ContractDocument(OpenAPI):
    """The framework's document with bodies, answers, problems and examples filled in."""

    def to_schema(self) -> dict[str, Any]:
        """Return the document as it is served."""
        document = super().to_schema()
        shapes, components = _shapes()
        document["components"] = {"schemas": components}
        for path, operations in document["paths"].items():
            for method, operation in operations.items():
                _fill(operation, (method, path), shapes)
        return document


class ContractConfig(OpenAPIConfig):
    """Makes the framework serve our document."""

    def to_openapi_schema(self) -> OpenAPI:
        """Return the document, without routes yet."""
        description = "Submit jobs, and claim, keep and report them as a worker."
        info = Info(title="Taskmill", version=version("taskmill"), description=description)
        return ContractDocument(info=info, paths={}, servers=self.servers, tags=self.tags)


def document_config() -> OpenAPIConfig:
    """Return how the document is made and where it is served."""
    pages = SwaggerRenderPlugin(
        js_url=f"{ASSETS_PATH}/swagger-ui-bundle.js",
        css_url=f"{ASSETS_PATH}/swagger-ui.css",
        standalone_preset_js_url=f"{ASSETS_PATH}/swagger-ui-standalone-preset.js",
        favicon="<link rel='icon' href='data:,'>",
        path="/",
    )
    return ContractConfig(
        title="Taskmill",
        version=version("taskmill"),
        path="/schema",
        render_plugins=[pages, JsonRenderPlugin()],
    )


def _shapes() -> tuple[Mapping[type, Any], dict[str, Any]]:
    types = [
        *{shape for shape, _ in BODIES.values()},
        *{shape for shape, _ in ANSWERS.values()},
        OutcomeBody,
        Problem,
    ]
    schemas, components = msgspec.json.schema_components(types, ref_template=REFERENCE)
    return dict(zip(types, schemas, strict=True)), dict(components)


def _fill(operation: dict[str, Any], route: tuple[str, str], shapes: Mapping[type, Any]) -> None:
    if route in BODIES:
        shape, example = BODIES[route]
        content = {"application/json": {"schema": shapes[shape], "example": example}}
        operation["requestBody"] = {"required": True, "content": content}
    if route in ANSWERS:
        shape, example = ANSWERS[route]
        answer = next(iter(operation["responses"].values()))
        answer["content"] = {"application/json": {"schema": shapes[shape], "example": example}}
    operation["responses"] |= {
        status: {
            "description": description,
            "content": {MEDIA_TYPE: {"schema": shapes[Problem]}},
        }
        for status, description in PROBLEM_STATUSES[route].items()
    }
