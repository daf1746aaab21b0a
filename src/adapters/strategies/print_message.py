"""`print`: writes a message to standard output."""

import json
import sys

from application.worker.task import Task


class Print:
    """Writes `message`: text as it is, anything else as JSON."""

    job_type = "print"

    async def run(self, task: Task) -> dict[str, object]:
        """Write one line."""
        message = task.payload.get("message")
        text = message if isinstance(message, str) else json.dumps(message, ensure_ascii=False)
        sys.stdout.write(_writable(text) + "\n")
        sys.stdout.flush()
        return {"printed": message}


def _writable(text: str) -> str:
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
