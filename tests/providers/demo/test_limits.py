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


NEWS = (
    "The council voted on Tuesday to extend free bus travel until the end of next year, citing a rise in ridership, "
    "although two members warned of the cost of 1.4 million."
)
SHOP = (
    "Due to illness in the team, our shop will have to close earlier than usual this Friday, at 2 pm rather than 6 pm, "
    "and we would like to apologise to all customers."
)


@pytest.mark.parametrize(
    ("prompt", "result"),
    [
        (
            f"Summarize this in one sentence: {NEWS}",
            "The council voted on Tuesday to extend free bus travel until the end of next year.",
        ),
        (f"Shorten this to under 25 words: {SHOP}", "Our shop will have to close earlier than usual this Friday."),
        (
            "用一句话概括：本市地铁6号线昨日正式动工，全长约18公里，共设车站13座，预计2028年底通车。",
            "本市地铁6号线昨日正式动工。",
        ),
    ],
)
def test_a_given_text_is_cut_to_its_main_clause_and_what_fits_behind_it(prompt: str, result: str) -> None:
    short, thorough = answer(read(prompt))
    assert short == result
    assert thorough.startswith(result[:-1])
    assert len(thorough.split()) <= 25
    assert len(thorough) > len(short)


@pytest.mark.parametrize(
    ("prompt", "most"), [("explain gravity in under 30 words", 30), ("通货膨胀是什么，50字以内", 50)]
)
def test_no_answer_has_more_words_than_asked_for(prompt: str, most: int) -> None:
    for text in answer(read(prompt)):
        assert 0 < len(re.findall(r"[\u4e00-\u9fff]|[a-zA-Z]+", text)) <= most


@pytest.mark.parametrize(
    "prompt",
    [
        f"Summarize this in French in one sentence: {NEWS}",
        f"Summarize this in two sentences: {NEWS}",
        "explain inflation in three sentences",
        "Center a div in CSS, in one sentence",
        "what is gravity in under 2 words",
    ],
)
def test_a_length_that_an_answer_does_not_have_is_refused(prompt: str) -> None:
    assert not can_answer(prompt)
