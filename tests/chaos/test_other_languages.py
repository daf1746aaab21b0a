"""A worker written with nothing but an HTTP client that everybody has."""

import json
import subprocess
from typing import Any

import pytest

from tests.chaos.rig import Rig

pytestmark = [pytest.mark.postgres, pytest.mark.chaos]


def _curl(url: str, body: object) -> dict[str, Any]:
    command = ["curl", "-sS", "--fail", "-X", "POST", url, "-H", "Content-Type: application/json"]
    done = subprocess.run(
        [*command, "-d", json.dumps(body)], capture_output=True, check=True, timeout=30
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_curl_alone_claims_keeps_and_reports_a_job(rig: Rig) -> None:
    worker = f"{rig.url}/workers/a-shell-script"
    [job_id] = rig.submit({"job_type": "shell", "payload": {"say": "hello"}})

    claimed = _curl(f"{worker}/claim", {"job_types": ["shell"], "limit": 5, "wait": 5})
    [lease] = claimed["leases"]
    held = {"job_id": job_id, "attempt": lease["attempt"]}
    kept = _curl(f"{worker}/heartbeat", {"leases": [{**held, "progress": 0.5}]})
    report = {**held, "outcome": "succeeded", "result": {"said": lease["payload"]["say"]}}
    told = _curl(f"{worker}/report", {"outcomes": [report]})

    assert lease["job_id"] == job_id
    assert [answer["state"] for answer in kept["leases"]] == ["held"]
    assert [answer["accepted"] for answer in told["outcomes"]] == [True]
    job = rig.job(job_id)
    assert (job["state"], job["result"], job["progress"]) == ("succeeded", {"said": "hello"}, 0.5)
