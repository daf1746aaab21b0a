"""How long a failed job waits before its next attempt."""

from dataclasses import dataclass
from datetime import timedelta

LONGEST_WAIT = timedelta(days=3650)
"""No wait is longer than ten years, whatever the policy's numbers come to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Exponential backoff with a ceiling; the default retries at once.

    `jitter` is a share of the wait: 0.5 adds up to half of it again, so that
    jobs that failed together do not come back together.
    """

    delay: timedelta = timedelta(0)
    factor: float = 2.0
    max_delay: timedelta = timedelta(hours=1)
    jitter: float = 0.0

    def wait_after(self, failures: int, *, roll: float = 0.0) -> timedelta:
        """Return the wait after the given number of failures (1 for the first).

        min(delay · factor^(failures - 1), max_delay), plus `roll` · jitter of that, where
        `roll` is a number from 0 to 1 that the caller draws. Never above `LONGEST_WAIT`.
        """
        base_s = min(self._grown_s(failures), self.max_delay.total_seconds())
        wait_s = base_s * (1 + self.jitter * roll)
        return timedelta(seconds=min(wait_s, LONGEST_WAIT.total_seconds()))

    def _grown_s(self, failures: int) -> float:
        delay_s = self.delay.total_seconds()
        if delay_s == 0:
            return 0.0
        try:
            return delay_s * self.factor ** (failures - 1)
        except OverflowError:
            return self.max_delay.total_seconds()


RETRY_AT_ONCE = RetryPolicy()
