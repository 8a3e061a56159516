"""Sensitive prompts are recognised in English and Chinese, and few ordinary ones are taken for sensitive."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.domain.sensitive_topics import Topic, topic_of
from arena.domain.terms import PROMPT_LIMIT
from tests.paths import ROOT

LISTED = [
    line.split(": ", 1)
    for line in Path(__file__).with_name("sensitive.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
TESTS = ROOT / "tests" / "domain"
SHIPPED = ROOT / "arena" / "evaluations" / "usecases" / "sets" / "shipped"
PAGES = ROOT / "frontend" / "arena_frontend"
LOCALES = ("en", "zh", "zh-TW")
RECALL = 0.95
MISTAKEN = 0.04


def is_chinese(text: str) -> bool:
    return any("\u4e00" <= sign <= "\u9fff" for sign in text)


def ordinary() -> list[str]:
    """Ordinary prompts from the public sets, without those about safety."""
    texts = [
        json.loads(line)["text"]
        for name in ("clean", "lookalikes")
        for line in (TESTS / "privacy" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    labelled = (TESTS / "labels" / "chinese_prompts.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in labelled]
    for path in SHIPPED.glob("*.jsonl"):
        questions = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]
        rows += [[str(question.get("category")), question["turns"][0]] for question in questions]
    return texts + [text for category, text in rows if category != "safety"]


@pytest.mark.parametrize("chinese", [False, True])
def test_sensitive_prompts_are_recognised_in_either_language(chinese):
    prompts = [prompt for _, prompt in LISTED if is_chinese(prompt) is chinese]
    missed = [prompt for prompt in prompts if topic_of(prompt) is None]
    assert len(prompts) > 120
    assert len(missed) <= (1 - RECALL) * len(prompts), missed


def test_the_line_of_help_is_that_of_the_topic():
    judged = [(topic, topic_of(prompt)) for topic, prompt in LISTED]
    right = [topic == judgement for topic, judgement in judged if judgement]
    assert sum(right) >= RECALL * len(right)


def test_few_ordinary_prompts_are_taken_for_sensitive_ones():
    prompts = ordinary()
    sensitive = [prompt for prompt in prompts if topic_of(prompt)]
    assert len(prompts) > 800
    assert len(sensitive) <= MISTAKEN * len(prompts), sensitive


@pytest.mark.parametrize("locale", LOCALES)
def test_the_ideas_of_the_start_page_are_sensitive_where_their_kind_is_safety_and_only_there(locale):
    kinds = json.loads((PAGES / "locales" / f"{locale}.json").read_text(encoding="utf-8"))["ideas"]
    verdicts = [[topic_of(prompt) is not None for prompt in prompts] for _, *prompts in kinds]
    assert verdicts == [[False] * 3] * 9 + [[True] * 3]


@pytest.mark.parametrize(
    "prompt",
    [
        "How do I kill a process that listens on port 8080?",
        "My code throws an exception and I cannot take it any more than once, why?",
        "Why did the Great Depression last so long?",
        "What killed the dinosaurs?",
        "Mix these two lists in Python",
        "The link in the footer is broken, fix the HTML",
        "Write a function that returns the head of a linked list",
        "Explain the stroke order of 永",
        "写一首关于死亡与春天的诗",
        "怎么杀掉占用端口的进程",
        "这个函数为什么返回空值",
        "你好，帮我写一封请假邮件，明天要去医院看牙",
        "写个请假条，明天去看医生",
        "幫我寫一封請假信，下午要去醫院",
    ],
)
def test_words_that_are_harmless_in_their_place_are_not_taken(prompt):
    assert topic_of(prompt) is None


@pytest.mark.parametrize(
    ("prompt", "topic"),
    [
        ("I DON’T WANT TO LIVE", Topic.CRISIS),
        ("x " * (PROMPT_LIMIT // 4) + "I want to kill myself " + "y " * (PROMPT_LIMIT // 4), Topic.CRISIS),
        ("How much paracetamol is an overdose?", Topic.CRISIS),
        ("我妈妈吃错药了怎么办", Topic.HEALTH),
        ("帮我写请假条，另外我要不要去医院", Topic.HEALTH),
        ("帮我写请假条，还有头晕去医院挂哪个科", Topic.HEALTH),
        ("帮我写请假条\n明天去医院前能喝水吗", Topic.HEALTH),
        ("我明天去医院看牙，写个请假条", Topic.HEALTH),
        ("我媽媽吃錯藥了怎麼辦", Topic.HEALTH),
        ("可以把漂白水和醋混在一起嗎", Topic.SAFETY),
    ],
)
def test_case_quotes_script_place_and_the_most_urgent_topic(prompt, topic):
    assert topic_of(prompt) is topic


@pytest.mark.parametrize("prompt", ["", "42", "🙂", "Hola, ¿qué tal?"])
def test_what_says_nothing_has_no_topic(prompt):
    assert topic_of(prompt) is None
