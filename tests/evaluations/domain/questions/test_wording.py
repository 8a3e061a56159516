"""The text of an endpoint as a closed question: what is read, and the reason where it is not."""

from __future__ import annotations

import json

import pytest

from arena.evaluations.domain.questions.wording import Unreadable, read_wording

OPTIONS = ["The Baltic", "Mount Etna", "The Rhine", "The Sahara"]
GOOD = {"question": "Which of these is a sea?", "options": OPTIONS, "answer": "A"}


def said(**changed: object) -> str:
    return json.dumps({**GOOD, **changed}, ensure_ascii=False)


@pytest.mark.parametrize(
    "text",
    [
        said(),
        f"Here it is:\n```json\n{said()}\n```\nI hope it helps.",
        f"A set {{A, B}} first. {said()}",
        said(options=[f"{letter}. {each}" for letter, each in zip("ABCD", OPTIONS, strict=True)]),
        said(options=dict(zip("DCBA", reversed(OPTIONS), strict=True))),
        said(options=" ".join(f"{letter}. {each}" for letter, each in zip("ABCD", OPTIONS, strict=True))),
        said(options="\n".join(f"{letter}．{each}" for letter, each in zip("ABCD", OPTIONS, strict=True))),
        said(answer="(A)"),
        said(answer="Ａ"),
        said(answer="A. the baltic"),
        json.dumps({"问题": GOOD["question"], "选项": OPTIONS, "答案": "A"}, ensure_ascii=False),
        json.dumps({"question": GOOD["question"], "choices": OPTIONS, "key": "A"}),
    ],
)
def test_all_shapes_of_one_question_are_the_same(text):
    found = read_wording(text)
    assert (found.question, found.options, found.key) == (GOOD["question"], OPTIONS, "A")


def test_a_line_break_within_a_string_is_read_as_models_write_it():
    found = read_wording('{"question": "First.\nThen?", "options": ["1", "2", "3", "4"], "answer": "D"}')
    assert (found.question, found.options, found.key) == ("First.\nThen?", ["1", "2", "3", "4"], "D")


def test_letters_within_options_stay():
    options = ["Vitamin A. It helps", "Vitamin B", "C. elegans", "D major"]
    assert read_wording(said(options=options)).options == options


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no JSON object with a question"),
        ("I cannot help with that.", "no JSON object with a question"),
        (said()[:-20], "no JSON object with a question"),
        pytest.param('{"a":' * 100_000, "no JSON object with a question", id="deep"),
        ('{"options": ["1"]}', "no JSON object with a question"),
        ('{"question": "Which?"}', "its object has no options"),
        (json.dumps({"question": "Which?", "options": OPTIONS}), "its object has no answer"),
        (said(options=OPTIONS[:3]), "it has 3 options, not 4"),
        (said(options=[*OPTIONS, "The moon"]), "it has 5 options, not 4"),
        (said(options=[*OPTIONS[:3], "the  BALTIC"]), "two options are the same"),
        (said(options=[*OPTIONS[:3], ["x"]]), "an option is no text"),
        (said(options=[*OPTIONS[:3], None]), "an option is no text"),
        (said(options=[*OPTIONS[:3], " "]), "options.3: blank"),
        (said(options=4), "its options are no list"),
        (said(options={"A": "x", "B": "y"}), "not lettered A to D"),
        (said(options="A. x B. y D. z C. u"), "not lettered in order"),
        (said(answer="E"), "not one letter"),
        (said(answer=""), "not one letter"),
        (said(answer="A, B"), "not one letter"),
        (said(answer="A、B"), "not one letter"),
        (said(answer="A. Mount Etna"), "not one letter"),
        (said(answer=1), "not one letter"),
        (said(answer=["A"]), "not one letter"),
        (said(question=" "), "question: blank"),
        (said(question=["x"]), "question: "),
        (said(question="Which?\nA. The Baltic\nB. Mount Etna"), "repeats the options"),
    ],
)
def test_a_text_that_is_none_has_a_reason(text, why):
    with pytest.raises(Unreadable, match=why):
        read_wording(text)
