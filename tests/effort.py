"""Processor time of a function, independent of the load on the machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

TRIES: Final = 3
AFFORDABLE: Final = 1.0
"""Seconds of processor time: fifty times what normal work takes, and far below work that grows too fast."""


def is_affordable(work: Callable[[], object]) -> bool:
    """Whether one of a few tries stays below the limit; only this thread's time counts."""
    return any(cpu_seconds(work) < AFFORDABLE for _ in range(TRIES))


def cpu_seconds(work: Callable[[], object]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start
