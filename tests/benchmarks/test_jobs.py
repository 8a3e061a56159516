"""The memory of a process is its own, and not that of whoever started it."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from benchmarks.processes import peak_mb

pytestmark = pytest.mark.process

_CHILD = "from benchmarks.processes import peak_mb; print(peak_mb())"


def test_a_small_process_that_a_large_one_starts_has_a_small_peak():
    large = np.ones(40_000_000)
    assert peak_mb() > 300
    done = subprocess.run([sys.executable, "-c", _CHILD], capture_output=True, text=True, check=True)
    assert len(large) / 1e6 == 40
    assert 0 < float(done.stdout) < 200
