"""`sleep`: takes its time, for demonstrations."""

import asyncio
from typing import Annotated

import msgspec
from msgspec import Meta

from adapters.strategies.payloads import payload_as
from application.worker.task import Task

Seconds = Annotated[float, Meta(ge=0, le=604_800)]
Steps = Annotated[int, Meta(ge=1, le=100_000)]


class SleepPayload(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """How long, and in how many steps progress is told."""

    seconds: Seconds
    steps: Steps | None = None


class Sleep:
    """Sleeps, reports progress, and stops when cancelled."""

    job_type = "sleep"

    async def run(self, task: Task) -> dict[str, object]:
        """Sleep step by step."""
        asked = payload_as(SleepPayload, task)
        steps = asked.steps or 10
        for step in range(steps):
            await asyncio.sleep(asked.seconds / steps)
            await task.progress((step + 1) / steps)
        return {"slept": asked.seconds}
