"""The rules of the reflective speaker, most telling first, and the turning round of pronouns."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from arena.providers.demo.shipped import blocks, text_of
from arena.providers.demo.talk import Tongue

_SWAP_EN: Final = {
    "i": "you",
    "me": "you",
    "my": "your",
    "mine": "yours",
    "myself": "yourself",
    "am": "are",
    "i'm": "you are",
    "i've": "you have",
    "i'll": "you will",
    "i'd": "you would",
    "was": "were",
    "your": "my",
    "yours": "mine",
    "yourself": "myself",
    "you're": "I am",
    "you've": "I have",
    "you'll": "I will",
    "we": "you",
    "us": "you",
    "our": "your",
    "ours": "yours",
    "ourselves": "yourselves",
}
_SUBJECT: Final = re.compile(
    r"\byou (are|were|can|could|will|would|do|did|have|had|should|may|might|must|know|think|like|want|say|said)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?")
_SWAP_ZH: Final = {
    "我们": "你们",
    "咱们": "你们",
    "你们": "我们",
    "我": "你",
    "俺": "你",
    "你": "我",
    "您": "我",
    "咱": "你",
}
_PRONOUN_ZH = re.compile("|".join(_SWAP_ZH))


class Rule(NamedTuple):
    """A pattern over one sentence and the replies to it; `{0}` is the first group turned round, `{t}` the topic."""

    pattern: re.Pattern[str]
    replies: tuple[str, ...]


@cache
def rules(tongue: Tongue) -> tuple[Rule, ...]:
    """All rules of a language; the last but one is for silence, the last one fits everything."""
    found = blocks(text_of("mirror", f"{tongue.value}.txt"))
    return tuple(Rule(re.compile(block.head, re.IGNORECASE), tuple(block.body.splitlines())) for block in found)


def reflect(text: str, tongue: Tongue) -> str:
    """The text from the other person's point of view."""
    if tongue is Tongue.ZH:
        return _PRONOUN_ZH.sub(lambda match: _SWAP_ZH[match.group()], text)
    text = _SUBJECT.sub(lambda match: f"\0{match.group(1)}", text)
    turned = _WORD.sub(lambda match: _turned(match.group()), text)
    return re.sub(
        "\0(\\w+)",
        lambda match: "I " + {"are": "am", "were": "was"}.get(match.group(1).lower(), match.group(1)),
        turned,
    )


def _turned(word: str) -> str:
    lower = word.lower().replace("’", "'")
    return "me" if lower == "you" else _SWAP_EN.get(lower, word)
