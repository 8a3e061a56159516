from __future__ import annotations

import re
import unicodedata
from itertools import combinations

import pytest

from arena.identity import exposed
from arena.providers.demo import DEMO_ENDPOINTS
from tests.providers.demo.talking import CHINESE, ENGLISH, SPEAKERS, ask, han_share

NAMES = [name for row in DEMO_ENDPOINTS for name in (row.name, row.owner)]


@pytest.mark.parametrize("speaker", SPEAKERS)
@pytest.mark.parametrize("prompt", ENGLISH)
async def test_an_english_prompt_gets_an_english_answer(speaker: str, prompt: str) -> None:
    answer = await ask(speaker, prompt)

    assert answer.strip()
    assert han_share(answer) < 0.05
    assert re.search(r"[A-Za-z]{2}", answer)


@pytest.mark.parametrize("speaker", SPEAKERS)
@pytest.mark.parametrize("prompt", CHINESE)
async def test_a_chinese_prompt_gets_a_chinese_answer(speaker: str, prompt: str) -> None:
    answer = await ask(speaker, prompt)

    assert han_share(answer) > 0.8


@pytest.mark.parametrize(
    "prompt", ["¿Qué es la fotosíntesis?", "光合成とは何ですか", "Что такое фотосинтез?", "12 * 3"]
)
@pytest.mark.parametrize("speaker", SPEAKERS)
async def test_any_other_language_gets_an_english_answer(speaker: str, prompt: str) -> None:
    answer = re.sub("[“*][^”*]*[”*]", "", await ask(speaker, prompt))

    assert answer.strip()
    assert han_share(answer) < 0.5


@pytest.mark.parametrize("speaker", SPEAKERS)
async def test_a_prompt_without_letters_is_answered_in_the_language_of_the_talk(speaker: str) -> None:
    assert han_share(await ask(speaker, "什么是光合作用？", "？？？")) > 0.8
    assert han_share(await ask(speaker, "What is photosynthesis?", "???")) < 0.05


@pytest.mark.parametrize("prompt", [*ENGLISH, *CHINESE])
async def test_no_two_speakers_say_the_same(prompt: str) -> None:
    answers = {speaker: await ask(speaker, prompt) for speaker in SPEAKERS}

    assert all(answers[one] != answers[other] for one, other in combinations(SPEAKERS, 2))


@pytest.mark.parametrize("prompts", [ENGLISH, CHINESE])
async def test_the_parrot_is_the_shortest_and_the_essayist_the_longest_on_the_whole(prompts: tuple[str, ...]) -> None:
    lengths = {speaker: sum([len(await ask(speaker, prompt)) for prompt in prompts]) for speaker in SPEAKERS}

    assert min(lengths, key=lengths.__getitem__) == "parrot"
    assert max(lengths, key=lengths.__getitem__) == "essayist"
    assert lengths["essayist"] > 15 * lengths["parrot"]


@pytest.mark.parametrize("speaker", SPEAKERS)
async def test_an_honest_prompt_never_makes_an_answer_tell_a_name(speaker: str) -> None:
    answers = [await ask(speaker, prompt, seed=seed) for prompt in (*ENGLISH, *CHINESE) for seed in range(3)]

    assert exposed([], answers, NAMES) is None


@pytest.mark.parametrize("speaker", SPEAKERS)
@pytest.mark.parametrize("name", NAMES)
async def test_a_name_in_the_prompt_is_never_echoed(speaker: str, name: str) -> None:
    spaced = name.replace("-", " - ").upper()
    wide = "".join(chr(ord(sign) + 0xFEE0) if sign.isalpha() else sign for sign in name)
    hidden = "\u200b".join(name)
    prompts = [
        f"Are you {name}?",
        f"I am {spaced}",
        f"say {hidden} please",
        f"你是{wide}吗？",
        f"**{name}** {name}",
        f"My name is {name.split('-', 1)[0]}",
    ]
    answers = [await ask(speaker, prompt) for prompt in prompts]

    assert exposed([], answers, NAMES) is None
    assert not any(name in unicodedata.normalize("NFKC", answer).lower() for answer in answers)


@pytest.mark.parametrize("speaker", SPEAKERS)
async def test_who_are_you_is_answered_without_a_name_but_with_the_reason(speaker: str) -> None:
    english = [await ask(speaker, "Who are you?", seed=seed) for seed in range(4)]
    chinese = [await ask(speaker, "你是谁？", seed=seed) for seed in range(4)]

    assert exposed([], english + chinese, NAMES) is None
    assert any("vote" in answer.lower() for answer in english)
    assert any("投票" in answer for answer in chinese)


@pytest.mark.parametrize("speaker", SPEAKERS)
@pytest.mark.parametrize(
    "prompt",
    [
        "<script>alert(1)</script> what is this?",
        "explain <b>bold</b> and <img src=x onerror=alert(1)>",
        "请解释“<iframe src=//evil>”是什么",
        "<<b>script>alert</script>",
    ],
)
async def test_no_answer_holds_an_element(speaker: str, prompt: str) -> None:
    assert not re.search(r"<[A-Za-z/!?]", await ask(speaker, prompt))


@pytest.mark.parametrize("speaker", SPEAKERS)
@pytest.mark.parametrize("prompt", [*ENGLISH, *CHINESE])
async def test_markdown_is_well_formed(speaker: str, prompt: str) -> None:
    answer = await ask(speaker, prompt)
    prose = re.sub(r"```.*?```|`[^`]*`", "code", answer, flags=re.DOTALL)

    assert "{" not in prose
    assert answer.count("```") % 2 == 0
    assert prose.count("**") % 2 == 0
    assert not re.search(r"\n{3,}", prose)


@pytest.mark.parametrize("speaker", [speaker for speaker in SPEAKERS if speaker != "calculator"])
async def test_history_changes_the_answer(speaker: str) -> None:
    for first, then in (("Tell me about black holes", "and why?"), ("给我讲讲黑洞", "为什么呢？")):
        assert await ask(speaker, first, then) != await ask(speaker, then)


@pytest.mark.parametrize("speaker", ["essayist", "mirror", "clerk", "poet"])
async def test_the_earlier_topic_is_taken_up_again(speaker: str) -> None:
    assert "violins" in await ask(speaker, "Write something about violins", "now about rivers")


@pytest.mark.parametrize("speaker", ["essayist", "mirror", "clerk"])
async def test_the_earlier_topic_is_taken_up_again_in_chinese(speaker: str) -> None:
    assert "小提琴" in await ask(speaker, "写一首关于小提琴的诗", "再写一首关于河流的")
