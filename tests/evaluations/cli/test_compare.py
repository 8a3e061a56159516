"""`arena compare`: from a file in an empty folder to invitations, and a report that says not yet."""

import json

import pytest

from tests.cli.commands import run
from tests.evaluations.usecases.traffic.logs import row, write


def judged(tmp_path, settings, name, said):
    """Import what people say of each question, by the ids of the exported file."""
    run("evaluations", "export", name, str(tmp_path / "out.jsonl"), **settings)
    answers = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()[1:]]
    ids = list(dict.fromkeys(answer["question"] for answer in answers))
    a, b = dict.fromkeys(answer["model"] for answer in answers)
    rows = [
        {"question": question, "a": a, "b": b, "outcome": outcome, "annotator": who}
        for question, outcomes in zip(ids, said, strict=True)
        for who, outcome in zip("pqr", outcomes, strict=False)
    ]
    (tmp_path / "said.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    done = run("evaluations", "import", name, str(tmp_path / "said.jsonl"), **settings)
    assert done.returncode == 0, done.stderr
    return run("evaluations", "report", name, **settings).stdout


def test_questions_in_an_empty_folder_become_invitations_and_the_report_says_not_yet(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    file = tmp_path / "questions.txt"
    file.write_text("What is 17 + 25?\nWhat is the capital of France?\nWrite a haiku.\n")
    command = ("compare", str(file), "--model", "abacus-brief", "--model", "abacus-letter")
    done = run(*command, **settings)
    assert done.returncode == 0, done.stderr
    first, *links, last = done.stdout.splitlines()
    assert first == "questions: 3 questions, abacus-brief against abacus-letter, blind."
    assert [link.partition("#")[0] for link in links] == [f"{n}: http://127.0.0.1:8000/annotate" for n in (1, 2, 3)]
    assert "arena evaluations report questions" in last
    warning = "Only this machine can open these links: set ARENA_PUBLIC_URL"
    assert warning in done.stderr
    elsewhere = run("evaluations", "invite", "questions", ARENA_PUBLIC_URL="https://arena.example", **settings)
    assert "https://arena.example/annotate#" in elsewhere.stdout
    assert warning not in elsewhere.stderr
    assert warning in run("evaluations", "invite", "questions", **settings).stderr
    again = run(*command, **settings)
    assert "evaluation questions already, and it is open; choose another --name" in again.stderr
    said = judged(tmp_path, settings, "questions", ["ab", "ba", "aa"])
    assert "Not yet: abacus-brief wins 0.67 of the comparisons against abacus-letter, 95 % interval 0." in said
    assert ", which may be chance; it takes at least 17 more questions to tell." in said


def test_finished_answers_are_judged_without_a_model(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    file = tmp_path / "answers.csv"
    file.write_text("question,old,new\n" + "".join(f"Question {n}?,x{n},y{n}\n" for n in range(20)) + "Only?,x,\n")
    done = json.loads(run("compare", str(file), "--people", "1", "--json", **settings).stdout)
    assert (done["models"], done["questions"], done["items"], done["runs"]) == (["old", "new"], 21, 20, [])
    assert [invitation["annotator"] for invitation in done["invitations"]] == ["1"]
    told = judged(tmp_path, settings, "answers", [["b", "b", "b"]] * 20 + [[]])
    assert "new is better than old: old wins 0.00 of the comparisons, 95 % interval 0.00 to 0.1" in told


def test_a_model_that_may_not_be_asked_and_a_single_model_are_refused_in_a_sentence(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    file = tmp_path / "questions.txt"
    file.write_text("What?\n")
    assert "There is no endpoint 'gull'" in run("compare", str(file), "-m", "gull", "-m", "tern", **settings).stderr
    assert "needs two models at least" in run("compare", str(file), "-m", "abacus-brief", **settings).stderr
    one = tmp_path / "one.json"
    one.write_text(json.dumps([{"instruction": "What?", "output": "x", "generator": "tern"}]))
    assert (
        "here is only 'tern': name a model that is asked by --model, or" in run("compare", str(one), **settings).stderr
    )
    assert "a SQLite database" in run("compare", str(tmp_path / "data" / "arena.db"), **settings).stderr


def test_traffic_is_asked_again_after_a_sentence_on_what_leaves_the_machine(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    file = write(tmp_path / "log.jsonl", [row(f"What is {n} + {n}?", tags=["sums"]) for n in range(30)] + [row("Hi?")])
    command = ("compare", "--traffic", str(file), "--against", "abacus-brief", "--sample", "10")
    done = run(*command, **settings)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("log: 10 questions, abacus-brief against dear, blind.\n1: http")
    *sampled, leaving, loopback = done.stderr.splitlines()
    assert sampled == [
        "31 calls, of which 31 of dear can be drawn.",
        "Left out: none.",
        "10 calls are drawn by --seed 1, in proportion: 10 under sums.",
    ]
    assert leaving.startswith(
        "Nothing leaves this machine but 10 calls to abacus-brief (this machine), at a price that"
    )
    assert loopback.startswith("Only this machine can open these links")
    again = run(*command, **settings)
    assert "There is an evaluation log already, and it is open" in again.stderr
    assert "Nothing leaves this machine" not in again.stderr
    refused = run("compare", str(file), "--traffic", str(file), "--against", "abacus-brief", **settings)
    assert "neither other files nor --model" in refused.stderr
    assert "Name files of questions or answers, or a log of calls" in run("compare", **settings).stderr
    unknown = run("compare", "--traffic", str(file), "--against", "gull", **settings)
    assert "There is no endpoint 'gull'" in unknown.stderr


@pytest.mark.parametrize("margin", ["nan", "-5", "0", "1e9"])
def test_a_margin_that_none_can_be_is_refused_before_a_file_is_read(tmp_path, margin):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    absent = str(tmp_path / "absent")
    for files in ((absent,), (), ("--traffic", absent, "--against", "abacus-brief")):
        refused = run("compare", *files, f"--margin={margin}", **settings)
        assert refused.returncode == 1
        assert "A margin is above 0 and up to" in refused.stderr
