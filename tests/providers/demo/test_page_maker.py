"""The scripted models make three pages, in two styles and languages, and change the one that they have made."""

from __future__ import annotations

import pytest

from arena.domain.web_pages.document import Missing, WebPage, find_page
from arena.domain.web_pages.wanted_files import wanted_files
from arena_providers.base import Target
from arena_providers.demo.page_maker import can_make, page_answer, page_script
from arena_providers.demo.practice_models import DemoProvider
from arena_providers.page_request import with_instruction
from arena_providers.terms import Message, Role

ASKED = {
    "en": ("Make a clock", "Draw a bar chart of 3, 7 and 5", "A game to guess a number"),
    "zh": ("做一个时钟", "把 3、7、5 画成柱状图", "做一个猜数字的游戏"),
}


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize(
    ("language", "prompt"), [(code, prompt) for code, prompts in ASKED.items() for prompt in prompts]
)
def test_each_page_is_one_whole_document_without_files_in_the_language_of_its_prompt(language, prompt, place):
    page = find_page(page_answer([prompt], place))
    assert isinstance(page, WebPage)
    assert not page.cut
    assert f'<html lang="{language}">' in page.source
    assert "@" not in page.source.replace("@media", "")
    assert wanted_files(page.source) == 0


def test_the_two_styles_differ_and_share_no_style_sheet():
    assert page_answer(["a clock"], 0) != page_answer(["a clock"], 1)


def test_a_chart_shows_the_numbers_of_its_prompt():
    assert "const values = [12, 8.5];" in page_answer(["a chart of 12 and 8.5"], 0)


def test_a_follow_up_changes_the_page_made_before():
    first, dark = (page_answer(prompts, 1) for prompts in (["a clock"], ["a clock", "make it dark"]))
    assert page_script().dark_style in dark
    assert page_script().dark_style not in first
    assert "<title>Clock</title>" in dark


@pytest.mark.parametrize("prompt", ["A page about whales", "介绍鲸鱼的网页"])
def test_whatever_else_is_asked_for_is_answered_in_words(prompt):
    assert not can_make(prompt)
    assert find_page(page_answer([prompt], 0)) is Missing.NONE


@pytest.mark.parametrize(("asked", "page"), [("a clock", False), (with_instruction("a clock"), True)])
async def test_only_a_request_with_the_instruction_is_one_for_a_page(asked, page):
    target = Target(dialect="scripted", url="", wire_model="brief")
    stream = DemoProvider(wait=0).stream(target, [Message(Role.USER, asked)])
    text = "".join([chunk.text async for chunk in stream if chunk.text])
    assert isinstance(find_page(text), WebPage) is page
