"""`python -m arena.rating`: warm the compile cache and say what that took."""

from __future__ import annotations

import sys

from arena.rating.warming import warm

if __name__ == "__main__":
    sys.stdout.write(f"compile cache warm after {warm():.1f} s\n")
