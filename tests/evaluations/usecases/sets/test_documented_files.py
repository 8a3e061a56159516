"""The examples of docs/question_sets.md are read as it says."""

import re

from tests.evaluations.usecases.sets.files import read
from tests.paths import ROOT

EXAMPLES = dict(re.findall(r"```(jsonl|csv)\n(.*?)```", (ROOT / "docs/question_sets.md").read_text("utf-8"), re.DOTALL))


def test_the_example_of_our_own_format_gives_three_questions(tmp_path):
    found = read(tmp_path / "lenses.jsonl", EXAMPLES["jsonl"])
    assert found.facts.name == "lenses"
    assert [question.id for question in found.questions] == ["thin-1", "thin-2", "talk-1"]
    assert found.questions[1].key == "B"
    assert len(found.questions[2].turns) == 2
    assert found.refused == []


def test_the_example_with_columns_of_other_names_gives_two(tmp_path):
    columns = {"id": "Nr", "prompt": "Frage", "area": "Gebiet", "reference": "Lösung"}
    found = read(tmp_path / "sums.csv", EXAMPLES["csv"], columns=columns)
    assert [question.turns for question in found.questions] == [["What is 7 × 8?"], ["Name three primes below 10."]]
    assert found.questions[0].reference == "56"
    assert found.refused == []
