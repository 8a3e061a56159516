"""Flags of a prompt after LMArena, several at once, by rules.

LMArena's flags come from a model, which judges seven criteria of hardness and five of instructions. The rules here are
coarser; the confusion with people's labels measures by how much.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.domain.labels.capabilities import SAMPLE, capabilities_of
from arena.domain.labels.categories import Category
from arena.domain.labels.rule_files import readable, rules

if TYPE_CHECKING:
    from collections.abc import Sequence

FILE: Final = Path(__file__).with_name("flags.txt")
DEMANDS: Final = ("form", "size", "limits", "steps", "audience")
"""Criteria of instructions; a prompt with `INSTRUCTED` of them has the flag `instruction_following`."""
INSTRUCTED: Final = 3
HARD: Final = 3
"""Criteria of hardness that a hard prompt meets."""
DEMANDING: Final = 2
"""Criteria of instructions that together are one criterion of hardness."""
DETAILED: Final = 60
"""Tokens of all prompts from which their length is a criterion of hardness."""
LONG_TOKENS: Final = 500
"""Tokens of all prompts from which a conversation is long."""
_WIDE_CHARACTER: Final = re.compile("[\u3040-\u9fff\uac00-\ud7af]")
_REASONING: Final = {Category.CODE, Category.CALCULATION, Category.REASONING}


def flags_of(prompts: Sequence[str]) -> tuple[str, ...]:
    """The flags of a conversation, in the order of their set; rules read the first prompt only."""
    if not prompts:
        return ()
    capabilities, criteria = capabilities_of(prompts), _criteria(prompts[0])
    demands, length = len(criteria.intersection(DEMANDS)), sum(map(tokens, prompts))
    hardness = {
        "specific": "exact" in criteria,
        "thought": bool(_REASONING.intersection(capabilities)),
        "knowledge": "expert" in criteria,
        "demands": demands >= DEMANDING,
        "detail": length >= DETAILED,
    }
    result = {
        "hard": sum(hardness.values()) >= HARD,
        "instruction_following": demands >= INSTRUCTED,
        "mathematics": Category.CALCULATION in capabilities,
        "creative": Category.WRITING in capabilities and "creative" in criteria,
        "code": Category.CODE in capabilities or "```" in prompts[0],
        "multi_turn": len(prompts) > 1,
        "long": length >= LONG_TOKENS,
        "expert": "expert" in criteria,
    }
    return tuple(flag for flag, holds in result.items() if holds)


def tokens(text: str) -> int:
    """Approximate number of tokens: one per Chinese, Japanese or Korean character and per four other characters."""
    wide = len(_WIDE_CHARACTER.findall(text))
    return wide + (len(text) - wide) // 4


def _criteria(prompt: str) -> set[str]:
    plain, kinds = readable(prompt, SAMPLE)
    return {
        name
        for name, groups in rules(FILE).ordered
        if any(group.kind in kinds and group.pattern.search(plain) for group in groups)
    }
