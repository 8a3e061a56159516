"""Detection of answers that disclose their model, and of prompts that ask for it; a vote on them is not blind.

Only a model's own names, aliases and owner are searched for, and only in its own answers. A compound name
(`acme-chat-7b`) counts anywhere. A single word (`Gemini`), or common words with a number (`step-2`), counts only where
the speaker refers to itself, since it may mean something else, such as a sign of the zodiac. A name of common words
only ("of the", "I am", "一个") never counts: an owner could choose it to keep all votes on the model from counting.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.domain.blinding.identity.visible_text import folded, normalised, unmarked
from arena.domain.package_data import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PARTS: Final = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?")
_HAN: Final = re.compile(r"[\u3400-\u9fff]+")

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
_QUESTIONS: Final = tuple(
    (word, re.compile(pattern))
    for word, pattern in (
        ("who", r"\bwho\s+(?:exactly\s+)?(?:are|r)\s+(?:you|u)\b(?!\s+to\b)"),
        ("who", r"\bwho\s+(?:made|created|trained|built|developed|owns|designed)\s+you\b"),
        ("your", r"\bwhat(?:['’]?s|\s+is)\s+your\s+(?:\w+\s+)?(?:name|model|version|identity)\b"),
        ("your", r"\b(?:tell|reveal|state|say)\s+(?:me\s+)?(?:us\s+)?your\s+(?:\w+\s+)?(?:name|identity|model)\b"),
        (
            "you",
            r"\b(?:which|what)\s+(?:\w+\s+){0,3}(?:ai|llm|gpt|model|chatbot|version|company)\s+(?:are|made|built|created|trained)\s+you\b",
        ),
        ("wh", r"\b(?:which|what)\s+(?:\w+\s+){0,2}(?:ai|llm|model|chatbot)\s+(?:is\s+this|am\s+i\s+talking)"),
        ("你", r"你(?:到底|究竟)?(?:是谁|叫什么|姓什么)"),
        ("你", r"你是(?:什么|哪个|哪家|哪种|何种|啥)[^。！？?\n]{0,8}(?:模型|ai|人工智能|公司|机器人|助手|版本)"),
        ("你", r"谁(?:开发|创造|训练|制造|研发|做|造)(?:了|出)?(?:的)?你"),
        ("你", r"你(?:是|由)(?:谁|哪家公司|哪个公司|哪家)[^。！？?\n]{0,4}(?:开发|创造|训练|制造|研发|做|造)"),
        ("你", r"你的(?:真实)?(?:名字|身份|型号|开发者|开发商|创造者|模型)"),
        ("你", r"(?:告诉我|说出)你(?:是谁|叫)"),
    )
)
"""Patterns of questions, each with a substring of all its matches, which is faster to search for."""
_STOP_WORDS: Final = frozenset(
    (
        *("all", "any", "big", "best", "deep", "fast", "fine", "free", "good", "great", "happy"),
        *("home", "just", "left", "like", "new", "next", "nice", "not", "now", "one", "open"),
        *("our", "own", "pro", "real", "red", "right", "small", "smart", "some", "sure", "that"),
        *("the", "this", "top", "true", "very", "we", "what", "who", "with", "your"),
    )
)
"""Words that begin some names and also occur in ordinary sentences about oneself."""
_HERE: Final = Path(__file__).parent
_INFLECTED: Final = re.compile(r"[a-z]{3,}(?:ing|ed|ly)")
"""Participles and adverbs, which often follow "I am"."""
_LONGEST: Final = 5
"""Characters of the longest Chinese word in `zh.txt`."""


@dataclass(frozen=True, slots=True)
class OwnNames:
    """Names that disclose a model `anywhere` in its answers, or only where it speaks of `itself`."""

    anywhere: tuple[str, ...]
    itself: tuple[str, ...]

    def disclosed_by(self, answers: Iterable[str]) -> bool:
        """Whether one of the model's answers discloses its identity."""
        return discloses_identity(answers, self.anywhere, self.itself)


NO_NAMES: Final = OwnNames((), ())
"""Those of a model that nothing discloses."""


def own_names(names: Iterable[str], aliases: Iterable[str], owner: str, wire_model: str) -> OwnNames:
    """Divide a model's names into those that disclose it anywhere and only in self-references.

    An alias counts anywhere if it shares a word that is not an ordinary one with the model's names, owner or wire
    model. Other aliases, such as "New York" or "import numpy", would let an owner keep votes from counting, so they
    count only in self-references.
    """
    names, aliases = tuple(names), tuple(aliases)
    own_words = {word for name in (*names, owner, wire_model) for word in _rare_words(name)}
    related = [alias for alias in aliases if not own_words.isdisjoint(_rare_words(alias))]
    return OwnNames((*names, *related), (owner, *(alias for alias in aliases if alias not in related)))


