"""Which of SuperCLUE's ten capabilities a prompt asks for, as far as plain rules can tell; otherwise none.

The rules (`rules.txt`) look for words by which people ask for one thing rather than another, in Chinese and English,
the more telling ones first. They are made to be right when they speak, not to speak always.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

SAMPLE: Final = 2_000
"""Characters that are looked at from either end of a long prompt: that is where people say what they want."""
_SIGNS: Final = {"word": re.compile("[a-z]"), "han": re.compile("[\u3400-\u9fff]"), "any": re.compile("")}
"""The kinds of rules, and what has to be in a text for them to find anything."""
RULES: Final = Path(__file__).with_name("rules.txt")


class Category(StrEnum):
    """The ten capabilities by which SuperCLUE sorts what people ask."""

    UNDERSTANDING = "understanding"
    CHAT = "chat"
    DIALOGUE = "dialogue"
    WRITING = "writing"
    KNOWLEDGE = "knowledge"
    CODE = "code"
    REASONING = "reasoning"
    CALCULATION = "calculation"
    ROLEPLAY = "roleplay"
    SAFETY = "safety"


def category_of(prompts: Sequence[str]) -> Category | None:
    """The capability that the first prompt of a battle asks for.

    A battle of several prompts whose first one tells nothing is a dialogue: its answers had to carry a context.
    """
    if not prompts:
        return None
    text = prompts[0]
    sample = text if len(text) <= 2 * SAMPLE else f"{text[:SAMPLE]}\n{text[-SAMPLE:]}"
    rules = _rules()
    plain = sample.translate(rules.same).lower()
    kinds = [kind for kind, sign in _SIGNS.items() if sign.search(plain)]
    for category, patterns in rules.ordered:
        if any(patterns[kind].search(plain) for kind in kinds if kind in patterns):
            return category
    return Category.DIALOGUE if len(prompts) > 1 else None


@dataclass(frozen=True, slots=True)
class _Rules:
    """The rules by kind, in the order of their file, for text in lower case; and which signs they take for the same."""

    ordered: list[tuple[Category, dict[str, re.Pattern[str]]]]
    same: dict[int, str]


@cache
def _rules() -> _Rules:
    found: dict[Category, dict[str, list[str]]] = {}
    named: dict[str, str] = {}
    same: dict[int, str] = {}
    for line in RULES.read_text(encoding="utf-8").splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "==":
            found[Category(rest)] = {kind: [] for kind in _SIGNS}
        elif kind == "same":
            same |= {ord(traditional): simple for traditional, simple in zip(rest[::2], rest[1::2], strict=True)}
        elif kind == "let":
            name, _, words = rest.partition(" ")
            named[f"<{name}>"] = f"(?:{words})"
        elif kind in _SIGNS:
            for name, words in named.items():
                rest = rest.replace(name, words)
            found[list(found)[-1]][kind].append(rest)
    ordered = [
        (category, {kind: _either(kind, lines) for kind, lines in kinds.items() if lines})
        for category, kinds in found.items()
    ]
    return _Rules(ordered, same)


def _either(kind: str, lines: list[str]) -> re.Pattern[str]:
    """One pattern for all lines of a kind; no case is folded in it, which would cost as much as the search."""
    either = "|".join(lines)
    # The usual boundary of a word does not see one between a Latin and a Chinese sign.
    return re.compile(rf"(?<![a-z])(?:{either})(?![a-z])" if kind == "word" else either)
