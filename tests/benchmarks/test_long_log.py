"""The benchmark of a long log measures every step, and takes no other bits from a cluster."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from benchmarks import long_log
from benchmarks.commands import app


@pytest.mark.process
def test_every_step_is_measured_and_a_cluster_gives_the_same_bits():
    done = CliRunner().invoke(
        app, ["long-log", "--votes", "2000", "--models", "20", "--orders", "10", "--dask", "1", "--json"]
    )
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)["rows"]
    assert [row["work"] for row in rows][-2:] == ["Elo over 10 orders", "the same by dask, workers: 1"]
    assert len(rows) == 5
    assert all(row["memory_mb"] > 0 for row in rows)


def test_the_boards_of_categories_are_measured_too():
    rows = list(long_log.measure(3000, 5, 2, categories=True))[-6:]
    assert [(row.work, row.note) for row in rows[1::2]] == [
        ("boards of topics", "10, each over 2 orders"),
        ("boards of languages", "3, each over 2 orders"),
        ("boards of both", "30, each over 2 orders"),
    ]
    assert [row.work for row in rows[::2]] == ["pool of topics", "pool of languages", "pool of both"]


def test_other_bits_of_a_cluster_end_the_benchmark(monkeypatch):
    def other(log, parameters, _workers):
        return long_log.elo_over_orders(log, parameters, seed=2)

    monkeypatch.setattr(long_log, "_by_dask", other)
    with pytest.raises(AssertionError, match="other bits"):
        list(long_log.measure(1000, 5, 2, [1]))


def test_the_log_is_the_same_each_time_and_nobody_meets_himself():
    first, second = (long_log.synthetic(3000, 7) for _ in range(2))
    assert all(np.array_equal(getattr(first, name), getattr(second, name)) for name in ("left", "right", "outcome"))
    assert set(first.outcome.tolist()) == {0, 1, 2, 3}
    assert not (first.left == first.right).any()
