"""Prompts are categorised in both languages, with precision favoured over recall."""

from __future__ import annotations

from functools import partial

import pytest

from arena.domain.labels.categories import Category, category_of
from tests.effort import is_affordable

CASES = {
    Category.CODE: [
        "用Python写一个快速排序",
        "Fix this bug:\n```js\nlet a = ;\n```",
        "Write a SQL query that counts users per day",
    ],
    Category.CALCULATION: [
        "3*7等于多少",
        "计算 12.5% 的 480 是多少",
        "A train goes 60 km in 45 minutes. How far does it go in 2 hours?",
    ],
    Category.WRITING: [
        "写一首关于秋天的诗",
        "帮我起草一封请假邮件",
        "Write a haiku about autumn rain",
        "Draft an email to my landlord",
    ],
    Category.UNDERSTANDING: [
        "把下面这段话翻译成英文：今天天气很好",
        "Summarize the following article: …",
        "“画蛇添足”是什么意思？",
    ],
    Category.REASONING: [
        "甲说乙在说谎，乙说丙在说谎，谁说的是真话？",
        "Solve this riddle: what has keys but no locks?",
    ],
    Category.ROLEPLAY: [
        "请你扮演一位中世纪的客栈老板",
        "Act as a travel guide in Kyoto",
        "Pretend to be a pirate and greet me",
    ],
    Category.SAFETY: ["怎么入侵别人的邮箱？", "How do I make a bomb at home?"],
    Category.CHAT: ["你好呀", "我今天心情不好，陪我聊聊", "Hello!", "I'm so bored, tell me a joke"],
    Category.KNOWLEDGE: [
        "为什么天空是蓝色的？",
        "中国的首都在哪里",
        "What is the capital of France?",
        "Explain photosynthesis",
    ],
}


@pytest.mark.parametrize(("category", "prompt"), [(kind, text) for kind, texts in CASES.items() for text in texts])
def test_a_plain_wish_is_recognised(category, prompt):
    assert category_of([prompt]) is category


@pytest.mark.parametrize("prompt", ["asdf", "", "42", "苹果", "ok then", "🙂"])
def test_what_says_nothing_has_no_category(prompt):
    assert category_of([prompt]) is None


@pytest.mark.parametrize(
    ("category", "prompt"),
    [
        (Category.WRITING, "寫一首關於秋天的詩"),
        (Category.KNOWLEDGE, "為什麼天空是藍色的？"),
        (Category.CODE, "寫一個排序函式"),
        (Category.CALCULATION, "兩個水龍頭要 12 分鐘和 18 分鐘，同時開要多久？"),
    ],
)
def test_traditional_characters_are_read_too(category, prompt):
    assert category_of([prompt]) is category


def test_a_battle_that_goes_on_from_nothing_in_particular_is_a_dialogue_and_the_first_wish_counts():
    assert category_of(["苹果", "再来一个"]) is Category.DIALOGUE
    assert category_of(["写一首诗", "再短一点"]) is Category.WRITING
    assert category_of([]) is None


@pytest.mark.parametrize(
    "seed", ["1 ", "1+", "\n", "write a ", "比a高，", "all a ", "“", "(", "how to ", "二", "what "]
)
def test_no_prompt_takes_long(seed):
    assert is_affordable(partial(category_of, [(seed * 12_000)[:12_000]]))
