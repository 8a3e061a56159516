from __future__ import annotations

import re

import pytest

from arena.providers.demo.knowledge import shelf
from arena.providers.demo.talk import Tongue
from tests.providers.demo.talking import ask, han_share


@pytest.mark.parametrize(
    ("prompt", "fact"),
    [
        ("What is photosynthesis?", "6 CO₂"),
        ("why is the sky blue at noon but red at sunset?", "Rayleigh"),
        ("write a Python function that reverses a string", "```python"),
        ("Write a Python function that merges overlapping intervals, with two examples.", "def merge"),
        ("what's the capital of france?", "Paris"),
        ("Who wrote Hamlet?", "Shakespeare"),
        ("how tall is mount everest", "8,848"),
        ("Explain recursion", "factorial"),
        ("difference between TCP and UDP", "**UDP**"),
        ("My bank account was locked, says a text message with a link", "back of your card"),
        ("什么是光合作用？", "叶绿素"),
        ("为什么天是蓝的", "瑞利散射"),
        ("用Python写一个反转字符串的函数", "```python"),
        ("法国的首都是哪里？", "巴黎"),
        ("李白是谁", "诗仙"),
        ("唐朝有哪些著名诗人", "杜甫"),
        ("红烧肉怎么做", "五花肉"),
        ("收到短信说银行账户被冻结，要我点链接验证，该怎么办？", "96110"),
        ("鸡兔同笼，头35，脚94", "兔 12 只"),
    ],
)
async def test_known_things_are_found(prompt: str, fact: str) -> None:
    assert fact in await ask("librarian", prompt)


@pytest.mark.parametrize(
    "prompt", ["How do I fix a bike?", "who is the president of Mars", "blockchain", "best restaurants in Oslo"]
)
async def test_unknown_things_are_admitted_with_what_is_there_instead(prompt: str) -> None:
    answer = await ask("librarian", prompt)

    assert "I do not know" in answer
    assert len(re.findall(r"^- ", answer, re.MULTILINE)) == 3


@pytest.mark.parametrize("prompt", ["怎么修自行车", "谁是现任总统", "给我讲讲区块链"])
async def test_unknown_things_are_admitted_in_chinese(prompt: str) -> None:
    assert "我不知道" in await ask("librarian", prompt)


async def test_a_follow_up_leans_on_the_question_before() -> None:
    assert "Berlin" in await ask("librarian", "What is the capital of France?", "and of Germany?")
    assert "def quicksort" in await ask("librarian", "写一个冒泡排序", "换成快速排序呢")


async def test_more_never_repeats_what_was_told() -> None:
    first = await ask("librarian", "What is a black hole?")
    second = await ask("librarian", "What is a black hole?", "tell me more")
    third = await ask("librarian", "What is a black hole?", "tell me more", "more")

    assert "event horizon" in first
    assert "event horizon" not in second + third
    assert second.splitlines()[-1] != third.splitlines()[-1]


@pytest.mark.parametrize("tongue", Tongue)
async def test_every_article_is_found_by_its_own_titles(tongue: Tongue) -> None:
    missed = [
        title
        for article in shelf(tongue).articles
        for title in article.titles[:1]
        if tongue is Tongue.EN or not title.isascii()
        if article.text[:40] not in await ask("librarian", title)
    ]

    assert missed == []


@pytest.mark.parametrize("tongue", Tongue)
def test_every_article_is_complete(tongue: Tongue) -> None:
    articles = shelf(tongue).articles

    assert len(articles) >= 150
    for article in articles:
        assert article.titles, article
        assert len(article.text) > 30, article
        assert article.text.count("```") in {0, 2}, article
        assert (han_share(article.text) > 0.25) is (tongue is Tongue.ZH), article
        assert not re.search(r"<[A-Za-z/!?]|!\[|https?://|\n---|\+\+\+|@@", article.text), article
    assert len({article.text for article in articles}) == len(articles)
