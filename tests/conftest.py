"""What tests of every ring share."""

import pytest

pytest_plugins = [
    "tests.postgres_server",
    "tests.acceptance.steps_given",
    "tests.acceptance.steps_when",
    "tests.acceptance.steps_then",
]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Run async tests and fixtures of every scope on asyncio, which is what Taskmill runs on."""
    return "asyncio"
