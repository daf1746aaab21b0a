"""The first words to a newcomer."""

TEXT = """
Taskmill is up, with jobs kept in {place}.

  API     {url}
  Pages   {url}/schema

Try it:

  curl -X POST {url}/jobs -H "Content-Type: application/json" \\
    -d '{{"job_type": "print", "payload": {{"message": "Hello"}}}}'

Ctrl-C stops everything.
"""


def greeting(url: str, *, store: str) -> str:
    """Return where things are, and one call to try."""
    return TEXT.format(url=url, place="memory only" if store == "memory" else "PostgreSQL")
