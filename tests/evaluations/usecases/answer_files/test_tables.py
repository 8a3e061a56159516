"""Of a table only the columns that look like answers are models; tables of promptfoo and AlpacaEval are read."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from arena.domain.errors import Invalid
from arena.evaluations.usecases.answer_files.material_reader import read_material
from tests.cli.commands import run
from tests.evaluations.usecases.answer_files.test_logs import result

FILES = Path(__file__).parent / "files"
RESULTS = ("Status", "Score", "Named Scores", "Grader Reason", "Comment")
"""Columns after each model's, by `buildCsvHeaders` of promptfoo."""
GPT, CLAUDE = "[openai:gpt-4o] Answer: {{q}}", "[anthropic:claude] Answer: {{q}}"
QUESTIONS = ("What is 1+1?", "Name a sea.", "Who?", "Where?", "When?", "Why?")


def table(*rows):
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


def read(folder, content, name="table.csv"):
    (folder / name).write_text(content)
    return read_material([folder / name], "ours", wide=True)


def models(material):
    return sorted({answer.model for answer in material.answers})


def test_the_columns_of_results_of_promptfoo_are_no_models(tmp_path):
    header = ["question", GPT, *RESULTS, CLAUDE, *RESULTS]
    rows = [
        [q, f"{n}", "PASS", "1.00", "{}", "All passed", "", f"{n}!", "FAIL", "0.00", "{}", "No", ""]
        for n, q in enumerate(QUESTIONS)
    ]
    material = read(tmp_path, table(header, *rows))
    assert models(material) == sorted([GPT, CLAUDE])
    assert (len(material.questions), len(material.answers), material.refused) == (6, 12, [])


def test_one_model_of_promptfoo_has_nobody_to_be_compared_with(tmp_path):
    rows = [[question, f"{n}", "PASS", "1.00", "{}", "All passed", ""] for n, question in enumerate(QUESTIONS)]
    with pytest.raises(Invalid, match="two or more models"):
        read(tmp_path, table(["question", GPT, *RESULTS], *rows))


def test_marks_of_earlier_tables_of_promptfoo_are_taken_off(tmp_path):
    rows = [[q, f"[PASS] (1.00) Out {n}", f"[FAIL] (0.00) Two {n}"] for n, q in enumerate(QUESTIONS)]
    material = read(tmp_path, table(["question", GPT, CLAUDE], *rows))
    assert {answer.texts[0] for answer in material.answers if answer.model == GPT} == {f"Out {n}" for n in range(6)}
    own = read(tmp_path, table(["question", "x", "y"], ["q", "[PASS] is a mark", "plain"], ["r", "no mark", "plain"]))
    assert own.answers[0].texts == ["[PASS] is a mark"]


@pytest.mark.parametrize(
    ("name", "cells", "reason"),
    [
        ("score", ["7", "8", "9", "7", "8", "9"], "its name is that of a result"),
        ("judge", ["PASS", "FAIL", "PASS", "", "error", "FAIL"], "its cells are results such as 'PASS'"),
        ("metric", ["0.25", "1.00", ".5", "0.75", "0.1", "0.9"], "its cells are results such as '0.25'"),
        ("details", ['{"a": 1}', "{}", "{}", '{"b": 2}', "{}", "{}"], "its cells are results such as"),
        ("unused", [""] * 6, "its cells are empty"),
    ],
)
def test_a_column_without_answers_is_named_and_is_no_model(tmp_path, name, cells, reason):
    answers = [[question, f"a{n}", f"b{n}"] for n, question in enumerate(QUESTIONS)]
    rows = [[*answer, cell] for answer, cell in zip(answers, cells, strict=True)]
    material = read(tmp_path, table(["question", "x", "y", name], *rows))
    assert models(material) == ["x", "y"]
    (refused,) = material.refused
    assert str(refused).startswith(f"table.csv, line 1: column {name!r} is no model: {reason}")
    with pytest.raises(Invalid, match=r"fewer than two columns look like answers of a model; .* is no model"):
        read(tmp_path, table(["question", "x", name], *([row[0], row[1], row[3]] for row in rows)))


