"""The benchmark of the way from one more vote to a published leaderboard."""

from __future__ import annotations

import pytest

from benchmarks import refit

pytestmark = pytest.mark.process


def test_a_new_worker_publishes_a_first_snapshot_and_another_after_one_more_vote():
    read, first, quick, full, memory = (row.value for row in refit.measure(1_000))
    assert min(read, first, quick, full, memory) > 0
    assert quick <= full
