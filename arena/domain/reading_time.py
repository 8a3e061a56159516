"""Minimum reading time of answers; a vote that comes sooner is not counted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST: Final = 10.0
"""Upper bound in seconds: a first impression of a long answer is a valid opinion."""
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]")


def seconds(answers: Iterable[str], speed: float) -> float:
    """Reading time of the shortest answer at `speed` characters a second; a Han character counts twice."""
    return min(LONGEST, *((len(answer) + len(_HAN.findall(answer))) / speed for answer in answers))
