"""Verdicts in the texts of judges: which side is better, or what score an answer gets.

A text is read in the order of how plainly a judge can speak: a mark in double brackets, a line that begins with a word
such as "Verdict:", a line that is nothing but a label, and a sentence that compares both sides. The first of these that
occurs decides. Where it contradicts itself the text has no verdict: a judgement is lost, but none has a wrong side.
A text must be whole: of "Verdict: Answer A is worse" the first half says the opposite.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from arena.domain.terms import Outcome
from arena.evaluations.domain.judges.verdict import Verdict
from arena.evaluations.domain.judges.verdict_patterns import (
    ANNOUNCED,
    BARE,
    EMPHASIS,
    END,
    LABEL,
    LABEL_MARK,
    LABELS,
    NAMED,
    NUMBER_LINE,
    RELATION,
    RELATION_MARK,
    SCORE_LINE,
    SCORE_MARK,
    SENTENCES,
    SIDE,
    SIDES,
    UNSURE,
)

if TYPE_CHECKING:
    from collections.abc import Iterable


def pair_verdict(text: str) -> Verdict | None:
    """The verdict on a pair, with the answer shown first as side A; None if there is none or it contradicts itself."""
    lines = _lines(text)
    for read in (_marked, _announced, _bare, _stated):
        found = set(read(lines))
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def score(text: str, low: int, high: int) -> int | None:
    """The score of one answer: the last mark such as [[7]], an announced number, or a line that is only a number.

    None if there is none, it contradicts itself, is no integer or is outside `low` to `high`.
    """
    lines = _lines(text)
    for pattern in (SCORE_MARK, SCORE_LINE, NUMBER_LINE):
        matched = next((found for line in reversed(lines) if (found := set(pattern.findall(line)))), None)
        if matched:
            value = matched.pop()
            return int(value) if not matched and value.isdecimal() and low <= int(value) <= high else None
    return None


def stars(text: str, criteria: dict[str, tuple[int, int]]) -> dict[str, int] | None:
    """The score of each criterion, written as "name: number" on lines of their own, within its scale.

    None if one is missing, said twice with different numbers, or outside its scale.
    """
    found: dict[str, int] = {}
    for line in _lines(text):
        named = NAMED.fullmatch(line)
        name = named[1].strip().casefold() if named else ""
        if named and name in criteria:
            value, (low, high) = int(named[2]), criteria[name]
            if found.setdefault(name, value) != value or not low <= value <= high:
                return None
    return found if len(found) == len(criteria) else None


def _lines(text: str) -> list[str]:
    """The lines of a text in its plainest form: no full-width signs, no invisible characters, no emphasis."""
    plain = unicodedata.normalize("NFKC", text).replace("≫", ">>").replace("≪", "<<").replace("\t", " ")
    plain = "".join(sign for sign in plain if sign == "\n" or unicodedata.category(sign) not in ("Cf", "Cc"))
    return [line for raw in plain.split("\n") if (line := EMPHASIS.sub("", raw).strip())]


def _marked(lines: list[str]) -> Iterable[Verdict]:
    """The mark on the last line that has any; several different ones there only repeat the instruction."""
    for line in reversed(lines):
        found = {*map(_relation, RELATION_MARK.findall(line)), *map(_label, LABEL_MARK.findall(line))}
        if found:
            return [each for each in found if each and len(found) == 1]
    return []


def _announced(lines: list[str]) -> Iterable[Verdict]:
    """Verdict behind "Verdict:" or a word like it, or on the line below, the last time that it occurs."""
    for line, below in reversed([*zip(lines, [*lines, ""][1:], strict=True)]):
        told = ANNOUNCED.match(line)
        if told:
            text, plain = (told[1], LABEL) if told[1] else (below, BARE)
            label = plain.fullmatch(text)
            return [_label(label[1])] if label else _related([text]) or _stated([text])
    return []


def _bare(lines: list[str]) -> Iterable[Verdict]:
    """The first and the last line, where they are nothing but a label or a relation."""
    ends = [*lines[:1], *lines[-1:]]
    return [*(_label(found[1]) for line in ends if (found := BARE.fullmatch(line))), *_related(ends)]


def _related(lines: list[str]) -> list[Verdict]:
    """Lines that are nothing but a relation."""
    found = (_relation(matched.groups()) for line in lines if (matched := RELATION.fullmatch(line)))
    return [each for each in found if each]


def _stated(lines: list[str]) -> Iterable[Verdict]:
    """Comparing sentences that are neither negated nor conditional: all of them must agree."""
    for sentence in (part for line in lines for part in END.split(line)):
        for pattern, outcomes in SENTENCES:
            for found in pattern.finditer(sentence):
                if not UNSURE.search(sentence, 0, found.start()):
                    yield Verdict(outcomes[SIDES[found[1].casefold()]])


def _relation(parts: tuple[str, ...]) -> Verdict | None:
    """The verdict of a relation such as A>>B, 1<2 or A=B."""
    first, sign, second = SIDES[parts[0].casefold()], parts[1], SIDES[parts[2].casefold()]
    if first == second:
        return None
    if sign[0] in "=~":
        return Verdict(Outcome.TIE)
    better = first if sign[0] == ">" else second
    return Verdict(SIDE[better], strong=len(sign) > 1)


def _label(word: str) -> Verdict:
    return Verdict(LABELS[" ".join(word.casefold().split())])
