"""Category of a prompt: one of SuperCLUE's ten capabilities by plain rules, or none.

This is version 1 of the rules, which fixes the category of a vote when it is cast; `capabilities` has the second. The
rules (`rules.txt`) look for characteristic words in Chinese and English, the most specific ones first. They favour
precision over recall.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.domain.labels.rule_files import readable, searches

if TYPE_CHECKING:
    from collections.abc import Sequence

RULES: Final = Path(__file__).with_name("rules.txt")


VISION: Final = "vision"
"""The category of battles about images, whatever their words."""
WEB: Final = "web"
"""The category of battles of web pages, whatever their words."""


class Category(StrEnum):
    """SuperCLUE's ten capabilities."""

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
    """The category of a battle, from its first prompt.

    A battle of several prompts whose first one matches no rule is a dialogue, as its answers depend on context.
    """
    if not prompts:
        return None
    plain, kinds = readable(prompts[0])
    for label, result in searches(RULES, kinds):
        if result(plain):
            return Category(label)
    return Category.DIALOGUE if len(prompts) > 1 else None
