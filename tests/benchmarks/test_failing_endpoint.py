"""The benchmark of one faulty endpoint: it compares with the run without a fault, and its table and data agree."""

import json
import math

import pytest
from typer.testing import CliRunner

from benchmarks import failing_endpoint
from benchmarks.commands import app

pytestmark = pytest.mark.process


def case(first: float, total: float) -> failing_endpoint.Case:
    return failing_endpoint.Case(100, 0, 180, first, total, 0.0, 0.0, 0.0)


def test_a_change_is_against_the_run_in_which_all_are_well():
    first, total, *_ = failing_endpoint.rows("hung", case(630.0, 1592.0), case(600.0, 1600.0))
    assert (first.value, first.figures["change_percent"]) == (630.0, pytest.approx(5))
    assert (total.value, total.figures["change_percent"]) == (1592.0, pytest.approx(-0.5))


def test_the_percentile_is_a_value_that_occurred():
    assert failing_endpoint._p95([5, 1, 2, 3, 4]) == 5
    assert failing_endpoint._p95(list(range(1, 101))) == 95
    assert math.isnan(failing_endpoint._p95([]))


def test_every_case_has_its_row(monkeypatch):
    monkeypatch.setattr(failing_endpoint, "FAULTS", ("failing",))
    found = CliRunner().invoke(app, ["health", "--rate", "4", "--seconds", "2.5", "--json"])
    assert found.exit_code == 0, found.output
    rows = json.loads(found.output)["rows"]
    assert [row["case"] for row in rows] == ["well"] * 4 + ["failing"] * 4
    well, failing = rows[:4], rows[4:]
    assert all(breaker["battles"] > 0 for breaker in (well[3], failing[3]))
    assert (well[3]["void"], failing[2]["value"] < 100) == (0, True)