def _rare_words(name: str) -> list[str]:
    return [part for part in _PARTS.findall(normalised(name)) if _is_rare(part)]


def discloses_identity(answers: Iterable[str], names: Iterable[str], owners: Iterable[str] = ()) -> bool:
    """Whether a model's answers disclose its identity.

    Args:
        answers: This model's answers only.
        names: Its names and aliases.
        owners: Names that count only in self-references, even compound ones, such as that of its owner.
    """
    disclosures = [disclosure for name in set(names) for disclosure in _disclosures(name)]
    disclosures += [disclosure for owner in set(owners) for disclosure in _disclosures(owner)[:1]]
    for text in map(folded, answers):
        # Nearly all answers lack the words of all names; markup does not divide words.
        candidates = [disclosure for disclosure in disclosures if disclosure.may_be_in(text)]
        plain = unmarked(text) if candidates else ""
        if any(disclosure.pattern.search(plain) for disclosure in candidates):
            return True
    return False


def asks_identity(prompts: Iterable[str]) -> bool:
    """Whether a prompt asks the models who they are."""
    return any(
        word in text and pattern.search(text) for text in map(normalised, prompts) for word, pattern in _QUESTIONS
    )


def distinctive(name: str) -> bool:
    """Whether a name can be searched for; common words and bare numbers cannot."""
    return bool(_disclosures(name))


@dataclass(frozen=True, slots=True)
class _Disclosure:
    """A pattern that discloses a name; it can match only texts that contain all of `words`."""

    words: tuple[str, ...]
    pattern: re.Pattern[str]

    def may_be_in(self, text: str) -> bool:
        return all(word in text for word in self.words)


@lru_cache(4_096)
def _disclosures(name: str) -> tuple[_Disclosure, ...]:
    term = normalised(name).strip()
    parts = tuple(_PARTS.findall(term))
    words = [part for part in parts if part.isalpha()]
    is_generic = len(term) == 1 or all(map(_is_generic, words))
    if is_generic or (len(words) == len(parts) and all(map(_is_ordinary, words))):
        return ()
    if _HAN.search(term):
        return (_Disclosure(parts, re.compile(_SELF_HAN + r"[^。！？!?\n]{0,16}" + re.escape(term))),)
    disclosures = [_Disclosure(parts, _self_reference(parts))]
    if len(parts) > 1 and any(_is_rare(part) for part in parts):
        disclosures.append(_Disclosure(parts, re.compile(_phrase(parts))))
        if parts[0].isalpha() and len(parts[0]) > 2 and _is_rare(parts[0]):  # shorter words are too common
            disclosures.append(_Disclosure(parts[:1], _self_reference(parts[:1])))
    return tuple(disclosures)


def _is_ordinary(part: str) -> bool:
    """Whether a part of a name is an ordinary word."""
    if runs := _HAN.findall(part):
        return all(map(common_han, runs)) and all(map(_is_ordinary, _HAN.sub(" ", part).split()))
    return common(part) or _is_generic(part)


def _is_generic(part: str) -> bool:
    """Whether a word is so generic that it is no name even with a number."""
    return part in _STOP_WORDS or re.fullmatch(_FILLER, part) is not None


def _is_rare(part: str) -> bool:
    return part.isalpha() and len(part) > 1 and not _is_ordinary(part)


def _self_reference(parts: Sequence[str]) -> re.Pattern[str]:
    term = _phrase(parts)
    return re.compile(rf"{_MYSELF}(?:[\s,:;-]+{_FILLER})*[\s,:;-]+{term}|{_SELF_HAN}[^。！？!?\n]{{0,16}}{term}")


def _phrase(parts: Sequence[str]) -> str:
    """Pattern of the parts in order with any separators; digits may follow immediately (`gpt4`), letters not."""
    return r"(?<![a-z0-9])" + r"[\s\-.:/]{0,3}".join(re.escape(part) for part in parts) + r"(?![a-z])"


def common(word: str) -> bool:
    """Whether a lower-case Latin word is a common English word."""
    return word in _words("en") or _INFLECTED.fullmatch(word) is not None


def common_han(term: str) -> bool:
    """Whether a run of Chinese characters consists of common words, or is a single character."""
    ends = {0}
    for end in range(1, len(term) + 1):
        if any(start in ends and term[start:end] in _words("zh") for start in range(max(0, end - _LONGEST), end)):
            ends.add(end)
    return len(term) == 1 or len(term) in ends


@cache
def _words(language: str) -> frozenset[str]:
    return frozenset(text_of(_HERE / f"{language}.txt").split())
