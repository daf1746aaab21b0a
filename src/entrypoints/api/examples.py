"""What each route takes and answers, with an example of both."""

from collections.abc import Mapping
from typing import Any

from entrypoints.api.attempt_views import AttemptsView
from entrypoints.api.job_bodies import BatchBody, SubmitBody
from entrypoints.api.job_views import BatchView, JobsView, JobView
from entrypoints.api.system import HealthView, StatsView
from entrypoints.api.worker_bodies import ClaimBody, HeartbeatBody, ReportBody
from entrypoints.api.worker_views import HeartbeatView, LeasesView, ReportView, WorkersView

Route = tuple[str, str]

A_SUBMIT = {"job_type": "print", "priority": 10, "payload": {"message": "Hello"}}
A_JOB = {
    "id": 1,
    "job_type": "print",
    "queue": "default",
    "priority": 10,
    "state": "pending",
    "payload": {"message": "Hello"},
    "metadata": {},
    "result": None,
    "error": None,
    "attempt": 0,
    "failures": 0,
    "max_attempts": 2,
    "timeout": 30,
    "retry": {"delay": 0, "factor": 2, "max_delay": 3600, "jitter": 0},
    "unique_key": None,
    "created_at": "2026-01-01T12:00:00.000000Z",
    "run_at": "2026-01-01T12:00:00.000000Z",
    "started_at": None,
    "finished_at": None,
    "worker_id": None,
    "lease_expires_at": None,
    "progress": None,
    "cancel_requested": False,
}
A_CLAIM = {"job_types": ["print"], "queues": ["default"], "limit": 10, "wait": 20}
A_LEASE = {
    "job_id": 1,
    "attempt": 1,
    "job_type": "print",
    "queue": "default",
    "payload": {"message": "Hello"},
    "metadata": {},
    "timeout": 30,
    "expires_at": "2026-01-01T12:00:30.000000Z",
    "failures": 0,
    "max_attempts": 2,
}
A_HEARTBEAT = {"leases": [{"job_id": 1, "attempt": 1, "progress": 0.4}]}
A_BEAT_ANSWER = {
    "job_id": 1,
    "attempt": 1,
    "state": "held",
    "expires_at": "2026-01-01T12:00:40.000000Z",
}
A_REPORT = {
    "outcomes": [
        {"job_id": 1, "attempt": 1, "outcome": "succeeded", "result": {"printed": "Hello"}}
    ]
}
A_VERDICT = {"job_id": 1, "attempt": 1, "accepted": True, "state": "succeeded"}
A_WORKER = {
    "id": "host-1-a3f9",
    "job_types": ["print"],
    "queues": None,
    "slots": 10,
    "running": 1,
    "last_seen": "2026-01-01T12:00:30.000000Z",
    "state": "active",
}
A_LANE = {
    "queue": "default",
    "job_type": "print",
    "pending": 1,
    "running": 0,
    "oldest_pending_age": 0.5,
}
STATES = {
    "scheduled": 0,
    "pending": 1,
    "running": 0,
    "succeeded": 0,
    "failed": 0,
    "cancelled": 0,
}
WELL = {"status": "ok", "version": "0.1.0", "store": "postgres"}

AN_ATTEMPT = {
    "number": 1,
    "worker": "host-1-a3f9",
    "started_at": "2026-01-01T12:00:00.000000Z",
    "finished_at": "2026-01-01T12:00:01.000000Z",
    "outcome": "failed",
    "error": {"type": "ValueError", "message": "no such thing"},
}

BODIES: Mapping[Route, tuple[type, Any]] = {
    ("post", "/jobs"): (SubmitBody, A_SUBMIT),
    ("post", "/jobs/batch"): (BatchBody, {"jobs": [A_SUBMIT]}),
    ("post", "/workers/{worker_id}/claim"): (ClaimBody, A_CLAIM),
    ("post", "/workers/{worker_id}/heartbeat"): (HeartbeatBody, A_HEARTBEAT),
    ("post", "/workers/{worker_id}/report"): (ReportBody, A_REPORT),
}
ANSWERS: Mapping[Route, tuple[type, Any]] = {
    ("post", "/jobs"): (JobView, A_JOB),
    ("get", "/jobs"): (JobsView, {"items": [A_JOB], "next_cursor": None}),
    ("get", "/jobs/{job_id}"): (JobView, A_JOB),
    ("get", "/jobs/{job_id}/attempts"): (AttemptsView, {"items": [AN_ATTEMPT]}),
    ("post", "/jobs/{job_id}/cancel"): (JobView, A_JOB),
    ("post", "/jobs/{job_id}/retry"): (JobView, A_JOB),
    ("post", "/jobs/batch"): (BatchView, {"ids": [1]}),
    ("get", "/workers"): (WorkersView, {"items": [A_WORKER]}),
    ("post", "/workers/{worker_id}/claim"): (LeasesView, {"leases": [A_LEASE]}),
    ("post", "/workers/{worker_id}/heartbeat"): (HeartbeatView, {"leases": [A_BEAT_ANSWER]}),
    ("post", "/workers/{worker_id}/report"): (ReportView, {"outcomes": [A_VERDICT]}),
    ("get", "/stats"): (StatsView, {"states": STATES, "lanes": [A_LANE]}),
    ("get", "/health"): (HealthView, WELL),
    ("get", "/health/live"): (HealthView, WELL),
    ("get", "/health/ready"): (HealthView, WELL),
}

_BAD = {"400": "A field is wrong; `errors` names it."}
_AWAY = {"503": "The store is away; try again after `Retry-After` seconds."}
_BODY = {
    **_BAD,
    "413": "The body or payload is too large.",
    "415": "The body is not application/json.",
    **_AWAY,
}
_KEYS = {
    "409": "A live job bears the unique_key, and is other work.",
    "422": "The Idempotency-Key was used for another request.",
}
_STATE = {"409": "The job's state does not allow it."}
_UNKNOWN = {"404": "There is no such job."}

PROBLEM_STATUSES: Mapping[Route, Mapping[str, str]] = {
    **dict.fromkeys(BODIES, _BODY),
    ("post", "/jobs"): {**_BODY, **_KEYS},
    ("post", "/jobs/batch"): {**_BODY, **_KEYS},
    ("get", "/jobs/{job_id}/attempts"): {**_UNKNOWN, **_AWAY},
    ("post", "/jobs/{job_id}/cancel"): {**_UNKNOWN, **_STATE, **_AWAY},
    ("post", "/jobs/{job_id}/retry"): {**_UNKNOWN, **_STATE, **_AWAY},
    ("get", "/jobs"): {**_BAD, **_AWAY},
    ("get", "/jobs/{job_id}"): {**_BAD, **_UNKNOWN, **_AWAY},
    ("get", "/workers"): _AWAY,
    ("delete", "/workers/{worker_id}"): {**_BAD, **_AWAY},
    ("get", "/stats"): _AWAY,
    ("get", "/health"): _AWAY,
    ("get", "/health/live"): {},
    ("get", "/health/ready"): _AWAY,
}
