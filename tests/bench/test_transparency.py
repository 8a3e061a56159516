"""The benchmark of the transparency log measures all three things, on a small log here."""

from __future__ import annotations

import json

from tests.cli.commands import run


def test_sequencing_proofs_and_verification_are_measured():
    done = run("bench", "transparency", "--leaves", "300", "--tree", "70000", "--votes", "1000", "--json")
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert [row["count"] for row in record["rows"]] == [300, 1000, 1000]
    assert all(row["seconds"] > 0 for row in record["rows"])
    assert record["rows"][-1]["megabytes"] > 0
