"""The gate on logs that were made elsewhere."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from arena_rating import OUTCOMES
from arena_trust.integrity.simulation.attack_kinds import Place
from benchmarks.gate.foreign import measure_foreign, trial_of
from benchmarks.processes import NotMeasured
from tests.trust.integrity.logs import under_attack


def write(path, log):
    rows = [
        {
            "number": int(log.number[row]),
            "created_at": int(log.second[row]),
            "model_a": log.names[log.left[row]],
            "model_b": log.names[log.right[row]],
            "outcome": OUTCOMES[log.outcome[row]],
            "voter": int(log.voter[row]),
            "check": int(log.check[row]),
            "seconds": float(log.reading[row]),
        }
        for row in range(len(log))
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    log, both, _ = under_attack(60, Place.CHECK, votes=6_000)
    path = tmp_path_factory.mktemp("worlds") / "push"
    path.mkdir()
    write(path / "honest.jsonl", log)
    write(path / "attacked.jsonl", both)
    return path


def test_hostile_votes_are_those_of_voters_whom_the_honest_log_lacks(folder):
    result = trial_of(folder, "push")
    assert result.target == "model-010"
    assert result.undefended > 50
    assert abs(result.gated) < 15
    assert 85 < result.left < 95
    assert result.lost < 3
    assert math.isnan(result.bound)


def test_a_named_target_is_taken_and_a_folder_without_logs_is_one_sentence(folder, tmp_path):
    (folder / "about.json").write_text('{"target": "model-003"}')
    assert trial_of(folder, "push").target == "model-003"
    (folder / "about.json").unlink()
    rows = [str(row) for row in measure_foreign(folder.parent)]
    assert any("model-010" in row for row in rows)
    assert np.isfinite([row.value for row in measure_foreign(folder.parent)]).all()
    with pytest.raises(NotMeasured, match="no folder below it has"):
        list(measure_foreign(tmp_path))
