"""Verdicts in the texts of judges: which side is better, or what score an answer gets.

A text is read in the order of how plainly a judge can speak: a mark in double brackets, a line that begins with a word
such as "Verdict:", a line that is nothing but a label, and a sentence that compares both sides. The first of these that
occurs decides. Where it contradicts itself the text has no verdict: a judgement is lost, but none has a wrong side.
A text must be whole: of "Verdict: Answer A is worse" the first half says the opposite.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.domain.terms import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

_SWAPPED: Final = {Outcome.A: Outcome.B, Outcome.B: Outcome.A}
_SIDE: Final = {"a": Outcome.A, "b": Outcome.B}
_SIDES: Final = {"a": "a", "b": "b", "1": "a", "2": "b", "甲": "a", "乙": "b", "一": "a", "二": "b"}
_LABELS: Final = {
    **dict.fromkeys(("a", "1"), Outcome.A),
    **dict.fromkeys(("b", "2"), Outcome.B),
    **dict.fromkeys(("c", "0", "t", "tie", "draw", "平局", "平手", "一样好"), Outcome.TIE),
    **dict.fromkeys(("n", "both bad", "neither", "都不好", "一样差"), Outcome.BOTH_BAD),
}

_EMPHASIS: Final = re.compile(r"[*_`#]+")
_S: Final = r"([AB12甲乙一二])"
_WHO: Final = rf"(?:(?:assistant|response|answer|model|output|助手|回答|模型|答案|答复)\s*)?{_S}"
_NAMED_WHO: Final = rf"(?:assistant|response|answer|model|output|助手|回答|模型|答案|答复)\s*{_S}(?![A-Za-z0-9])"
_OTHER: Final = r"(?:assistant|response|answer|model|output|助手|回答|模型|答案|答复)\s*[AB12甲乙一二](?![A-Za-z0-9])"
_ALL_LABELS: Final = "|".join(sorted(map(re.escape, _LABELS), key=len, reverse=True)).replace(r"\ ", r"\s+")
_I: Final = re.IGNORECASE

_SIGN: Final = "(>{1,3}|<{1,3}|[=~]{1,2})"
_RELATION: Final = re.compile(rf"[\[(\"'「]*\s*{_WHO}\s*{_SIGN}\s*{_WHO}\s*[\])\"'」]*[.。!]?", _I)
_RELATION_MARK: Final = re.compile(rf"\[{{1,2}}\s*{_WHO}\s*{_SIGN}\s*{_WHO}\s*\]{{1,2}}", _I)
_LABEL: Final = re.compile(
    rf"[\[(\"'「]*\s*(?:(?:assistant|response|answer|model|助手|回答|模型|答案)\s*)?"
    rf"({_ALL_LABELS})\s*[\])\"'」]*[.。!]?",
    _I,
)
_BARE: Final = re.compile(rf"[\[(\"'「]*\s*({_ALL_LABELS})\s*[\])\"'」]*", _I)
"""A label alone: no name before it, which a broken-off sentence has too, and no full stop, which a list has."""
_LABEL_MARK: Final = re.compile(rf"\[\[\s*({_ALL_LABELS})\s*\]\]", _I)
_ANNOUNCED: Final = re.compile(
    r"(?:my |the )?(?:final |overall )?(?:verdict|judge?ment|decision|winner|result|结论|最终结论|判断|裁决|结果|胜者)"
    r"(?:\s+is)?\s*[:=是为]*\s*(.*)",
    _I,
)

_END: Final = re.compile(r"[.!?;](?=\s|$)|[。！？；]")
_UNSURE: Final = re.compile(
    r"\b(?:not|never|neither|whether|if|unless|would|could|cannot)\b|n't"
    r"|不|是否|如果|并非|若",
    _I,
)
_MUCH: Final = r"(?:much |slightly |clearly |significantly |overall |the )*"
_ZH_MUCH: Final = "(?:的回答)?(?:明显|略微|稍微|远远|显著)?"
_BETTER: Final = {"a": Outcome.A, "b": Outcome.B}
_WORSE: Final = {"a": Outcome.B, "b": Outcome.A}
_EVEN: Final = dict.fromkeys("ab", Outcome.TIE)
_BOTH_BAD: Final = dict.fromkeys("ab", Outcome.BOTH_BAD)
_SENTENCES: Final = (
    (re.compile(rf"{_NAMED_WHO}(?:'s answer)? is {_MUCH}(?:better|superior|winner)\b", _I), _BETTER),
    (re.compile(rf"{_NAMED_WHO}(?:'s answer)? is {_MUCH}(?:worse|inferior)\b", _I), _WORSE),
    (re.compile(rf"{_NAMED_WHO} is as good as {_OTHER}", _I), _EVEN),
    (re.compile(rf"{_NAMED_WHO} is as bad as {_OTHER}", _I), _BOTH_BAD),
    (
        re.compile(rf"(?<!比)(?<!比 ){_NAMED_WHO}{_ZH_MUCH}(?:更好|更优|优于|好于|胜出)"),
        _BETTER,
    ),
    (re.compile(rf"{_NAMED_WHO}(?:的回答)?比\s*{_OTHER}(?:的回答)?(?:明显|略|稍|要)*(?:更好|更优|好)"), _BETTER),
    (
        re.compile(rf"(?<!比)(?<!比 ){_NAMED_WHO}{_ZH_MUCH}(?:更差|劣于|差于|不如)"),
        _WORSE,
    ),
    (re.compile(rf"{_NAMED_WHO}(?:的回答)?[和与]\s*{_OTHER}(?:的回答)?一样好"), _EVEN),
    (re.compile(rf"{_NAMED_WHO}(?:的回答)?[和与]\s*{_OTHER}(?:的回答)?一样差"), _BOTH_BAD),
)
"""Patterns whose only group is a side, and what each side then means."""

_SCORE_MARK: Final = re.compile(r"\[\[\s*(-?\d{1,4}(?:\.\d+)?)\s*\]\]")
_SCORE_LINE: Final = re.compile(
    r"^(?:final |overall )?(?:score|rating|评分|得分|分数|打分)\s*[:=是为]*\s*(-?\d{1,4}(?:\.\d+)?)"
    r"(?:\s*/\s*10)?\s*[.。分]?$",
    _I,
)
_NUMBER_LINE: Final = re.compile(r"^(-?\d{1,4}(?:\.\d+)?)(?:\s*/\s*10)?\s*[.。分]?$")
_NAMED: Final = re.compile(r"[-•\s]*([^:=]{1,40})[:=]\s*(\d{1,4})\s*(?:/\s*\d+)?\s*[.。分]?")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The better side of a pair; `strong` if it is said to be much better."""

    outcome: Outcome
    strong: bool = False

    @property
    def swapped(self) -> Verdict:
        """The same verdict on the same answers in the other order."""
        return Verdict(_SWAPPED.get(self.outcome, self.outcome), self.strong)