SHORT = [["42", "The Baltic."], ["4", "5"], ["yes", "no"], ["No."] * 6, ["1999", "2.5 million"]]


@pytest.mark.parametrize("cells", SHORT)
def test_short_answers_are_answers(tmp_path, cells):
    rows = [[f"q {n}", cell, f"It is {cell}."] for n, cell in enumerate(cells)]
    material = read(tmp_path, table(["question", "old", "new"], *rows))
    assert models(material) == ["new", "old"]
    assert material.refused == []


@pytest.mark.parametrize("prompts", [1, 2])
def test_lines_of_promptfoo_are_read_like_its_document(tmp_path, prompts):
    rows = [result(place, {"q": question}, f"{place} {question}") for question in QUESTIONS for place in range(prompts)]
    rows += [{**row, "provider": {"id": "other"}} for row in rows]
    lines = read(tmp_path, "\n".join(map(json.dumps, rows)), "out.jsonl")
    whole = {"evalId": "e", "results": {"version": 3, "timestamp": "t", "results": rows}}
    document = read(tmp_path, json.dumps(whole), "out.json")
    assert lines.questions == document.questions
    assert lines.answers == document.answers
    assert len(models(lines)) == 2 * prompts


@pytest.mark.parametrize("kind", ["json", "jsonl", "csv"])
def test_what_promptfoo_itself_has_written_is_read(kind):
    """Of promptfoo 0.121.20: one prompt with a variable `q`, the provider `echo` and a command, both with labels."""
    material = read_material([FILES / f"promptfoo.{kind}"], "ours", wide=True)
    labels = {name.partition("]")[0].removeprefix("[") for name in models(material)}
    assert labels == {"parrot", "cat"}
    assert {question.turns[0] for question in material.questions} == {"one, two", 'a "quoted" word', "three"}
    assert (len(material.answers), material.refused) == (6, [])


def test_outputs_of_alpaca_eval_are_answers_of_their_generators(tmp_path):
    rows = [
        {"instruction": q, "output": f"{m} {q}", "generator": m, "dataset": "helpful"} for q in QUESTIONS for m in "AB"
    ]
    material = read(tmp_path, json.dumps(rows), "model_outputs.json")
    assert models(material) == ["A", "B"]
    assert material.answers[0].texts == ["A What is 1+1?"]


@pytest.mark.parametrize("form", [json.dumps, lambda rows: "\n".join(map(json.dumps, rows))])
def test_json_of_no_format_is_named_once_with_its_fields_and_the_formats_that_are_read(tmp_path, form):
    rows = [{"doc_id": n, "doc": {"text": "q"}, "resps": [["x"]]} for n in range(3)]
    with pytest.raises(Invalid) as refusal:
        read(tmp_path, form(rows), "samples.jsonl")
    said = str(refusal.value)
    assert "samples.jsonl: nobody knows the format of this file, whose fields are 'doc_id', 'doc', 'resps';" in said
    for name in ("MT-bench", "Inspect", "promptfoo", "AlpacaEval", "question, model and answer"):
        assert name in said
    assert said.count("whose fields") == 1


def test_the_command_shows_the_models_and_one_pair_before_the_links(tmp_path):
    (tmp_path / "t.csv").write_text(table(["question", "old", "new", "score"], ["A sea?", "The Baltic.", "Many.", "3"]))
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    done = run("compare", str(tmp_path / "t.csv"), **settings)
    assert done.returncode == 0
    *_, subject, old, new, warning = done.stderr.splitlines()
    assert [subject, old, new] == ["For example 'A sea?':", "  old: 'The Baltic.'", "  new: 'Many.'"]
    assert "Only this machine can open these links" in warning
    assert "column 'score' is no model" in done.stderr
    assert "old against new" in done.stdout
