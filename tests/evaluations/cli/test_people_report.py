"""`arena evaluations people` as a researcher types it."""

from __future__ import annotations

import json

import numpy as np

from tests.cli.commands import run


def test_the_report_on_people_is_json_or_a_table(tmp_path):
    path, rng = tmp_path / "answers.jsonl", np.random.default_rng(1)
    lines = []
    for item in range(60):
        for person in range(8):
            label = "abt"[item % 3] if person < 7 and rng.random() < 0.8 else "abt"[rng.integers(3)]
            lines.append(
                json.dumps({"person": f"p{person}", "item": item, "label": label, "area": "x" if item % 2 else "y"})
            )
    path.write_text("\n".join([*lines, "{}"]))
    done = run("evaluations", "people", "--from", str(path), "--json")
    found = json.loads(done.stdout)
    assert (
        done.stderr == f"{path}: line 481: person: it is missing; one of the columns person, worker, annotator, voter\n"
    )
    assert (found["answers"], found["items"], list(found["areas"])) == (480, 60, ["y", "x"])
    assert [row["person"] for row in found["people"] if row["doubtful"]] == ["p7"]
    assert found["tencent"]["disqualified"] == []
    table = run("evaluations", "people", "--from", str(path)).stdout
    assert "TencentLLMEval" in table
    assert "look" in table
    first = min(found["people"], key=lambda row: row["agreement_z"])
    line = next(line for line in table.splitlines() if line.startswith(first["person"]))
    assert f"{first['gsb_z'] or 0:.3f}" in line.split()
    assert run("evaluations", "people", "--from", str(path), "--strict").returncode == 1
