"""Files of rules: patterns that speak for a label, each for texts of one script.

A line is `KIND PATTERN`, or `POINTS KIND PATTERN` where patterns weigh differently; `== LABEL` begins the patterns of a
label. Kinds are `word`, which stands alone among Latin letters, `han`, with a Chinese character in it, and `any`.
`let NAME WORDS` names a list that patterns refer to as `<NAME>`. Texts are read in simplified characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from arena.domain.chinese_script import SIMPLIFIED
from arena.domain.package_data import text_of

Search: TypeAlias = Callable[[str], re.Match[str] | None]

SAMPLE: Final = 2_000
"""Characters that rules of version 1 read at either end of a long prompt."""
_SCRIPTS: Final = {"word": re.compile("[a-z]"), "han": re.compile("[\u3400-\u9fff]"), "any": re.compile("")}
"""The kinds of rules, each with a pattern that a text must contain for any of them to match."""
_LINE: Final = re.compile(r"(?:(-?\d+) )?(word|han|any) (.+)")


@dataclass(frozen=True, slots=True)
class Group:
    """All patterns of one kind and number of points as one, for simplified lower-case text."""

    kind: str
    points: int
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Rules:
    """The labels of a file in their order, each with its groups."""

    ordered: list[tuple[str, list[Group]]]


def readable(text: str, sample: int = SAMPLE) -> tuple[str, tuple[str, ...]]:
    """The part of a text that rules read, simplified and in lower case, and the kinds of rules that apply to it.

    Of a long text it is `sample` characters at either end, where people usually state their request.
    """
    part = text if len(text) <= 2 * sample else f"{text[:sample]}\n{text[-sample:]}"
    plain = part.translate(SIMPLIFIED).lower()
    return plain, tuple([kind for kind, script in _SCRIPTS.items() if script.search(plain)])


@cache
def searches(path: Path, kinds: tuple[str, ...]) -> list[tuple[str, Search]]:
    """The label and the search of each group that applies to texts of these kinds, in the order of the file."""
    return [
        (label, group.pattern.search)
        for label, groups in rules(path).ordered
        for group in groups
        if group.kind in kinds
    ]


@cache
def rules(path: Path) -> Rules:
    """The rules of a file."""
    results: dict[str, dict[tuple[str, int], list[str]]] = {}
    named = _Names()
    for line in text_of(path).splitlines():
        if line.startswith("== "):
            results[line[3:]] = {}
        elif line.startswith("let "):
            named.add(*line[4:].split(" ", 1))
        elif rule := _LINE.fullmatch(line):
            points, kind, pattern = rule.groups()
            results[list(results)[-1]].setdefault((kind, int(points or 1)), []).append(named.filled(pattern))
    return Rules([(label, [_group(*key, lines) for key, lines in groups.items()]) for label, groups in results.items()])


@dataclass(slots=True)
class _Names:
    """Lists of words that patterns refer to by name."""

    words: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, name: str, words: str) -> None:
        self.words[f"<{name}>"] = f"(?:{words})"

    def filled(self, pattern: str) -> str:
        for name, words in self.words.items():
            pattern = pattern.replace(name, words)
        return pattern


def _group(kind: str, points: int, lines: list[str]) -> Group:
    """One pattern for all lines; case-sensitive, as folding case would cost as much as the search."""
    either = "|".join(lines)
    # \b sees no boundary between a Latin and a Chinese character.
    return Group(kind, points, re.compile(rf"(?<![a-z])(?:{either})(?![a-z])" if kind == "word" else either))
