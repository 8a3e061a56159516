"""The length that a prompt asks for is kept by both answers, or the prompt is refused."""

from __future__ import annotations

import re

import pytest

from arena_providers.demo.script import read
from arena_providers.demo.skills import answer, can_answer


@pytest.mark.parametrize(
    "prompt", ["Explain black holes in one sentence", "用一句话解释黑洞", "what is a black hole? use only one sentence"]
)
def test_one_sentence_is_one_sentence(prompt: str) -> None:
    short, thorough = answer(read(prompt))
    assert short != thorough
    for text in (short, thorough):
        assert len(re.findall(r"[.!?。！？]", text)) == 1


@pytest.mark.parametrize(
    ("prompt", "most"), [("explain gravity in under 30 words", 30), ("通货膨胀是什么，50字以内", 50)]
)
def test_no_answer_has_more_words_than_asked_for(prompt: str, most: int) -> None:
    for text in answer(read(prompt)):
        assert 0 < len(re.findall(r"[\u4e00-\u9fff]|[a-zA-Z]+", text)) <= most


@pytest.mark.parametrize(
    "prompt",
    [
        "explain inflation in three sentences",
        "Center a div in CSS, in one sentence",
        "what is gravity in under 2 words",
    ],
)
def test_a_length_that_an_answer_does_not_have_is_refused(prompt: str) -> None:
    assert not can_answer(prompt)
