"""Topics on which a wrong answer can cost a life; practice models are not asked about them.

The rules (`patterns.txt`) favour recall over precision: a false positive costs one refusal.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Final

from arena.domain.labels.rule_files import readable, searches
from arena.domain.terms import PROMPT_LIMIT

PATTERNS: Final = Path(__file__).with_name("patterns.txt")


class Topic(StrEnum):
    """Sensitive topics, the most urgent first; each has its own line of help."""

    CRISIS = "crisis"
    """Suicide, self-harm, despair, violence and abuse."""
    SAFETY = "safety"
    """Dangerous mixtures, fire, gas and electricity, weapons, drugs, fraud and break-ins."""
    HEALTH = "health"
    """Symptoms, medicines and their doses, pregnancy, poisoning and first aid."""


def topic_of(prompt: str) -> Topic | None:
    """The most urgent sensitive topic of a prompt in English or Chinese, or None."""
    plain, kinds = readable(prompt.replace("’", "'"), PROMPT_LIMIT)
    return next((Topic(label) for label, search in searches(PATTERNS, kinds) if search(plain)), None)
