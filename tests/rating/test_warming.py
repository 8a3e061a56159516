"""The compile cache: warm once, and no later process compiles."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.rating.logs import ROOT

COUNT = """
import numpy as np
from numba.core import event
import arena.rating as rating
how = rating.EloParameters(orders=9)
board = rating.LeaderboardParameters(elo=how)
with event.install_recorder("numba:compile") as compiled:
    for size in (3, 200, 50_000):
        for weight in (None, np.arange(50) % 7 + 0.5):
            left, voter = np.arange(50, dtype=np.int32) % (size - 1), np.arange(50, dtype=np.int32) % 9
            names = tuple(map(str, range(size)))
            log = rating.Comparisons(left, left + 1, np.zeros(50, np.uint8), weight, voter, None, names)
            rating.elo_in_order(log)
            rating.elo_over_orders(log, how, seed=4)
            if size < 1000:
                rating.bradley_terry(rating.pair_counts(log))
                rating.compute_divided(log, rating.Division.of(["x", "y"] * 25), board, seed=4)
                rating.style_bradley_terry(log, np.random.default_rng(1).normal(size=(50, 2)))
                for unit in ("vote", "voter"):
                    rating.bootstrap_bradley_terry(log, rating.BootstrapParameters(rounds=3, unit=unit), seed=4)
print(len(compiled.buffer))
"""


def test_after_warming_no_process_compiles(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}

    def run(*arguments):
        command = [sys.executable, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=environment).stdout

    assert run("-m", "arena.rating").startswith("compile cache warm after ")
    assert run("-c", COUNT).strip() == "0"
