"""`python -m arena_rating`: fill the compile cache and print how long that took."""

from __future__ import annotations

import sys
import time

from arena_rating._kernels.warmup import warm

if __name__ == "__main__":
    started = time.perf_counter()
    warm()
    sys.stdout.write(f"compile cache warm after {time.perf_counter() - started:.1f} s\n")
