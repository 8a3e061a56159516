"""The compile cache: whatever a later process runs, the warm-up has compiled."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.rating.logs import ROOT

pytestmark = pytest.mark.process

USED = """
import gc, json
from numba.core.registry import CPUDispatcher
kernels = [each for each in gc.get_objects() if isinstance(each, CPUDispatcher)]
print(json.dumps([f"{each.py_func.__name__}{signature}" for each in kernels for signature in each.signatures]))
"""
"""The compiled loops that a process has run, each with the types of its arguments."""
WARM = "from arena_rating._kernels.warmup import warm\nwarm()" + USED
WORK = (
    """
import numpy as np
import arena_rating as rating
how = rating.EloParameters(orders=9)
board = rating.LeaderboardParameters(elo=how)
for size in (3, 200, 50_000):
    for weight in (None, np.arange(50) % 7 + 0.5):
        left, voter = np.arange(50, dtype=np.int32) % (size - 1), np.arange(50, dtype=np.int32) % 9
        names = tuple(map(str, range(size)))
        log = rating.Comparisons(left, left + 1, np.zeros(50, np.uint8), weight, voter, None, names)
        rating.elo_in_order(log)
        rating.elo_over_orders(log, how, seed=4)
        if size < 1000:
            rating.bradley_terry(rating.pair_counts(log))
            list(rating.compute_by_category(log, rating.Division.of(["x", "y"] * 25), board, seed=4))
            rating.style_bradley_terry(log, np.random.default_rng(1).normal(size=(50, 2)))
left, voter = np.arange(600, dtype=np.int32) % 11, np.arange(600, dtype=np.int32) % 40
log = rating.Comparisons(left, left + 1, np.arange(600) % 4, None, voter, None, tuple(map(str, range(12))))
rating.sums_by_code(np.arange(9, dtype=np.int32), np.arange(9), np.ones((9, 2)), 9)
rating.sums_of_kinds(np.arange(9), np.arange(9), np.ones(9), 9)
halves = rating.Division.of(["x", "y"] * 300)
boards = rating.compute_by_category(log, halves, board, seed=4, pool=rating.pool_of(log, [halves], board))
assert any(row.borrowed for _, each in boards for row in each.rows)
"""
    + USED
)


def used(code: str) -> set[str]:
    command = [sys.executable, "-c", code]
    return set(json.loads(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout))


def test_the_warm_up_compiles_whatever_later_processes_run():
    warmed, needed = used(WARM), used(WORK)
    assert len(needed) > 5
    assert needed - warmed == set()


def test_a_command_warms_the_cache():
    command = [sys.executable, "-m", "arena_rating"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert said.startswith("compile cache warm after ")
