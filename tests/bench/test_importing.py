"""The benchmark of imports: rate, cost and bytes on disk of a generated export, on both engines."""

from __future__ import annotations

import json

from tests.cli.commands import run


def test_an_export_is_imported_into_both_engines(postgres):
    server = postgres.url.render_as_string(hide_password=False)
    done = run("bench", "import", "--votes", "1000", "--postgres", server, "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert [row["database"] for row in rows] == ["sqlite"] * 3 + ["postgresql"] * 3
    assert all(row["value"] > 0 for row in rows)
    assert "in the file" in rows[-1]["note"]
