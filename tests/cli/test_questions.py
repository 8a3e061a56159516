"""`arena questions`, from a file to a set and back."""

import hashlib
import json

from tests.cli.commands import run
from tests.usecases.question_sets.files import own, question


def test_a_set_is_imported_listed_shown_exported_and_compared(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data")}
    file, out = tmp_path / "ours.jsonl", tmp_path / "out.jsonl"
    file.write_text(own(question(), question(id="two", area="History"), {"id": "three"}))
    done = json.loads(run("questions", "import", str(file), "--json", **settings).stdout)
    assert (done["name"], done["version"], done["read"], done["added"]) == ("ours", 1, 3, 2)
    assert done["refused"] == [{"file": "ours.jsonl", "line": 4, "reason": "turns: missing"}]
    again = run("questions", "import", str(file), **settings)
    assert "known already" in again.stdout
    assert "ours.jsonl, line 4: turns: missing" in again.stderr
    assert [each["digest"] for each in json.loads(run("questions", "list", "--json", **settings).stdout)] == [
        done["digest"]
    ]
    assert "History" in run("questions", "show", "ours", **settings).stdout
    assert json.loads(run("questions", "show", "ours", "--question", "two", **settings).stdout)["area"] == "History"
    run("questions", "export", "ours", str(out), **settings)
    assert hashlib.sha256(out.read_bytes()).hexdigest() == done["digest"]
    file.write_text(own(question(reference="5"), question(id="three")))
    assert "1 added, 1 removed, 1 changed" in run("questions", "import", str(file), **settings).stdout
    lines = run("questions", "diff", "ours", "1", **settings).stdout.splitlines()
    assert lines == ["+ three", "- two", "~ one: reference", "1 added, 1 removed, 1 changed."]


def test_a_strict_import_with_a_bad_row_keeps_nothing_and_says_which(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data")}
    file = tmp_path / "ours.jsonl"
    file.write_text(own(question(), {"id": "three"}))
    done = run("questions", "import", str(file), "--strict", **settings)
    assert (done.returncode, done.stderr) == (1, "arena: ours.jsonl, line 3: turns: missing\n")
    assert json.loads(run("questions", "list", "--json", **settings).stdout) == []


def test_facts_format_and_columns_can_be_given(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data")}
    file = tmp_path / "table.txt"
    file.write_text("Frage\nWarum ist der Himmel blau?\n")
    options = ("--format", "csv", "--column", "prompt=Frage", "--name", "blue", "--licence", "CC0", "--language", "de")
    run("questions", "import", str(file), *options, "--public", **settings)
    found = json.loads(run("questions", "show", "blue", "--json", **settings).stdout)
    assert (found["licence"], found["language"], found["public"], found["questions"]) == ("CC0", "de", True, 1)
    run("questions", "publish", "blue", "--off", **settings)
    assert json.loads(run("questions", "show", "blue", "--json", **settings).stdout)["public"] is False


def test_an_unknown_set_and_a_wrong_column_are_one_line(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data")}
    done = run("questions", "show", "nowhere", **settings)
    assert (done.returncode, done.stderr) == (1, "arena: There is no such set of questions.\n")
    done = run("questions", "import", "x.csv", "--column", "prompt", **settings)
    assert done.stderr == "arena: --column has the form FIELD=COLUMN, each field once.\n"