def pair_verdict(text: str) -> Verdict | None:
    """The verdict on a pair, with the answer shown first as side A; None if there is none or it contradicts itself."""
    lines = _lines(text)
    for read in (_marked, _announced, _bare, _stated):
        result = set(read(lines))
        if result:
            return result.pop() if len(result) == 1 else None
    return None


def score(text: str, low: int, high: int) -> int | None:
    """The score of one answer: the last mark such as [[7]], an announced number, or a line that is only a number.

    None if there is none, it contradicts itself, is no integer or is outside `low` to `high`.
    """
    lines = _lines(text)
    for pattern in (_SCORE_MARK, _SCORE_LINE, _NUMBER_LINE):
        matched = next((result for line in reversed(lines) if (result := set(pattern.findall(line)))), None)
        if matched:
            value = matched.pop()
            return int(value) if not matched and value.isdecimal() and low <= int(value) <= high else None
    return None


def stars(text: str, criteria: dict[str, tuple[int, int]]) -> dict[str, int] | None:
    """The score of each criterion, written as "name: number" on lines of their own, within its scale.

    None if one is missing, said twice with different numbers, or outside its scale.
    """
    results: dict[str, int] = {}
    for line in _lines(text):
        named = _NAMED.fullmatch(line)
        name = named[1].strip().casefold() if named else ""
        if named and name in criteria:
            value, (low, high) = int(named[2]), criteria[name]
            if results.setdefault(name, value) != value or not low <= value <= high:
                return None
    return results if len(results) == len(criteria) else None


def _lines(text: str) -> list[str]:
    """The lines of a text in its plainest form: no full-width signs, no invisible characters, no emphasis."""
    plain = unicodedata.normalize("NFKC", text).replace("≫", ">>").replace("≪", "<<").replace("\t", " ")
    plain = "".join(sign for sign in plain if sign == "\n" or unicodedata.category(sign) not in ("Cf", "Cc"))
    return [line for raw in plain.split("\n") if (line := _EMPHASIS.sub("", raw).strip())]


def _marked(lines: list[str]) -> Iterable[Verdict]:
    """The mark on the last line that has any; several different ones there only repeat the instruction."""
    for line in reversed(lines):
        results = {*map(_relation, _RELATION_MARK.findall(line)), *map(_label, _LABEL_MARK.findall(line))}
        if results:
            return [result for result in results if result and len(results) == 1]
    return []


def _announced(lines: list[str]) -> Iterable[Verdict]:
    """Verdict behind "Verdict:" or a word like it, or on the line below, the last time that it occurs."""
    for line, below in reversed([*zip(lines, [*lines, ""][1:], strict=True)]):
        told = _ANNOUNCED.match(line)
        if told:
            text, plain = (told[1], _LABEL) if told[1] else (below, _BARE)
            label = plain.fullmatch(text)
            return [_label(label[1])] if label else _related([text]) or _stated([text])
    return []


def _bare(lines: list[str]) -> Iterable[Verdict]:
    """The first and the last line, where they are nothing but a label or a relation."""
    ends = [*lines[:1], *lines[-1:]]
    return [*(_label(match[1]) for line in ends if (match := _BARE.fullmatch(line))), *_related(ends)]


def _related(lines: list[str]) -> list[Verdict]:
    """Lines that are nothing but a relation."""
    results = (_relation(matched.groups()) for line in lines if (matched := _RELATION.fullmatch(line)))
    return [result for result in results if result]


def _stated(lines: list[str]) -> Iterable[Verdict]:
    """Comparing sentences that are neither negated nor conditional: all of them must agree."""
    for sentence in (part for line in lines for part in _END.split(line)):
        for pattern, outcomes in _SENTENCES:
            for matches in pattern.finditer(sentence):
                if not _UNSURE.search(sentence, 0, matches.start()):
                    yield Verdict(outcomes[_SIDES[matches[1].casefold()]])


def _relation(parts: tuple[str, ...]) -> Verdict | None:
    """The verdict of a relation such as A>>B, 1<2 or A=B."""
    first, sign, second = _SIDES[parts[0].casefold()], parts[1], _SIDES[parts[2].casefold()]
    if first == second:
        return None
    if sign[0] in "=~":
        return Verdict(Outcome.TIE)
    better = first if sign[0] == ">" else second
    return Verdict(_SIDE[better], strong=len(sign) > 1)


def _label(word: str) -> Verdict:
    return Verdict(_LABELS[" ".join(word.casefold().split())])
