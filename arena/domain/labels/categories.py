"""Category of a prompt: at most one of SuperCLUE's ten capabilities, by version 1 of the rules.

It is stored with a vote when it is cast; `capabilities` has version 2. The rules (`rules.txt`) search for
characteristic words in Chinese and English, the most specific first, and favour precision over recall.
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
"""The category of all battles about images."""
WEB: Final = "web"
"""The category of all battles of web pages."""


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
    """The category of a battle by its first prompt; a dialogue if no rule matches and further prompts follow."""
    if not prompts:
        return None
    plain, kinds = readable(prompts[0])
    for label, search in searches(RULES, kinds):
        if search(plain):
            return Category(label)
    return Category.DIALOGUE if len(prompts) > 1 else None
