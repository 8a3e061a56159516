"""Answers in the forms of many families show what their templates define, and sentences about marks lose nothing."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from tests.providers.marks.templates import ANSWERS, CALL, CALLS, MARKS, SENTENCES, THOUGHTS, answers
from tests.providers.marks.test_visible_text import read

QUESTIONS = ["What is 17 plus 25?", "Write a poem.", "怎么做蛋糕？", "Why do we have leap years?"]


def divided(text: str, rng: Random) -> list[str]:
    places = sorted({0, len(text), *(rng.randrange(len(text)) for _ in range(rng.randrange(9)))})
    return [text[start:end] for start, end in pairwise(places)]


def filled(template: str, thought: str, answer: str) -> str:
    return template.replace("{thought}", thought).replace("{call}", CALL).replace("{answer}", answer)


@pytest.mark.parametrize("template", answers().values(), ids=answers())
def test_an_answer_shows_what_its_template_defines(template):
    rng = Random(template)
    for thought in THOUGHTS:
        for answer in ANSWERS:
            raw = filled(template, thought, answer)
            text, visible, _ = read(divided(raw, rng), rng.choice(QUESTIONS))
            assert (text.strip(), visible.has_call) == (answer, False), raw


@pytest.mark.parametrize("template", CALLS.values(), ids=CALLS)
def test_a_tool_call_shows_nothing(template):
    rng = Random(template)
    for thought in THOUGHTS:
        raw = filled(template, thought, "")
        text, visible, _ = read(divided(raw, rng), rng.choice(QUESTIONS))
        assert (text.strip(), visible.has_call) == ("", True), raw


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize("question", ["What is 17 plus 25?", "How does it know where to stop?", "Which token is it?"])
def test_a_sentence_about_marks_loses_none(sentence, question):
    rng = Random(sentence)
    for mark in MARKS:
        raw = sentence.replace("{m}", mark).replace("{n}", rng.choice(MARKS))
        assert read(divided(raw, rng), question)[0] == raw
