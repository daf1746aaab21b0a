"""Reading a job's payload as what a strategy expects."""

from typing import TypeVar

import msgspec

from application.worker.task import Task, TaskFailed

Expected = TypeVar("Expected")


def payload_as(expected: type[Expected], task: Task) -> Expected:
    """Return the payload in its expected shape; a wrong one fails the job for good."""
    try:
        return msgspec.json.decode(task.raw_payload, type=expected)
    except msgspec.MsgspecError as error:
        raise TaskFailed(f"the payload does not fit: {error}", retryable=False) from None
