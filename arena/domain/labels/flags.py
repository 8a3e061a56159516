"""Flags of a prompt as LMArena has them, several at once, by rules: exact ones, and criteria that are counted.

There a model judges seven criteria of hardness and five of instructions; here rules count demands and subjects, which
is coarser, and the matrix of each labeller says by how much.
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
"""Criteria of instructions; with `INSTRUCTED` of them a prompt has the flag."""
INSTRUCTED: Final = 3
HARD: Final = 3
"""Criteria of hardness with which a prompt is hard."""
DEMANDING: Final = 2
"""Demands that make a prompt harder."""
DETAILED: Final = 60
"""Tokens of a prompt that says more than a bare wish."""
LONG: Final = 500
"""Tokens of a long prompt, by `tokens`."""
_WIDE: Final = re.compile("[\u3040-\u9fff\uac00-\ud7af]")
_THOUGHT: Final = {Category.CODE, Category.CALCULATION, Category.REASONING}


def flags_of(prompts: Sequence[str]) -> tuple[str, ...]:
    """The flags of a conversation, in the order of their set; its words are those of the first prompt."""
    if not prompts:
        return ()
    capabilities, criteria = capabilities_of(prompts), _criteria(prompts[0])
    demands, length = len(criteria.intersection(DEMANDS)), sum(map(tokens, prompts))
    hardness = {
        "specific": "exact" in criteria,
        "thought": bool(_THOUGHT.intersection(capabilities)),
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
        "long": length >= LONG,
        "expert": "expert" in criteria,
    }
    return tuple(flag for flag, holds in result.items() if holds)


def tokens(text: str) -> int:
    """About the number of tokens: one for each sign of Chinese, Japanese or Korean and for four other characters."""
    wide = len(_WIDE.findall(text))
    return wide + (len(text) - wide) // 4


def _criteria(prompt: str) -> set[str]:
    plain, kinds = readable(prompt, SAMPLE)
    return {
        name
        for name, groups in rules(FILE).ordered
        if any(group.kind in kinds and group.pattern.search(plain) for group in groups)
    }
