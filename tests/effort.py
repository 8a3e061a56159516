"""What a piece of work costs, whatever else the machine is doing."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

TRIES: Final = 3
AFFORDABLE: Final = 1.0
"""Seconds of this thread alone: fifty times what honest work takes here, and far below work that grows too fast."""


def is_affordable(work: Callable[[], object]) -> bool:
    """Whether the least of a few tries is cheap: other threads and a loaded machine cannot make it dear."""
    return any(cpu_seconds(work) < AFFORDABLE for _ in range(TRIES))


def cpu_seconds(work: Callable[[], object]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start
