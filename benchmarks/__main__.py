"""`uv run benchmarks`: uv runs the folder, so that the clone's root, not this folder, is where imports begin."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[1])

from benchmarks.commands import main  # noqa: E402 - the line above finds it

main()
