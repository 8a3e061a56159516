"""Pairs of answers of an evaluation, by people's judgements."""

import json

import pytest

from arena.domain.errors import Invalid
from arena.domain.schemas.questions import QuestionView
from arena.evaluations.usecases import importer
from arena.evaluations.usecases.reports.pairs import export_pairs
from tests.conftest import START
from tests.evaluations.usecases.populated import add_evaluation

QUESTIONS = [QuestionView(id="one", turns=["How many?"]), QuestionView(id="two", turns=["Where?", "And then?"])]
MODELS = ["gull", "heron"]


async def add_rows(database, folder, rows, **options):
    (folder / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    done = await importer.import_file(database, "taste", folder / "rows.jsonl", START, **options)
    assert done.refused == []


def said(question, outcome, annotator, sides=("gull", "heron")):
    return {"question": question, "a": sides[0], "b": sides[1], "annotator": annotator, "outcome": outcome}


@pytest.mark.sqlite
async def test_each_judgement_of_a_person_for_one_answer_is_a_pair(database, tmp_path):
    await add_evaluation(database, questions=QUESTIONS, models=(), others=MODELS, protocol="pairwise")
    answers = [
        {
            "question": question.id,
            "model": model,
            "answers": [f"{model} {place}" for place in range(len(question.turns))],
        }
        for question in QUESTIONS
        for model in MODELS
    ]
    await add_rows(database, tmp_path, answers)
    people = [
        said("one", "a", "ada"),
        said("one", "a", "bob", sides=("heron", "gull")),
        said("one", "tie", "cyd"),
        said("two", "b", "ada"),
        said("two", "both_bad", "bob"),
        said("two", "skip", "cyd"),
    ]
    await add_rows(database, tmp_path, people)
    await add_rows(database, tmp_path, [said("two", "a", "judge")], team="model")
    lines, counts = await export_pairs(database, "taste")
    rows = list(map(json.loads, lines))
    assert counts == {"written": 3, "tie": 1, "both_bad": 1, "skip": 1}
    assert [(row["prompt"][0]["content"], row["chosen_model"], row["rejected_model"]) for row in rows] == [
        ("How many?", "gull", "heron"),
        ("How many?", "heron", "gull"),
        ("Where?", "heron", "gull"),
    ]
    assert [message["content"] for message in rows[2]["chosen"]] == ["heron 0", "And then?", "heron 1"]
    assert [message["content"] for message in rows[2]["rejected"]] == ["gull 0", "And then?", "gull 1"]
    assert "judge" not in b"".join(lines).decode()


@pytest.mark.sqlite
async def test_an_evaluation_without_comparisons_has_no_pairs(database):
    await add_evaluation(database, questions=QUESTIONS, models=(), others=MODELS, protocol="score")
    with pytest.raises(Invalid, match="nobody compares two answers"):
        await export_pairs(database, "taste")
