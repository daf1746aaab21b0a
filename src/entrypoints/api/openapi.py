"""The OpenAPI document."""

from importlib.metadata import version

from litestar.openapi.config import OpenAPIConfig


def document_config() -> OpenAPIConfig:
    """Return how the document is made and where it is served."""
    return OpenAPIConfig(title="Taskmill", version=version("taskmill"), path="/schema")
