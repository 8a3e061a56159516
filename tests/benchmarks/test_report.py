"""Rows of the report on the gate."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.gate.report import _rows


def test_each_mean_has_its_standard_error_beside_it():
    runs: Any = [SimpleNamespace(undefended=u, defended=d, honest_lost=h) for u, d, h in ((40, 4, 0.01), (44, 8, 0.03))]
    rows = {row.work: row for row in _rows("two owners", runs)}
    assert rows["gated, mean"].figures["error"] == pytest.approx(2)
    assert rows["undefended, mean"].figures["error"] == pytest.approx(2)
    assert rows["honest weight lost, mean"].figures["error"] == pytest.approx(1)
