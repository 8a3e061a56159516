"""The benchmark of one faulty endpoint: it compares with the run without a fault, and its table and data agree."""

import json
import math

from typer.testing import CliRunner

from benchmarks import failing_endpoint
from benchmarks.commands import app


def case(ill, first=600.0, total=1600.0, **more):
    return failing_endpoint.Case(
        **{
            "ill": ill,
            "battles": 100,
            "void": 0,
            "answers": 180,
            "first_p95": first,
            "total_p95": total,
            "extra": 0.0,
            "open": 0.0,
            "late": 0.0,
        }
        | more
    )


def test_a_change_is_against_the_run_in_which_all_are_well():
    record = case("hung", first=630.0, total=1592.0).record(case("well"))
    assert (record["first_change"], record["total_change"]) == (0.05, -0.005)


def test_the_percentile_is_a_value_that_occurred():
    assert failing_endpoint._p95([5, 1, 2, 3, 4]) == 5
    assert failing_endpoint._p95(list(range(1, 101))) == 95
    assert math.isnan(failing_endpoint._p95([]))


def test_every_case_has_its_row(monkeypatch):
    monkeypatch.setattr(failing_endpoint, "FAULTS", ("failing",))
    found = CliRunner().invoke(app, ["health", "--rate", "4", "--seconds", "2.5", "--json"])
    assert found.exit_code == 0, found.output
    rows = json.loads(found.output)["rows"]
    assert [row["ill"] for row in rows] == ["well", "failing"]
    assert all(row["battles"] > 0 and row["extra"] < 1 for row in rows)
    assert rows[0]["void"] == 0


def test_every_case_has_its_line(monkeypatch):
    def measure(_plan, tell):
        cases = [case("well"), case("failing", total=2400.0)]
        for each in cases:
            tell(each, cases[0])
        return [(each, cases[0]) for each in cases]

    monkeypatch.setattr(failing_endpoint, "measure", measure)
    found = CliRunner().invoke(app, ["health"])
    assert found.exit_code == 0, found.output
    heading, well, ill = found.output.splitlines()
    assert [line.split()[0] for line in (heading, well, ill)] == ["one", "well", "failing"]
    assert ("+0.0%" in well, "+50.0%" in ill) == (True, True)
