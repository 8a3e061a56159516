"""Selection of the models that may be drawn for a prompt; it removes candidates and changes no weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.domain.terms import Side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.domain.pairing.draw import Candidate

MIN_MODELS: Final = 4
"""Fewest models to which a rule may reduce a pool; with fewer, the pair would be easy to guess."""
MIN_PRACTICE_MODELS: Final = 2
"""The same for a pool of practice models only, whose names are no secret."""
UNKNOWN: Final = "other"
"""Code for a language that could not be detected."""


@dataclass(frozen=True, slots=True)
class Need:
    """The requirements of a prompt.

    `language`: ISO 639-1 code or `UNKNOWN`. `script`: scripted practice models can answer it. `vision`: it has images.
    `sensitive`: no practice model may answer it.
    """

    language: str = UNKNOWN
    script: bool = False
    vision: bool = False
    sensitive: bool = False


def need_of(prompt: str, language: str, *, script: bool, vision: bool = False, sensitive: bool = False) -> Need:
    """The requirements of a prompt with the detected `language`, which is unreliable for a single ASCII word."""
    reliable = UNKNOWN if prompt.isascii() and len(prompt.split()) < 2 else language
    return Need(reliable, script, vision, sensitive)


def taking_part(pool: Sequence[Candidate]) -> Sequence[Candidate]:
    """The candidates, without those on standby if two real models can be drawn."""
    real = [candidate for candidate in pool if not candidate.practice and candidate.weight > 0]
    return pool if len(real) < len(Side) else [candidate for candidate in pool if not candidate.standby]


def eligible(pool: Sequence[Candidate], need: Need) -> Sequence[Candidate]:
    """The candidates that answer in the prompt's language; scripted ones only if they can answer the prompt.

    In a pool of practice models only, scripted ones answer alone what they can, and what no other model there answers
    in its language. Language and script are ignored where they would leave fewer than `MIN_MODELS`
    (`MIN_PRACTICE_MODELS`); images never are. A sensitive prompt goes to real models only, if there are two of them.
    """
    able = [candidate for candidate in pool if candidate.weight > 0 and (candidate.vision or not need.vision)]
    real = [candidate for candidate in able if not candidate.practice]
    if need.sensitive and len(real) >= len(Side):
        able = real
    is_practice = all(candidate.practice for candidate in able)
    speakers = [candidate for candidate in able if _speaks(candidate, need.language)]
    scripts = [candidate for candidate in able if candidate.scripted]
    speaking_models = [candidate for candidate in speakers if not candidate.scripted]
    if is_practice:
        preferences = [scripts] if need.script else [speaking_models, scripts]
    else:
        preferences = [speakers] if need.script else [speaking_models, speakers]
    least = MIN_PRACTICE_MODELS if is_practice else MIN_MODELS
    return next((candidates for candidates in preferences if len(candidates) >= least), able)


def _speaks(candidate: Candidate, language: str) -> bool:
    return language == UNKNOWN or not candidate.languages or language in candidate.languages
