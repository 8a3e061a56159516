"""`python -m arena_rating`: fill the compile cache and print how long that took."""

from __future__ import annotations

import sys

from arena_rating._kernels.warmup import warm

if __name__ == "__main__":
    sys.stdout.write(f"compile cache warm after {warm():.1f} s\n")
