"""`uv run benchmarks`: uv runs this folder, so the clone's root has to become the start of the import path."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[1])

from benchmarks.commands import main  # noqa: E402 - needs the path above

main()
