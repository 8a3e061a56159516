"""The benchmark of imports: rate, cost and bytes on disk of a generated export, on both engines."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from benchmarks.commands import app


def test_an_export_is_imported_into_both_engines(postgres):
    server = postgres.url.render_as_string(hide_password=False)
    done = CliRunner().invoke(app, ["import", "--votes", "1000", "--postgres", server, "--json"])
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)["rows"]
    assert [row["case"] for row in rows] == ["arena rank"] + ["sqlite"] * 3 + ["postgresql"] * 3
    assert all(row["value"] > 0 for row in rows)
    assert rows[-1]["in_the_file"] > 0
