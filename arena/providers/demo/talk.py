"""What a demo speaker is given: the prompt, its language, and what was said before."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol

from arena.providers.demo.endpoints import nameless
from arena.terms import PROMPT_LIMIT, TURN_LIMIT, Role

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from arena.terms import Message

_REMEMBERED: Final = 2_000
"""Characters of each earlier message that are kept in mind."""
_HAN = re.compile(r"[\u3400-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_LETTER = re.compile(r"[^\W\d_]")
# Controls, joiners, overrides of direction, variation selectors, private use, lone surrogates and tag characters.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\u3164\ud800-\uf8ff\ufe00-\ufe0f\ufeff\ufff0-\ufffd\U000e0000-\U0010ffff]"
)
_NEWLINE = re.compile(r"\r\n?|[\u0085\u2028\u2029]")
_FULL_WIDTH: Final = {
    code: code - 0xFEE0 for code in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))
}
_MARKUP = re.compile(r"[`*_#~|\\\[\]{}$<>]+")
_TIMES = re.compile(r"(?<=[\d)]) ?\* ?(?=[\d(])")
_SPACE = re.compile(r"\s+")
_WHO = re.compile(
    r"\b(?:who|what)\s+(?:exactly\s+)?are\s+you\b|\byour\s+(?:real\s+)?(?:name|model|version|maker|developer)\b"
    r"|\b(?:which|what)\s+(?:\w+\s+){0,2}(?:model|llm|ai|chatbot)\s+(?:are|is|made)\b|\bwho\s+(?:made|created|trained|built)\s+you\b"
    r"|你(?:到底|究竟)?(?:是谁|叫什么|是什么模型|是哪个模型|是哪家)|你的(?:真实)?(?:名字|型号|开发者)|谁(?:开发|创造|训练|制造)(?:了|的)?你",
    re.IGNORECASE,
)


class Tongue(StrEnum):
    """The two languages the speakers know; every other one is answered in English."""

    EN = "en"
    ZH = "zh"


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier prompt and the answer this speaker gave to it."""

    prompt: str
    answer: str


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation, cleaned of everything that cannot be seen; the prompt may be empty after that."""

    prompt: str
    tongue: Tongue
    earlier: tuple[Exchange, ...] = ()

    @property
    def zh(self) -> bool:
        """Whether to answer in Chinese."""
        return self.tongue is Tongue.ZH

    @property
    def asks_who(self) -> bool:
        """Whether the prompt wants a name, which nobody here may give."""
        return len(self.prompt) < 200 and bool(_WHO.search(self.prompt))  # noqa: PLR2004 - a long text only mentions it

    def say(self, en: str, zh: str) -> str:
        """The text in the language of the conversation."""
        return zh if self.zh else en


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a speaker talks: seconds to the first piece, then English characters per second (Chinese: half)."""

    first: float
    rate: float


class Speaker(Protocol):
    """One demo endpoint's way of answering. Pure: the same talk and the same rng state give the same text."""

    pace: Pace

    def answer(self, talk: Talk, rng: Random) -> str:
        """A whole answer in markdown, never empty."""
        ...


def listen(messages: Sequence[Message]) -> Talk:
    """Read a conversation; system messages are not for these speakers, and the last user message is the prompt."""
    exchanges: list[Exchange] = []
    for message in messages[-2 * TURN_LIMIT : -1]:
        if message.role is Role.USER:
            exchanges.append(Exchange(clean(message.content[:_REMEMBERED]), ""))
        elif message.role is Role.ASSISTANT and exchanges:
            exchanges[-1] = Exchange(exchanges[-1].prompt, clean(message.content[:_REMEMBERED]))
    prompt = clean(messages[-1].content[: PROMPT_LIMIT + 1_000])
    return Talk(prompt, _tongue(prompt, exchanges), tuple(exchanges))


def clean(text: str) -> str:
    """The text with plain line breaks, ASCII letters and digits, nothing invisible and no demo endpoint's name."""
    return nameless(_UNSEEN.sub("", _NEWLINE.sub("\n", text)).translate(_FULL_WIDTH)).strip()


def quote(text: str, limit: int = 60) -> str:
    """A piece of somebody's text as one harmless line: no markup, no tags, at most `limit` characters."""
    line = _SPACE.sub(" ", _MARKUP.sub(" ", _TIMES.sub("×", text[: 4 * limit + 200]))).strip()
    return line if len(line) <= limit else line[: limit - 1].rstrip(" ,;:，；：、") + "…"


def _tongue(prompt: str, earlier: Sequence[Exchange]) -> Tongue:
    for text in (prompt, *(exchange.prompt for exchange in reversed(earlier))):
        letters = len(_LETTER.findall(text))
        if letters:
            chinese = not _KANA.search(text) and len(_HAN.findall(text)) * 5 >= letters
            return Tongue.ZH if chinese else Tongue.EN
    return Tongue.EN
