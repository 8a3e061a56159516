"""Well-known names of vendors and models; the operator is warned when an owner or endpoint uses one.

Each line of `well_known.txt` has the name of a vendor, then those of its models.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from arena.domain.blinding.identity.visible_text import normalised, skeleton
from arena.domain.package_data import text_of

_LIST: Final = Path(__file__).with_name("well_known.txt")
_RUN: Final = re.compile(r"[^\W\d_]+|\d+")
_MIN_INNER_LENGTH: Final = 5
"""Minimum length of a Latin name that is recognised inside another word, as in `ChatGPT-plus` or `0penAI`."""


@dataclass(frozen=True, slots=True)
class WellKnown:
    """A well-known name and its vendor."""

    vendor: str
    name: str


def find_well_known(text: str) -> list[WellKnown]:
    """The well-known names that a name contains or looks like."""
    folded, runs = skeleton(text), [skeleton(run) for run in _RUN.findall(normalised(text))]
    return [model for model, form in _folded_names() if form in runs or (_is_long(form) and form in folded)]


@cache
def _folded_names() -> tuple[tuple[WellKnown, str], ...]:
    lines = [re.split(r";\s*", line) for line in text_of(_LIST).splitlines()]
    return tuple((WellKnown(names[0], name), skeleton(name)) for names in lines for name in names)


def _is_long(form: str) -> bool:
    return len(form) >= _MIN_INNER_LENGTH or not form.isascii()
