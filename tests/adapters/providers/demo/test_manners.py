"""What every scripted model says: the right thing where it can, that it cannot where it cannot, never a name."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from arena.adapters.providers.demo import DEMO_ENDPOINTS, can_answer
from arena.domain.blinding.identity import discloses_identity
from tests.adapters.providers.demo.asking import DONE, LEFT, NAMES, ask, han_share

PUBLIC = [name for row in DEMO_ENDPOINTS for name in (row.name, row.owner)]
CANNOT = re.compile("I cannot answer that: I am a scripted practice model|这个我答不了：我是脚本写成的练习模型")


def test_four_models_are_listed_and_say_that_they_are_for_practice() -> None:
    assert sorted(row.wire_model for row in DEMO_ENDPOINTS) == sorted(NAMES)
    assert len({row.name for row in DEMO_ENDPOINTS}) == 4
    for row in DEMO_ENDPOINTS:
        assert (row.dialect, row.owner, row.languages) == ("demo", "Arena demo", ("en", "zh"))
        assert row.description_en.startswith("Scripted practice model")
        assert row.description_zh.startswith("脚本练习模型")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("prompt", DONE)
async def test_what_it_can_do_is_done_right_in_the_language_of_the_prompt(name: str, prompt: str) -> None:
    answer = await ask(name, prompt)
    assert can_answer(prompt) is not (
        "poem" in prompt or "诗" in prompt
    )  # a poem is written by others, if there are any
    assert re.search(DONE[prompt].replace("*", r"\*"), answer)
    assert not CANNOT.search(answer)
    if "ranslate" not in prompt and "怎么说" not in prompt:
        assert (han_share(answer) > 0.5) is (han_share(prompt) > 0.5) or "391" in answer


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("prompt", LEFT)
async def test_what_it_cannot_do_it_says_with_what_it_can(name: str, prompt: str) -> None:
    answer = await ask(name, prompt)
    assert not can_answer(prompt)
    assert CANNOT.search(answer)
    assert (han_share(answer) > 0.8) is (han_share(prompt) > 0.2)


@pytest.mark.parametrize("prompt", LEFT[:1] + LEFT[5:6])
async def test_every_example_of_what_it_can_do_is_one(prompt: str) -> None:
    examples = re.findall("`([^`]+)`", await ask("steps", prompt))
    assert len(examples) >= 6
    assert all(can_answer(example) for example in examples)


@pytest.mark.parametrize("prompt", ["¿Qué es la fotosíntesis?", "光合成とは何ですか", "Что такое фотосинтез?"])
async def test_another_language_is_told_so_in_english(prompt: str) -> None:
    assert (await ask("brief", prompt)).startswith("I cannot answer that")


@pytest.mark.parametrize("prompt", [*DONE, *LEFT])
async def test_no_two_say_the_same_and_the_letter_is_the_longest(prompt: str) -> None:
    answers = {name: await ask(name, prompt) for name in NAMES}
    assert all(answers[one] != answers[other] for one, other in combinations(NAMES, 2))
    assert len(answers["brief"]) == min(map(len, answers.values()))


@pytest.mark.parametrize("name", NAMES)
async def test_no_answer_tells_a_name_or_repeats_one(name: str) -> None:
    asked = [f"Are you {each}?" for each in PUBLIC] + [f"How many a are in {PUBLIC[0]}?", "Who are you?", "你是谁？"]
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
    assert not re.search(r"<[A-Za-z/!?]|\n{3,}|[{}]", answer)
