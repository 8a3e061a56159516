"""Scores of logs beside what people say: items on which both decide agree or not, others are counted apart."""

import json

from tests.cli.commands import run
from tests.evaluations.cli.test_compare import judged


def test_people_and_a_scorer_agree_where_both_decide(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    for model, values in {"gull": "CICP", "tern": "ICIP"}.items():
        log = {
            "version": 2,
            "status": "success",
            "eval": {"task": "t", "task_id": "x", "model": model},
            "samples": [
                {
                    "id": number,
                    "epoch": 1,
                    "input": f"Question {number}?",
                    "target": "x",
                    "output": {"choices": [{"message": {"content": f"{model} {number}"}}]},
                    "scores": {"match": {"value": value}},
                }
                for number, value in enumerate(values)
            ],
        }
        (tmp_path / f"{model}.json").write_text(json.dumps(log))
    files = [str(tmp_path / f"{name}.json") for name in ("gull", "tern")]
    assert run("compare", *files, "--name", "ours", **settings).returncode == 0
    judged(tmp_path, settings, "ours", ["aab", "ab", "bb", "aa"])
    report = json.loads(run("evaluations", "report", "ours", "--json", **settings).stdout)
    (agreement,) = report["log_agreement"]
    # Both gull; people are even; the log says gull, people tern; the log is even.
    assert (agreement["scorer"], agreement["items"], agreement["undecided"]) == ("match", 2, 2)
    assert agreement["agreement"] == 0.5
    assert agreement["low"] < 0.5 < agreement["high"]
    assert {(row["model"], row["answers"], row["mean"]) for row in report["log_scores"]} == {
        *(("gull", 4, 0.625), ("tern", 4, 0.375))
    }
