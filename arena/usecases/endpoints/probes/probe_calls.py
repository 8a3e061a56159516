"""Calls of a probe: questions, and requests that prove control of the host."""

from __future__ import annotations

import logging
import secrets
import string
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from arena.calls.stream import ReceivedAnswer, receive
from arena.domain.blinding.units import units_of
from arena.domain.terms import JsonObject
from arena.usecases.endpoints.probes import diagnostics
from arena_providers import presets
from arena_providers.errors import ProviderError
from arena_providers.terms import Message, Role
from arena_providers.transport.egress import origin

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from arena.calls.caller import Caller
    from arena_providers.base import Target
    from arena_providers.transport.http_client import HttpClient

log = logging.getLogger(__name__)

_MIN_HELD_BACK: Final = 200
"""Characters from which an answer in one piece was held back until its end."""
_QUOTED: Final = 300
"""Most characters of an answer in a report."""
_WAITED_MS: Final = 2_000
_AT_ONCE_MS: Final = 150
"""Time within which what was held back arrives; a model that has thought for long may also write fast."""


@dataclass(slots=True)
class Tried(ReceivedAnswer):
    """One question and its answer."""

    kind: str = ""
    fault: str | None = None
    words: str = ""
    """The server's own sentence about the fault."""
    messages: Sequence[Message] = ()
    texts: list[str] = field(default_factory=list[str])
    """The pieces of the text as they came."""

    @property
    def ok(self) -> bool:
        """Whether a battle would have had an answer."""
        return self.fault is None

    @property
    def has_form(self) -> bool:
        """Whether what came has the form of the dialect; streams of all others have no text and no end in it."""
        return self.begun or self.fault == "empty"

    @property
    def whole(self) -> bool:
        """Whether a long answer was held back until it was complete."""
        first = self.first_token_ms
        is_late = first is not None and first > max(_WAITED_MS, self.total_ms - _AT_ONCE_MS, 0.95 * self.total_ms)
        # The arena itself holds such a text back until its end.
        is_waited_for = self.unopened is False
        return self.ok and len(self.text) >= _MIN_HELD_BACK and (self.pieces == 1 or is_late) and not is_waited_for

    def report_entry(self) -> JsonObject:
        """The entry of the report; `total_ms` is None for an unreachable endpoint, as it could reveal the cause.

        Where there is text, it has the question and the beginning of the answer.
        """
        talk = {"question": self.messages[-1].content, "answer": self.text.strip()[:_QUOTED]} if self.ok else {}
        return talk | {
            "kind": self.kind,
            "ok": self.ok,
            "error": self.fault,
            "first_token_ms": self.first_token_ms,
            "total_ms": None if self.fault == diagnostics.UNREACHABLE else self.total_ms,
            "characters": len(self.text),
            "units": units_of(self.text),
            "characters_per_second": self._speed(),
            "pieces": self.pieces,
            "streams": self.pieces > 1 and not self.whole,
            "finish": self.finish,
        }

    def _speed(self) -> float | None:
        milliseconds = 0 if self.first_token_ms is None else self.total_ms - self.first_token_ms
        return round(1000 * len(self.text) / milliseconds, 1) if milliseconds > 0 else None


async def ask(
    caller: Caller, kind: str, target: Target, messages: Sequence[Message], *, briefly: bool = False
) -> Tried:
    """Read an answer to its end, or with `briefly` to its first text; errors become the answer's fault."""
    tried = Tried(kind=kind, messages=messages)

    def take(piece: str) -> bool:
        tried.texts.append(piece)
        return briefly and bool(tried.text.strip())

    try:
        await receive(caller.providers[target.dialect].stream(target, messages), caller.times, tried, take)
        tried.check_text()
    except Exception as error:  # noqa: BLE001 - every error becomes one of the known faults for the owner
        tried.fault = diagnostics.code(error, has_key=target.key is not None)
        if isinstance(error, ProviderError):
            tried.words, tried.marks = error.words, error.marks or tried.marks
        log.info("a probe (%s %s) failed: %s: %s", target.dialect, target.url, type(error).__name__, error)
    tried.total_ms = tried.elapsed()
    return tried


