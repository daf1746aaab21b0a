"""Structured logs: one line for each thing worth knowing, readable or as JSON."""

import logging
import sys

import structlog

from entrypoints.settings import Settings


def configure_logs(settings: Settings) -> None:
    """Write log lines to standard error, in the format and from the level that is set.

    Standard output belongs to what strategies print.
    """
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *_rendering(settings),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    # Libraries speak through the standard module: only what went wrong is of interest.
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, force=True)


def _rendering(settings: Settings) -> list[structlog.typing.Processor]:
    if settings.log_format == "json":
        return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    plain = structlog.dev.plain_traceback
    return [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain)]
