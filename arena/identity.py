"""Did an answer say who it is, or did a prompt ask? Such a vote is no longer blind.

Only the two models' own names, aliases and owners are looked for, in answers only. A compound name (`acme-chat-7b`)
counts wherever it stands; a single word (`Gemini`, `Google`) only where the speaker talks of itself, because it is a
word of the language too: horoscopes, palm oil and lama farms are harmless.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from arena.terms import NotCounted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_INVISIBLE = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_MARKUP: Final = re.compile(r"[*`~\[\]()\"“”「」《》]+")
_LOOKALIKES: Final = str.maketrans("авсԁеһіјӏкмпорԛѕтυνшхуαεικορτχ", "abcdehijlkmnopqstuvwxyaeikoptx")
_PARTS = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?")
_HAN = re.compile(r"[\u3400-\u9fff]")

_FILLER = (
    r"(?:an?|the|actually|indeed|really|just|your|called|named|known|as|based|built|on|powered|running|large|small|new|latest|"
    r"language|ai|artificial|intelligence|chat|model|models|llm|assistant|chatbot|bot|system|version|of|trained|made|created|developed|"
    r"designed|provided|by|at|from|and|family|series|member|part|team|company|researchers|engineers|people)"
)
_MYSELF = (
    r"(?:\bi\s+am|\bi['’]?m|\bmy\s+(?:full\s+)?name(?:\s+is|['’]s)|\bcall\s+me|\bi\s+(?:was|have\s+been|come|go)|\bmyself|"
    r"\bmy\s+(?:creators?|developers?|makers?|owners?)(?:\s+(?:is|are)|['’]s)?|"
    r"\byou(?:['’]re|\s+are)\s+(?:talking|chatting|speaking)\s+(?:to|with))"
)
_SELF_HAN = r"(?:我(?:就)?是|我叫|我的(?:名字|全名|开发者|创造者)(?:是|叫)?|本(?:模型|助手|人)(?:是|由|叫)?|我由|叫我)"
_ASKED: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"\bwho\s+(?:exactly\s+)?(?:are|r)\s+(?:you|u)\b(?!\s+to\b)",
        r"\bwhat(?:['’]?s|\s+is)\s+your\s+(?:\w+\s+)?(?:name|model|version|identity)\b",
        r"\b(?:which|what)\s+(?:\w+\s+){0,3}(?:ai|llm|gpt|model|chatbot|version|company)\s+(?:are|made|built|created|trained)\s+you\b",
        r"\b(?:which|what)\s+(?:\w+\s+){0,2}(?:ai|llm|model|chatbot)\s+(?:is\s+this|am\s+i\s+talking)",
        r"\bwho\s+(?:made|created|trained|built|developed|owns|designed)\s+you\b",
        r"\b(?:tell|reveal|state|say)\s+(?:me\s+)?(?:us\s+)?your\s+(?:\w+\s+)?(?:name|identity|model)\b",
        r"你(?:到底|究竟)?(?:是谁|叫什么|姓什么)",
        r"你是(?:什么|哪个|哪家|哪种|何种|啥)[^。！？?\n]{0,8}(?:模型|ai|人工智能|公司|机器人|助手|版本)",
        r"谁(?:开发|创造|训练|制造|研发|做|造)(?:了|出)?(?:的)?你",
        r"你(?:是|由)(?:谁|哪家公司|哪个公司|哪家)[^。！？?\n]{0,4}(?:开发|创造|训练|制造|研发|做|造)",
        r"你的(?:真实)?(?:名字|身份|型号|开发者|开发商|创造者|模型)",
        r"(?:告诉我|说出)你(?:是谁|叫)",
    )
)


_STOP_WORDS: Final = frozenset(
    (
        *("all", "any", "big", "best", "deep", "fast", "fine", "free", "good", "great", "happy"),
        *("home", "just", "left", "like", "new", "next", "nice", "not", "now", "one", "open"),
        *("our", "own", "pro", "real", "red", "right", "small", "smart", "some", "sure", "that"),
        *("the", "this", "top", "true", "very", "we", "what", "who", "with", "your"),
    )
)
"""Words that a name may begin with and a sentence about oneself may contain."""


def exposed(
    prompts: Iterable[str], answers: Iterable[str], names: Sequence[str], owners: Sequence[str] = ()
) -> NotCounted | None:
    """Why this battle is not blind any more, or None.

    Args:
        prompts: What the voter wrote.
        answers: What both sides answered.
        names: Names and aliases of the two endpoints.
        owners: Who made them; a compound name of these is a word of the language too.
    """
    tellings = [telling for name in set(names) for telling in _tellings(name)]
    tellings += [telling for owner in set(owners) for telling in _tellings(owner)[:1]]
    if any(telling.stands_in(plain) for answer in answers for plain in [_plain(answer)] for telling in tellings):
        return NotCounted.IDENTITY_TOLD
    if any(pattern.search(plain) for prompt in prompts for plain in [_plain(prompt)] for pattern in _ASKED):
        return NotCounted.IDENTITY_ASKED
    return None


def seen_as(name: str) -> str:
    """What a hasty reader takes a name for: two that are alike in this look like one."""
    return "".join(character for character in _plain(name) if character.isalnum())


def _plain(text: str) -> str:
    """Lower case without invisible characters, compatibility forms, markup, or letters that only look Latin."""
    if text.isascii():
        folded = text.lower()
    else:
        folded = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold().translate(_LOOKALIKES)
    return _MARKUP.sub(" ", folded).replace("_", " ")


@dataclass(frozen=True, slots=True)
class _Telling:
    """How an answer gives a name away; without all of the `words` there is no need to look for the pattern."""

    words: tuple[str, ...]
    pattern: re.Pattern[str]

    def stands_in(self, plain: str) -> bool:
        for word in self.words:
            if word not in plain:
                return False
        return self.pattern.search(plain) is not None


@lru_cache(4_096)
def _tellings(name: str) -> tuple[_Telling, ...]:
    plain = _plain(name).strip()
    if _HAN.search(plain):
        return (_Telling((plain,), re.compile(_SELF_HAN + r"[^。！？!?\n]{0,16}" + re.escape(plain))),)
    parts = tuple(_PARTS.findall(plain))
    if not parts or (len(parts) == 1 and _common(parts[0])):
        return ()
    tellings = [_Telling(parts, _of_oneself(parts))]
    if len(parts) > 1:
        tellings.append(_Telling(parts, re.compile(_bounded(parts))))
        if parts[0].isalpha() and len(parts[0]) > 2 and not _common(parts[0]):  # noqa: PLR2004 - short stems are words
            tellings.append(_Telling(parts[:1], _of_oneself(parts[:1])))
    return tuple(tellings)


def _common(word: str) -> bool:
    """Whether a word is too usual to stand for a model."""
    return word in _STOP_WORDS or re.fullmatch(_FILLER, word) is not None


def _of_oneself(parts: Sequence[str]) -> re.Pattern[str]:
    term = _bounded(parts)
    return re.compile(rf"{_MYSELF}(?:[\s,:;-]+{_FILLER})*[\s,:;-]+{term}|{_SELF_HAN}[^。！？!?\n]{{0,16}}{term}")


def _bounded(parts: Sequence[str]) -> str:
    """The parts in order, however they are joined; letters may not run on, digits may (`gpt4`)."""
    return r"(?<![a-z0-9])" + r"[\s\-.:/]{0,3}".join(re.escape(part) for part in parts) + r"(?![a-z])"
