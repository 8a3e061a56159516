"""The benchmark of the pages measures all of its figures."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from benchmarks.commands import app


@pytest.mark.heavy
@pytest.mark.browser
@pytest.mark.timeout(600)
def test_the_whole_run_has_a_row_for_everything():
    found = CliRunner().invoke(app, ["pages", "--seconds", "2", "--json"])
    assert found.exit_code == 0, found.output
    assert [row["case"] for row in json.loads(found.output)["rows"]] == ["arena"] * 8
