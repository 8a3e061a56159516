"""Files of rules: patterns for labels, each for texts of one script.

A line is `KIND PATTERN` or `POINTS KIND PATTERN`; `== LABEL` begins the patterns of a label. Kinds are `word`, which
matches between Latin letters only as a whole word, `han`, for texts with Chinese characters, and `any`.
`let NAME WORDS` names a list, for which `<NAME>` stands in patterns. Texts are read in simplified characters.
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
"""Characters read at either end of a long prompt, by default."""
_SCRIPTS: Final = {"word": re.compile("[a-z]"), "han": re.compile("[\u3400-\u9fff]"), "any": re.compile("")}
"""The kinds of rules, each with a pattern without which no rule of the kind can match a text."""
_LINE: Final = re.compile(r"(?:(-?\d+) )?(word|han|any) (.+)")


@dataclass(frozen=True, slots=True)
class Group:
    """All patterns of one kind and number of points combined, for lower-case text in simplified characters."""

    kind: str
    points: int
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Rules:
    """The labels of a file in order, each with its groups."""

    ordered: list[tuple[str, list[Group]]]


def readable(text: str, sample: int = SAMPLE) -> tuple[str, tuple[str, ...]]:
    """The part of a text that rules read, in simplified characters and lower case, and the kinds that may match it.

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
    lists = _WordLists()
    for line in text_of(path).splitlines():
        if line.startswith("== "):
            results[line[3:]] = {}
        elif line.startswith("let "):
            lists.add(*line[4:].split(" ", 1))
        elif rule := _LINE.fullmatch(line):
            points, kind, pattern = rule.groups()
            results[list(results)[-1]].setdefault((kind, int(points or 1)), []).append(lists.expand(pattern))
    return Rules([(label, [_group(*key, lines) for key, lines in groups.items()]) for label, groups in results.items()])


@dataclass(slots=True)
class _WordLists:
    """Lists of words that patterns refer to by name."""

    words: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, name: str, words: str) -> None:
        self.words[f"<{name}>"] = f"(?:{words})"

    def expand(self, pattern: str) -> str:
        for name, words in self.words.items():
            pattern = pattern.replace(name, words)
        return pattern


def _group(kind: str, points: int, lines: list[str]) -> Group:
    """One pattern for all lines; case-sensitive, since ignoring case would double the time of the search."""
    alternatives = "|".join(lines)
    # \b has no boundary between a Latin and a Chinese character.
    pattern = rf"(?<![a-z])(?:{alternatives})(?![a-z])" if kind == "word" else alternatives
    return Group(kind, points, re.compile(pattern))
