"""`arena questions`, from a file to a set and back."""

import asyncio
import hashlib
import json
from datetime import UTC, datetime

from arena.adapters.store.engine import open_database
from arena.adapters.store.engine.migration import migrate
from arena.usecases.endpoints import builtin
from arena_providers.demo.practice_models import DEMO_ENDPOINTS
from tests.cli.commands import run
from tests.evaluations.usecases.sets.files import own, question


def test_a_set_is_imported_listed_shown_exported_and_compared(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data")}
    file, out = tmp_path / "ours.jsonl", tmp_path / "out.jsonl"
    file.write_text(own(question(), question(id="two", area="History"), {"id": "three"}))
    done = json.loads(run("questions", "import", str(file), "--json", **settings).stdout)
    assert (done["name"], done["version"], done["read"], done["added"]) == ("ours", 1, 3, 2)
    params = {"rule": "missing", "column": "turns"}
    assert done["refused"] == [
        {"file": "ours.jsonl", "line": 4, "reason": "turns: missing", "repeats": None, "params": params}
    ]
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


def test_an_import_names_all_lines_that_an_open_quotation_mark_takes(tmp_path):
    file = tmp_path / "ours.csv"
    file.write_text('question\nWhy?\n"How?\nWho?\n')
    done = run("questions", "import", str(file), ARENA_DATA=str(tmp_path / "data"))
    assert "1 question read, 1 row refused" in done.stdout
    assert "ours.csv, line 3: not CSV from here to the end of the file (2 lines): a quotation mark" in done.stderr


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


def test_a_question_is_converted_written_anew_confirmed_and_kept_for_an_evaluation(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path), "ARENA_LOCAL": "off"}
    url = f"sqlite:///{tmp_path / 'arena.db'}"
    migrate(url)
    database = open_database(url)
    asyncio.run(builtin.settle_builtin(database, DEMO_ENDPOINTS, "on", datetime.now(UTC)))
    database.close()
    file, wording = tmp_path / "ours.jsonl", tmp_path / "wording.json"
    file.write_text(own(question(), question(id="talk", turns=["Name a sea.", "And another?"])))
    wording.write_text(json.dumps({"question": "What is 2 + 2?", "options": ["3", "4", "5", "22"], "answer": "B"}))
    run("questions", "import", str(file), **settings)
    # A practice model cannot write a closed question, which is what a person then does.
    done = run("questions", "convert", "ours", "--endpoint", "abacus-brief", **settings)
    assert done.stdout == "0 converted, 1 unreadable, 0 left, 1 not to convert.\n"
    review = ("questions", "conversions", "review", "1", "--reviewer")
    assert run(*review, "Ada", "--amend", str(wording), **settings).stdout == "Conversion 1 is reviewed once.\n"
    assert run(*review, "Ben", "--confirm", **settings).stdout == "Conversion 1 is reviewed twice.\n"
    build = ("questions", "conversions", "build", "ours")
    assert run(*build, **settings).stderr == "arena: No converted question of ours is confirmed by 3 people.\n"
    assert run(*review, "Cyd", "--confirm", **settings).stdout == "Conversion 1 is confirmed.\n"
    assert "ada, ben, cyd" in run("questions", "conversions", "list", "ours", **settings).stdout
    options = ("list", "ours", "--state", "converted", "--json")
    assert json.loads(run("questions", "conversions", *options, **settings).stdout) == []
    shown = json.loads(run("questions", "conversions", "show", "1", **settings).stdout)
    assert (shown["prompt"], shown["wording"]["key"], shown["state"]) == ("What is 2 + 2?", "B", "confirmed")
    assert [each["verdict"] for each in shown["reviews"]] == ["amended", "confirmed", "confirmed"]
    news = "ours-closed version 1: the first version.\n"
    assert run(*build, **settings).stdout == news
    models = ("--model", "abacus-brief", "--model", "abacus-letter")
    chosen = ("create", "exam", "--questions", "ours-closed", "--protocol", "closed", *models)
    assert run("evaluations", *chosen, **settings).returncode == 0


def test_a_review_is_exactly_one_of_three_and_its_file_is_read_strictly(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path)}
    review = ("questions", "conversions", "review", "1", "--reviewer", "Ada")
    one = "arena: A review is one of --confirm, --amend FILE and --reject REASON.\n"
    assert run(*review, **settings).stderr == one
    assert run(*review, "--confirm", "--reject", "No.", **settings).stderr == one
    assert run(*review, "--confirm", **settings).stderr == "arena: There is no such conversion.\n"
    file = tmp_path / "wording.json"
    assert "No such file" in run(*review, "--amend", str(file), **settings).stderr
    file.write_text("{}")
    why = f"arena: {file}: it has no JSON object with a question.\n"
    assert run(*review, "--amend", str(file), **settings).stderr == why
    file.write_bytes(b"\xff")
    assert "not UTF-8" in run(*review, "--amend", str(file), **settings).stderr


def test_questions_of_one_text_are_told_with_their_lines_and_kept(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data")}
    files = [tmp_path / "ours.csv", tmp_path / "more.csv"]
    files[0].write_text("id,question\n1,Why?\n2,How?\n3,Why?\n4,Why? \n")
    done = run("questions", "import", str(files[0]), **settings)
    assert "4 questions read, 0 rows refused" in done.stdout
    assert done.stderr == "3 questions with the same text as another one (lines 2, 4, 5).\n"
    files[1].write_text("id,question\n7,How?\n")
    done = run("questions", "import", *map(str, files), **settings)
    named = "ours.csv 2, ours.csv 3, ours.csv 4, ours.csv 5, more.csv 2"
    assert done.stderr == f"5 questions with the same text as another one (lines {named}).\n"
    report = json.loads(run("questions", "import", str(files[0]), "--json", **settings).stdout)
    assert [line for _, line in report["same_text"]] == [2, 4, 5]


def test_columns_that_were_not_used_are_told_with_what_takes_them(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data")}
    file = tmp_path / "ours.csv"
    file.write_text("Question,Model answer,Remarks,Seen\nWhy?,So.,by Ada,yes\n")
    done = run("questions", "import", str(file), **settings)
    assert "1 question read, 0 rows refused" in done.stdout
    assert done.stderr == "Left unused: 2 columns ('Remarks', 'Seen'); --column FIELD=COLUMN takes one.\n"
    assert json.loads(run("questions", "import", str(file), "--json", **settings).stdout)["unused"] == [
        "Remarks",
        "Seen",
    ]
    drafts = run("questions", "drafts", "write", "exam", str(file), "--author", "Ada", **settings)
    assert drafts.stderr == "Left unused: 2 columns ('Remarks', 'Seen').\n"


def test_a_comparison_tells_columns_that_were_not_used(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    file = tmp_path / "ours.csv"
    file.write_text("Question,Remarks\nWhy?,by Ada\n")
    done = run("compare", str(file), "--model", "abacus-brief", "--model", "abacus-letter", **settings)
    assert "Left unused: 1 column ('Remarks').\n" in done.stderr
