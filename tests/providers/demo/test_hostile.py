from __future__ import annotations

import random
from functools import partial

import pytest

from arena.providers.demo.provider import compose
from arena.providers.demo.speakers import SPEAKERS
from arena.terms import Message, Role
from tests.effort import affordable

LENGTH = 12_000
WORDS = (
    "after",
    "so",
    "i am",
    "because",
    "why",
    "how many",
    "what is",
    "write a story about the",
    "sum of",
    "logo",
    "x",
)
SHAPES = {
    "open brackets": "(",
    "nested sums": "(1+",
    "closed brackets": ")",
    "towers of powers": "9**",
    "minus signs": "-",
    "digits": "9",
    "factorials": "5!!!!",
    "spaces": " ",
    "one letter": "a",
    "emoji": "😀",
    "families": "👨\u200d👩\u200d👧",
    "zero width": "\u200b",
    "overrides": "\u202e",
    "lone surrogates": "\ud800",
    "nul": "\0",
    "line breaks": "\r\n",
    "one character": "中",
    "chinese numerals": "一二三四五六七八九十百千万亿",
    "dots": "a.",
    "stars": "*",
    "backticks": "`",
    "braces": "{0}{t}%s",
    "elements": "<script>alert(1)</script>",
    "lists of numbers": "1,",
    "units": "3 km ",
    "percent": "5% of ",
    "discounts": "打8折",
    "because": "because ",
    "i am": "i am ",
    "what is": "what is ",
    "what is it in chinese": "什么是",
    "quotes": "以“",
    "names": "polly-parrot ",
    "half names": "polly_",
    "sentences": "This is a sentence, number one. ",
    "sentences in chinese": "这是第一个句子，很长。",
    "equations": "x=",
    "tables": "| ",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_twelve_thousand_hostile_characters_are_answered(shape: str) -> None:
    prompt = (SHAPES[shape] * LENGTH)[:LENGTH]
    for name, speaker in SPEAKERS.items():
        _, text = compose(speaker, [Message(Role.USER, prompt)], random.Random(1))

        assert text.strip(), name
        assert len(text) < 5_000, name


@pytest.mark.parametrize("shape", SHAPES)
def test_hostile_characters_make_no_speaker_backtrack(shape: str) -> None:
    talk = [Message(Role.USER, (SHAPES[shape] * LENGTH)[:LENGTH])]
    for name, speaker in SPEAKERS.items():
        assert affordable(partial(compose, speaker, talk, random.Random(1))), name


def test_random_soup_is_always_answered() -> None:
    rng = random.Random(5)
    for _ in range(150):
        pieces = [rng.choice([*SHAPES.values(), *WORDS]) for _ in range(rng.randint(1, 12))]
        prompt = rng.choice(["", " "]).join(pieces)
        talk = [Message(Role.USER, prompt), Message(Role.ASSISTANT, "…"), Message(Role.USER, prompt[::-1])]
        for name, speaker in SPEAKERS.items():
            assert compose(speaker, talk[: rng.choice([1, 3])], rng)[1], (name, prompt)


def test_twenty_long_turns_are_read_quickly() -> None:
    talk = [Message(role, "what is the point? " * 600) for _ in range(19) for role in (Role.USER, Role.ASSISTANT)]
    for name, speaker in SPEAKERS.items():
        turns = [*talk, Message(Role.USER, "and then?")]
        assert affordable(partial(compose, speaker, turns, random.Random(1))), name
