"""Waiting for the end of a job, and telling how it ended."""

import time

from entrypoints.cli.calls import LONGEST_POLL_S, Job, Scheduler, decoded
from entrypoints.cli.failures import FAILED, UNFINISHED, give_up


def awaited(scheduler: Scheduler, answer: bytes, *, at_most_s: float) -> bytes:
    """Return the job's last answer: once it has ended, or the time is up."""
    until_s = time.monotonic() + at_most_s
    job = decoded(answer, Job)
    while not job.is_final and (left_s := until_s - time.monotonic()) > 0:
        wait = f"{min(left_s, LONGEST_POLL_S):.3f}"
        answer = scheduler.call("GET", f"/jobs/{job.id}", params={"wait": wait})
        job = decoded(answer, Job)
    return answer


def require_success(answer: bytes) -> None:
    """End the command with a code of its own unless the job has succeeded."""
    job = decoded(answer, Job)
    if not job.is_final:
        give_up(f"job {job.id} is still {job.state}", code=UNFINISHED)
    if job.state != "succeeded":
        reason = f": {job.error.message}" if job.error else ""
        give_up(f"job {job.id} has not succeeded, it is {job.state}{reason}", code=FAILED)
