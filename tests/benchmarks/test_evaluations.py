"""The benchmark of evaluations measures import, reports and annotators, on small ones here."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from benchmarks.commands import app

pytestmark = pytest.mark.process


def test_import_report_and_annotators_are_measured():
    sizes = {"questions": 20, "annotations": 600, "judgements": 900, "answers": 300}
    sizes |= {"annotators": 3, "seconds": 0.5, "pause": 0.02}
    options = [text for name, value in sizes.items() for text in (f"--{name}", str(value))]
    done = CliRunner().invoke(app, ["evaluations", *options, "--json"])
    assert done.exit_code == 0, done.output
    rows = {row["work"]: row for row in json.loads(done.stdout)["rows"]}
    reports = ["", "≤ 3", "≤ 500", "", "≤ 1", "≤ 500"]
    goals = ["≤ 5", *reports, "", "", "", "≤ 500", "≤ 100", "", "", ""]
    assert [row["goal"] for row in rows.values()] == goals
    assert all(row["value"] is not None for row in rows.values())
    assert "{'200'" in rows["3 annotators: next item, p95"]["note"]
