"""The benchmark of the transparency log measures all four things, on a small log here."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from benchmarks.commands import app

pytestmark = pytest.mark.process


def test_votes_sequencing_proofs_and_verification_are_measured():
    sizes = ("--leaves", "300", "--tree", "70000", "--votes", "1000", "--cast", "200")
    done = CliRunner().invoke(app, ["transparency", *sizes, "--json"])
    assert done.exit_code == 0, done.output
    record = json.loads(done.stdout)
    beside, *rows = record["rows"]
    assert beside["votes"] == 8 * 200
    assert beside["without_p99_ms"] > 0 < beside["with_p99_ms"]
    assert [row["count"] for row in rows] == [300, 1000, 1000]
    assert all(row["seconds"] > 0 for row in rows)
    assert record["rows"][-1]["memory_mb"] > 0
