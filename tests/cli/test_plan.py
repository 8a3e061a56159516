"""`arena plan` estimates from a file of costs, or from those of the reference machine."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from arena.domain.sizing.estimate import Demand, estimate, reference
from arena.serving.commands import app


def planned(*words: str) -> dict:
    found = CliRunner().invoke(app, ["plan", *words, "--json"])
    assert found.exit_code == 0, found.output
    return json.loads(found.stdout)


def test_the_plan_is_the_estimate_of_the_reference_machine():
    found, wanted = planned("--voters-per-day", "100000"), estimate(reference(), Demand(100_000, 20))
    assert found["processes"] == wanted.processes
    assert found["database_gib_per_year"] == pytest.approx(wanted.database_gib_per_year)
    assert found["costs"]["machine"]["processor"]


def test_regions_share_the_voters():
    one, ten = planned("--voters-per-day", "1e6"), planned("--voters-per-day", "1e7", "--regions", "10")
    assert one.pop("regions") != ten.pop("regions")
    assert one == ten


def test_costs_of_another_machine_are_read_from_a_file(tmp_path):
    file = tmp_path / "costs.json"
    file.write_text(reference().model_copy(update={"process_mib": 4096.0}).model_dump_json())
    assert planned("--voters-per-day", "10", "--costs", str(file))["memory_gib"] == pytest.approx(4, abs=0.1)


@pytest.mark.parametrize("content", [None, "", "[]", '{"token_us": 3}', '{"token_us": -1}'])
def test_a_file_that_has_no_costs_is_refused_in_a_sentence(tmp_path, content):
    file = tmp_path / "costs.json"
    if content is not None:
        file.write_text(content)
    found = CliRunner().invoke(app, ["plan", "--voters-per-day", "10", "--costs", str(file)])
    assert found.exit_code != 0
    assert "costs.json" in str(found.exception)


def test_the_tables_name_what_fails_first():
    found = CliRunner().invoke(app, ["plan", "--voters-per-day", "1000000"])
    assert found.exit_code == 0, found.output
    assert "API processes" in found.stdout
    assert "fails in this order" in found.stdout


def test_annotation_is_planned_as_in_the_example_of_tencentllmeval():
    found = planned("--items", "10000", "--people", "50", "--pay", "200")
    assert (found["judgements"], found["days"], found["person_days"]) == (30_000, 2, 100)
    assert (found["cost"], found["cost_per_day"], found["cost_per_item"]) == (20_000, 10_000, 2)


def test_without_pay_no_cost_is_told_and_without_anything_nothing_is_planned():
    found = CliRunner().invoke(app, ["plan", "--items", "10"])
    assert "cost" not in found.stdout
    assert "--voters-per-day" in str(CliRunner().invoke(app, ["plan"]).exception)
