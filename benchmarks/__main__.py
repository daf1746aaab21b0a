"""`python -m benchmarks [NAME ...]` runs the named benchmarks, or all of them."""

import asyncio
import sys
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from benchmarks.claim_cost import claim_cost

BENCHMARKS: Mapping[str, Callable[[], Coroutine[Any, Any, None]]] = {"claim_cost": claim_cost}


def main() -> None:
    """Run what was asked for; an unknown name lists those that exist."""
    names = sys.argv[1:] or list(BENCHMARKS)
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        sys.exit(f"no such benchmark: {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    for name in names:
        print(f"\n{name}\n{'=' * len(name)}")
        asyncio.run(BENCHMARKS[name]())


main()
