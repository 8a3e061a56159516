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


def people(path, *arguments):
    return run("evaluations", "people", "--from", str(path), *arguments)


def test_of_a_persons_answers_to_one_item_the_first_counts_and_the_others_are_repeats(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("person,item,label\n" + "ann,q,a\n" * 6 + "bob,q,b\nbob,q,a\n")
    found = json.loads(people(path, "--json").stdout)
    assert (found["answers"], found["consensus_items"], found["agreement"]) == (8, 0, None)
    assert [(row["answers"], row["repeats"], row["consistency"]) for row in found["people"]] == [
        (6, 6, 1.0),
        (2, 2, 0.5),
    ]
    assert [row["gsb"] for row in found["people"]] == [1.0, -1.0]
    assert "agreement unknown, as no item has answers of three people." in people(path).stdout


def test_a_file_without_a_usable_row_says_why_and_names_of_columns_may_be_written_otherwise(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text(" Person , Question ID,LABEL\nann,q,a\n")
    assert json.loads(people(path, "--json").stdout)["people"][0]["person"] == "ann"
    path.write_text("name,question,label\nann,q,a\n")
    missing = "person: it is missing; one of the columns person, worker, annotator, voter"
    assert people(path).stderr.splitlines()[-1] == f"arena: {path}: none of 1 row can be used; line 2: {missing}"
    path.write_text("person,item,label\n")
    assert people(path).stderr == f"arena: {path}: there are no answers.\n"


def test_names_that_no_terminal_should_get_are_refused_or_printed_without_control_characters(tmp_path):
    path = tmp_path / "answers.jsonl"
    rows = [
        {"person": name, "item": "q", "label": "a", "area": f"{name}'s"} for name in ("\x1b[31mred", "\ud800", "a\0b")
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    for arguments in ((), ("--json",)):
        done = people(path, *arguments)
        assert done.returncode == 0, done.stderr
        assert "\x1b" not in done.stdout + done.stderr
        assert done.stderr.count("has a NUL or half of a surrogate pair") == 2
