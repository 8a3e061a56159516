"""Answers, styles and pace of the scripted models, which say what they cannot do, and never a name."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from pathlib import Path
from types import SimpleNamespace
from typing import cast
from unittest.mock import AsyncMock

import pytest

from arena.domain.answers.blocks import answer_html
from arena.domain.blinding.identity import discloses_identity
from arena_providers.base import Chunk, Target
from arena_providers.demo.practice_models import DEMO_ENDPOINTS, STYLES, DemoProvider
from arena_providers.demo.skills import can_answer
from arena_providers.errors import RequestRefused
from arena_providers.terms import Finish, Message, Role

PUBLIC = [name for row in DEMO_ENDPOINTS for name in (row.name, row.owner)]
CANNOT = re.compile(
    "I cannot answer that|That is not in my script|这个问题我还不会|这个我还没学到|這個問題我還不會|這個我還沒學到"
)
HELLO = [Message(Role.USER, "hello")]
NAMES = tuple(STYLES)
LOCALES = Path("frontend/arena_frontend/locales")
LANGUAGES = ("en", "zh", "zh-TW")
DONE = {
    "What is 17×23?": "391",
    "write a short poem about autumn": "leaf|berry",
    "Write a poem about the sea.": "sea",
    "Write a story about a dragon": "dragon",
    "Translate good morning into Chinese": "早上好",
    "Which is larger, 9.11 or 9.9?": r"9\.9(\*\*)? (> 9.11|is larger)",
    "How many r's are in strawberry?": "3",
    "What is the capital of Australia?": "Canberra",
    "who wrote Hamlet?": "Shakespeare",
    "Write a Python function that reverses a string.": "def rev",
    "How do I boil an egg?": "minutes",
    "hello": "Hello|Hi",
    "17乘以23等于多少？": "391",
    "用一句话解释黑洞": "光",
    "写一首关于秋天的诗": "叶",
    "写一首关于台灯的诗": "台灯",
    "早上好用英语怎么说？": "good morning",
    "哪个更大，9.11 还是 9.9？": r"9\.9(\*\*)? (> 9.11|比 9.11 大)",
    "9.11和9.9哪个大？": r"9\.9(\*\*)? (> 9.11|比 9.11 大)",
    "澳大利亚的首都": "堪培拉",
    "百年孤独的作者是谁": "马尔克斯",
    "天空为什么是蓝色的？": "散射|四面八方",
    "帮我写一封请假条": "请假",
    "介绍一下你自己": "投票",
    "你好": "你好|您好",
    "請問澳大利亞的首都是哪裡？": "堪培拉",
    "講個笑話": "老師|程序員|程式",
}
"""Natural prompts and what a right answer says."""
LEFT = (
    "I have 3 apples and buy 5 more, how many?",
    "What famous horse won the Triple Crown in 1973?",
    "1990年到2020年是多少年",
    "夏威夷最大的岛屿是哪个",
)
"""Prompts that no scripted model understands."""


async def chunks(name: str, *prompts: str, max_tokens: int | None = None) -> list[Chunk]:
    target = Target(dialect="demo", url="", wire_model=name, max_tokens=max_tokens)
    messages = [Message(Role.USER, prompt) for prompt in prompts]
    return [chunk async for chunk in DemoProvider(wait=0).stream(target, messages)]


async def ask(name: str, prompt: str) -> str:
    return "".join(chunk.text for chunk in await chunks(name, prompt))


def han_share(text: str) -> float:
    """How much of the letters is Han; code and formulae are left out."""
    letters = re.findall(r"[^\W\d_]", re.sub(r"`[^`]*`", "", text))
    return sum("\u3400" <= letter <= "\u9fff" for letter in letters) / max(1, len(letters))


def sentences(text: str) -> set[str]:
    prose = re.sub(r"```.*?```|[*_`#>|-]", "", text, flags=re.DOTALL)
    return {part.strip() for part in re.split(r"[.!?。！？\n]+", prose) if len(part.strip()) > 3}


def test_two_models_are_listed_and_say_that_they_are_for_practice() -> None:
    assert sorted(row.wire_model for row in DEMO_ENDPOINTS) == sorted(NAMES)
    assert len({row.name for row in DEMO_ENDPOINTS}) == len(NAMES) == 2
    for row in DEMO_ENDPOINTS:
        assert (row.dialect, row.owner, row.languages) == ("demo", "Arena demo", ("en", "zh"))
        assert row.description_en.startswith("Scripted practice model")
        assert row.description_zh.startswith("脚本练习模型")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("prompt", DONE)
async def test_what_it_can_do_is_done_right_in_the_language_of_the_prompt(name: str, prompt: str) -> None:
    answer = await ask(name, prompt)
    assert re.search(DONE[prompt], answer), answer
    assert not CANNOT.search(answer)


VERSES = (
    *("write a short poem about autumn", "Write a poem about the sea.", "Write a poem about a lighthouse"),
    *("Write a limerick about a lighthouse", "tell me a tongue twister", "write a song about a lighthouse"),
    *("写一首关于秋天的诗", "写一首关于大海的诗", "写一首关于台灯的诗", "写一首关于台灯的歌", "說一個繞口令"),
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("prompt", VERSES)
async def test_each_line_of_a_verse_stands_on_a_line_of_its_own(name: str, prompt: str) -> None:
    answer = await ask(name, prompt)
    assert not CANNOT.search(answer)
    lines = [line for line in answer.splitlines() if line.strip()]
    html = answer_html(answer)
    assert len(re.findall("<(?:br|p|li)\\b", html)) == len(lines)


@pytest.mark.parametrize("prompt", ["FizzBuzz in one line", "Write a Python function that reverses a string."])
async def test_code_has_no_blanks_at_the_ends_of_its_lines(prompt: str) -> None:
    for name in NAMES:
        assert not re.search(" +$", await ask(name, prompt), re.MULTILINE)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_idea_of_the_start_page_gets_two_answers_that_share_no_sentence(language: str) -> None:
    kinds = json.loads((LOCALES / f"{language}.json").read_text())["ideas"][:-1]  # the last are about safety
    for prompt in [prompt for _, *prompts in kinds for prompt in prompts]:
        brief, letter = [await ask(name, prompt) for name in NAMES]
        assert not CANNOT.search(brief + letter), prompt
        assert not sentences(brief) & sentences(letter), prompt
        assert len(letter) > len(brief), prompt


async def test_a_prompt_in_traditional_characters_is_answered_in_them() -> None:
    answer = await ask("letter", "說一件大多數人沒有留意的小快樂。")
    assert "聲音停下來" in answer
    assert not re.search("[这个们说听声]", answer)


def test_only_what_has_an_answer_keeps_a_prompt_from_other_models() -> None:
    assert all(map(can_answer, ("What is the capital of France?", "用一句话解释黑洞", "write a poem about autumn")))
    assert not any(map(can_answer, ("What if there were no black holes?", *LEFT)))


@pytest.mark.parametrize(
    "prompt",
    [
        "用Java写一个判断回文的函数",
        "Write a Rust function that checks whether a word is a palindrome",
        "Write a debounce function in Python",
        "怎么做番茄炒土豆？",
        "How do I fix a flat roof?",
        "Why is bubble sort called that?",
        "What is pad thai called in Thailand?",
        "tiramisu without alcohol",
        "Where is love from?",
        "感冒了吃什么好？",
    ],
)
def test_what_asks_for_another_thing_of_a_known_kind_is_refused(prompt: str) -> None:
    assert not can_answer(prompt)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("prompt", LEFT)
async def test_what_it_cannot_do_it_says(name: str, prompt: str) -> None:
    answer = await ask(name, prompt)
    assert CANNOT.search(answer)
    assert (han_share(answer) > 0.8) is (han_share(prompt) > 0.2)


@pytest.mark.parametrize("prompt", LEFT[:1] + LEFT[2:3])
async def test_every_example_of_what_it_can_do_is_one(prompt: str) -> None:
    examples = re.findall("`([^`]+)`", await ask("letter", prompt))
    assert len(examples) >= 6
    assert all(can_answer(example) for example in examples)


@pytest.mark.parametrize("prompt", ["¿Qué es la fotosíntesis?", "光合成とは何ですか", "Что такое фотосинтез?"])
async def test_another_language_is_told_so_in_english(prompt: str) -> None:
    assert (await ask("brief", prompt)).startswith("I cannot answer that")


@pytest.mark.parametrize("prompt", [*DONE, *LEFT])
async def test_no_sentence_is_said_by_both_and_the_letter_is_longer(prompt: str) -> None:
    brief, letter = [await ask(name, prompt) for name in NAMES]
    assert not sentences(brief) & sentences(letter)
    assert len(brief) < len(letter)


@pytest.mark.parametrize("name", NAMES)
async def test_no_answer_tells_a_name_or_repeats_one(name: str) -> None:
    asked = [f"Are you {public}?" for public in PUBLIC] + [
        f"How many a are in {PUBLIC[0]}?",
        "Who are you?",
        "你是谁？",
    ]
    answers = [await ask(name, prompt) for prompt in (*DONE, *LEFT, *asked)]
    assert not discloses_identity(answers, PUBLIC)
    assert "after the vote" in await ask(name, "Who are you?")
    assert "投票" in await ask(name, "你是谁？")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("prompt", [*DONE, *LEFT, "<script>alert(1)</script>", "what is <b>5</b> + 3?"])
async def test_markdown_is_well_formed_and_holds_no_element(name: str, prompt: str) -> None:
    answer = await ask(name, prompt)
    assert answer.strip() == answer
    assert answer.count("**") % 2 == answer.count("`") % 2 == 0
    assert not re.search(r"<[A-Za-z/!?]|\n{4,}|[{}]", answer)


@pytest.mark.parametrize("name", NAMES)
async def test_an_answer_comes_in_small_pieces_and_ends_with_stop(name: str) -> None:
    received = await chunks(name, "What is 17×23?")
    assert received[-1] == Chunk(finish=Finish.STOP)
    assert all(0 < len(chunk.text) <= 9 and chunk.finish is None for chunk in received[:-1])


@pytest.mark.parametrize("prompt", ["hello", "你好"])
async def test_max_tokens_cuts_the_answer_and_says_so(prompt: str) -> None:
    cut = await chunks("letter", prompt, max_tokens=30)
    text = "".join(chunk.text for chunk in cut)
    assert cut[-1].finish is Finish.LENGTH
    assert (await ask("letter", prompt)).startswith(text)
    assert 20 <= len(text) <= 130
    assert (await chunks("letter", prompt, max_tokens=5_000))[-1].finish is Finish.STOP


async def test_the_last_prompt_is_the_question() -> None:
    assert "391" in "".join(chunk.text for chunk in await chunks("brief", "hello", "17×23"))


async def test_an_unknown_style_is_refused() -> None:
    with pytest.raises(RequestRefused):
        await chunks("nobody", "hello")


@pytest.mark.parametrize("messages", [[], [Message(Role.SYSTEM, "be brief")], [*HELLO, Message(Role.ASSISTANT, "hi")]])
async def test_a_conversation_that_does_not_end_with_the_user_is_refused(messages: list[Message]) -> None:
    with pytest.raises(RequestRefused):
        async for _ in DemoProvider(wait=0).stream(Target(dialect="demo", url="", wire_model="brief"), messages):
            pass


async def test_the_letter_is_slower_than_the_brief_and_wait_zero_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    # The provider's own name alone: other tests' servers may still sleep in threads of this process.
    clock = SimpleNamespace(sleep=AsyncMock(side_effect=waits.append), to_thread=asyncio.to_thread)
    monkeypatch.setattr("arena_providers.demo.practice_models.asyncio", clock)

    async def waited(name: str, wait: float) -> float:
        waits.clear()
        target = Target(dialect="demo", url="", wire_model=name)
        assert [chunk async for chunk in DemoProvider(wait=wait).stream(target, HELLO)]
        return sum(waits)

    assert await waited("letter", 1.0) > 3 * await waited("brief", 1.0) > 0
    assert await waited("letter", 0) == 0


async def test_the_stream_can_be_closed_in_the_middle() -> None:
    target = Target(dialect="demo", url="", wire_model="letter")
    stream = cast("AsyncGenerator[Chunk]", DemoProvider(wait=0).stream(target, HELLO))
    async for _ in stream:
        break
    await stream.aclose()
    with pytest.raises(StopAsyncIteration):
        await anext(stream)


async def test_forty_answers_at_once_do_not_hold_each_other_up() -> None:
    asked = [ask(NAMES[number % len(NAMES)], f"What is {number} × {number}?") for number in range(40)]
    assert all(await asyncio.gather(*asked))
