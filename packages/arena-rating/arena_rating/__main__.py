"""`python -m arena_rating`: fill the compile cache and print how long that took."""

from __future__ import annotations

import sys
import time

import numpy as np

from arena_rating import Comparisons, warm
from arena_rating.research import BootstrapParameters, bootstrap_bradley_terry


def warm_bootstrap() -> None:
    """Compile the loops of the bootstrap."""
    left, voter = np.zeros(4, np.int32), np.arange(4, dtype=np.int32)
    log = Comparisons(left, left + 1, np.zeros(4, np.uint8), None, voter, None, ("x", "y"))
    for unit in ("vote", "voter"):
        bootstrap_bradley_terry(log, BootstrapParameters(rounds=2, unit=unit), seed=0)


if __name__ == "__main__":
    start = time.perf_counter()
    warm()
    warm_bootstrap()
    sys.stdout.write(f"compile cache warm after {time.perf_counter() - start:.1f} s\n")
