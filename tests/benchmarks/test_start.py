"""The benchmark of a start finds a page before the arena is open, and every process at rest."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from benchmarks.commands import app


def test_a_page_comes_before_the_first_call_and_all_processes_are_counted():
    done = CliRunner().invoke(app, ["start", "--starts", "1", "--rest", "0", "--idle", "0", "--json"])
    assert done.exit_code == 0, done.output
    rows = {(row["case"], row["work"]): row["value"] for row in json.loads(done.stdout)["rows"]}
    assert rows["warm start", "first page"] < rows["warm start", "first call"]
    assert all(rows["at rest", which] > 0 for which in ("serving process", "all processes"))
