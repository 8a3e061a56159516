"""`arena evaluations`, from a set of questions to a report."""

import json

from tests.cli.commands import run
from tests.usecases.question_sets.files import own, question


def test_an_evaluation_of_the_demo_models_is_created_run_judged_and_reported(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    file, out = tmp_path / "ours.jsonl", tmp_path / "out.jsonl"
    file.write_text(own(question(), question(id="two", area="History")))
    run("questions", "import", str(file), **settings)
    new = ("evaluations", "create", "taste", "--questions", "ours")
    done = run(*new, "--from-file", "gull", "--from-file", "tern", **settings)
    assert done.stdout == "taste: 2 questions; `arena evaluations run taste` asks the models.\n"
    assert run("evaluations", "run", "taste", **settings).returncode == 0
    row = {"question": "one", "a": "tern", "b": "gull", "annotator": "p"}
    rows = [{**row, "outcome": "a"}, {**row, "question": "two", "outcome": "tie"}, {**row, "outcome": "x"}]
    out.write_text("".join(f"{json.dumps(each)}\n" for each in rows))
    done = run("evaluations", "import", "taste", str(out), **settings)
    assert done.stdout == "taste: 0 answers and 2 annotations added, 0 known already, 1 rows refused.\n"
    assert done.stderr == "line 3: outcome: one of a, b, tie, both_bad, skip.\n"
    found = json.loads(run("evaluations", "report", "taste", "--json", **settings).stdout)
    assert [(each["name"], each["points"]) for each in found["board"]] == [("tern", 1.5), ("gull", 0.5)]
    assert "tern" in run("evaluations", "report", "taste", **settings).stdout
    assert json.loads(run("evaluations", "status", "taste", "--json", **settings).stdout)["annotations"] == 2
    assert "gull" in run("evaluations", "status", "taste", **settings).stdout
    assert "taste" in run("evaluations", "list", **settings).stdout
    assert run("evaluations", "judges", "taste", **settings).stdout.startswith("Nobody has judged taste")
    assert "no endpoint 'owl'" in run("evaluations", "judge", "taste", "--by", "owl", **settings).stderr
    run("evaluations", "export", "taste", str(out), **settings)
    assert len(out.read_text().splitlines()) == 3
    assert run("evaluations", "restore", "taste", **settings).stdout.startswith("taste: the answers of 0 models")
    assert run("evaluations", "report", "nowhere", **settings).stderr == "arena: There is no such evaluation.\n"