def hurried(caller: Caller, seconds: float) -> Caller:
    """The same caller with at most so many `seconds` for one answer."""
    times = caller.times
    first, total = min(times.first_token, seconds), min(times.total, seconds)
    return replace(caller, times=replace(times, first_token=first, total=total))


_CHINESE: Final = (
    "为什么天空是蓝色的？请用通俗的语言解释一下。",
    "帮我写一段话，婉拒同事周末聚餐的邀请，语气要自然。",
    "西红柿炒鸡蛋怎么做才好吃？请分步骤说明。",
    "学骑自行车最难的是什么？有什么好的练习方法吗？",
    "请比较一下高铁和飞机出行各自的优缺点。",
    "怎么才能养成每天早起的习惯？给我几条实用的建议。",
    "请解释一下什么是通货膨胀，并举一个生活中的例子。",
    "我想给奶奶买一份生日礼物，预算三百元，有什么推荐？",
    "写一首关于秋天傍晚的短诗，不超过八行。",
    "面试时被问到“你最大的缺点是什么”，应该怎么回答？",
    "一个房间里有三盏灯，门外有三个开关，只能进去一次，怎么判断哪个开关控制哪盏灯？",
    "请用三句话概括《西游记》的主要内容。",
)
_ENGLISH: Final = (
    "Why do we have leap years? Keep it short but complete.",
    "Write a friendly reminder to a neighbour who keeps blocking my driveway.",
    "What is the difference between a virus and a bacterium?",
    "Suggest a simple three-day workout plan for a beginner without equipment.",
    "Explain how a refrigerator keeps food cold, as you would to a curious twelve-year-old.",
    "I have eggs, rice, spinach and soy sauce. What can I cook for dinner tonight?",
    "Give me five ideas for a rainy Sunday afternoon with two small children.",
    "How should I prepare for my first half marathon?",
    "Summarise the plot of Romeo and Juliet in about five sentences.",
    "What are the pros and cons of buying a used car from a private seller?",
    "Write a short story of about a hundred words that begins with a knock at the door.",
    "A train leaves at 14:35 and arrives at 17:10. How long is the trip, and how do you work it out?",
)
_FOLLOWING: Final = {
    "zh": ("请说得再简短一些。", "能再举一个例子吗？", "这和刚才说的第一点有什么关系？", "请把重点列成清单。"),
    "en": (
        "Could you make that shorter?",
        "Can you give me another example?",
        "What would you say is the most important point, and why?",
        "Please turn that into a short list.",
    ),
}


def opening_question(kind: str, rng: Random) -> str:
    """The first question of a conversation, in `zh` or `en`."""
    return rng.choice(_CHINESE if kind == "zh" else _ENGLISH)


def follow_up_question(kind: str, rng: Random) -> str:
    """A follow-up that fits any answer in that language."""
    return rng.choice(_FOLLOWING[kind])


CHALLENGE_PATH: Final = "/.well-known/arena-challenge"
_ALPHABET: Final = string.ascii_letters + string.digits


def challenge_url(url: str) -> str:
    """URL at which the owner of the host publishes the challenge's text."""
    return origin(url) + CHALLENGE_PATH


async def host_proven(caller: Caller, client: HttpClient, target: Target, challenge: str | None, question: str) -> bool:
    """Whether the registrant of a `target` that answers controls its host.

    Proofs are a key at a known vendor, a key without which the server refuses, or the published challenge.
    """
    if target.key and presets.for_url(target.url, target.dialect) is not None:
        return True
    if target.key and await _refuses(caller, replace(target, key=_wrong(target.key)), question):
        return True
    return challenge is not None and await _shows(client, target, challenge)


async def _refuses(caller: Caller, target: Target, question: str) -> bool:
    tried = await ask(caller, "en", target, (Message(Role.USER, question),), briefly=True)
    return tried.fault == diagnostics.KEY_WRONG


async def _shows(client: HttpClient, target: Target, challenge: str) -> bool:
    try:
        text = await client.get(challenge_url(target.url), private=target.private)
    except ProviderError:
        return False
    return secrets.compare_digest(text.strip(), challenge.encode())


def _wrong(key: str) -> str:
    """Another random key of the same form."""
    while True:
        other = "".join(secrets.choice(_ALPHABET) if letter.isalnum() else letter for letter in key)
        if other != key:
            return other
