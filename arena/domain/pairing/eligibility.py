"""Which models of a pool may be drawn for a prompt. It takes candidates out; the weights of the others stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.domain.terms import Side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.domain.pairing.draw import Candidate

LEAST: Final = 4
"""Fewest models that a rule may leave, so that a pair stays hard to guess."""
LEAST_PRACTICE: Final = 2
"""The same where all are practice models, which nobody has to guess."""
UNKNOWN: Final = "other"
"""The language of a prompt of which nobody can tell."""


@dataclass(frozen=True, slots=True)
class Need:
    """The requirements of a prompt: its language (ISO 639-1), and whether it comes with images.

    `script` says that scripted practice models can answer it, `sensitive` that no practice model may.
    """

    language: str = UNKNOWN
    script: bool = False
    vision: bool = False
    sensitive: bool = False


def need_of(prompt: str, language: str, *, script: bool, vision: bool = False, sensitive: bool = False) -> Need:
    """The requirements of a prompt detected as `language`; of a single ASCII word the language is taken as unknown."""
    certain = UNKNOWN if prompt.isascii() and len(prompt.split()) < 2 else language
    return Need(certain, script, vision, sensitive)


def taking_part(pool: Sequence[Candidate]) -> Sequence[Candidate]:
    """The candidates without the practice models that stand by, if two real ones can be drawn."""
    real = [candidate for candidate in pool if not candidate.practice and candidate.weight > 0]
    return pool if len(real) < len(Side) else [candidate for candidate in pool if not candidate.standby]


def eligible(pool: Sequence[Candidate], need: Need) -> Sequence[Candidate]:
    """The candidates that know the prompt's language, scripted ones among them only for what they can do.

    Where all are practice models, scripted ones meet each other for what they can do, and for what nobody else can:
    then they say so. A rule that would leave too few is dropped; the last resort is the whole pool. Who sees no images
    is never drawn for a prompt with some, however few are left; a sensitive prompt goes to any two real models first.
    """
    able = [candidate for candidate in pool if candidate.weight > 0 and (candidate.vision or not need.vision)]
    real = [candidate for candidate in able if not candidate.practice]
    if need.sensitive and len(real) >= len(Side):
        able = real
    practice = all(candidate.practice for candidate in able)
    knowing = [candidate for candidate in able if _knows(candidate, need.language)]
    scripted = [candidate for candidate in able if candidate.scripted]
    free = [candidate for candidate in knowing if not candidate.scripted]
    if practice:
        preferred = [scripted] if need.script else [free, scripted]
    else:
        preferred = [knowing] if need.script else [free, knowing]
    least = LEAST_PRACTICE if practice else LEAST
    return next((some for some in preferred if len(some) >= least), able)


def _knows(candidate: Candidate, language: str) -> bool:
    return language == UNKNOWN or not candidate.languages or language in candidate.languages
