"""Files that the documentation pages load, served by the scheduler itself."""

from pathlib import Path

from litestar import Router
from litestar.static_files import create_static_files_router

ASSETS_PATH = "/assets"
ASSETS = Path(__file__).parent / "assets"


def asset_routes() -> Router:
    """Return the routes to the files."""
    return create_static_files_router(
        path=ASSETS_PATH, directories=[ASSETS], include_in_schema=False
    )
