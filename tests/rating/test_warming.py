"""The compile cache: warm once, and no later process compiles."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.rating.logs import ROOT

COUNT = """
import numpy as np
from numba.core import event
from arena.rating import Comparisons, EloParameters, bradley_terry, elo_over_orders, pair_counts
with event.install_recorder("numba:compile") as compiled:
    for size in (3, 200):
        left = np.arange(50, dtype=np.int32) % (size - 1)
        names = tuple(map(str, range(size)))
        log = Comparisons(left, left + 1, np.zeros(50, np.uint8), None, None, None, names)
        elo_over_orders(log, EloParameters(orders=9), seed=4)
        bradley_terry(pair_counts(log))
print(len(compiled.buffer))
"""


def test_after_warming_no_process_compiles(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}

    def run(*arguments):
        command = [sys.executable, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=environment).stdout

    assert run("-m", "arena.rating").startswith("compile cache warm after ")
    assert run("-c", COUNT).strip() == "0"
