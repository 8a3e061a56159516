"""The style of an answer: its length and its formatting, counted in its Markdown text.

Headers, list items and bold spans are counted outside fenced code. The scan takes linear time and is no Markdown
parser: it ignores setext headers and bold text that spans lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena_rating.counts import ratio
from arena_rating.errors import BadComparisons

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_HEADER: Final = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_ITEM: Final = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S")
_CODE_SPAN: Final = re.compile(r"`[^`]*`")
_BOLD: Final = re.compile(r"\*\*(?=[^\s*])[^*]*(?<=\S)\*\*|__(?=[^\s_])[^_]*(?<=\S)__")


@dataclass(frozen=True, slots=True)
class Markup:
    """Style counts of one answer.

    Attributes:
        length: Characters (code points) of the stripped text, code included.
        headers: ATX headers ("# ...").
        lists: Items of bulleted and numbered lists.
        bold: Spans in ** or __.
    """

    length: int
    headers: int
    lists: int
    bold: int


STYLE_FEATURES: Final = tuple(field.name for field in fields(Markup))
"""The columns of `style_features`."""


def markup_of(text: str) -> Markup:
    """Measure the style of one answer."""
    lines = list(_outside_fences(text)) if "```" in text or "~~~" in text else text.splitlines()
    return Markup(
        length=len(text.strip()),
        headers=len([line for line in lines if "#" in line and _HEADER.match(line)]),
        lists=len([line for line in lines if _ITEM.match(line)]),
        bold=sum([len(_BOLD.findall(_CODE_SPAN.sub("", line))) for line in lines if "**" in line or "__" in line]),
    )


def style_of(texts: Iterable[str]) -> list[int]:
    """Sum of the counts of one side's answers, in the order of `STYLE_FEATURES`."""
    markups = [markup_of(text) for text in texts]
    return [sum(getattr(markup, feature) for markup in markups) for feature in STYLE_FEATURES]


def style_features(left: Iterable[Markup], right: Iterable[Markup]) -> NDArray[np.float64]:
    """Input of `style_bradley_terry`, float64 [n, 4]: one row per comparison, one column per `STYLE_FEATURES`."""
    return share_differences(_table(left), _table(right))


def share_differences(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """Relative difference (left - right) / (left + right) in [-1, 1], 0 where both are 0; arrays of any one shape.

    Raises:
        BadComparisons: Shapes differ, or a number is negative, infinite or nan.
    """
    if left.shape != right.shape:
        raise BadComparisons(f"left and right have different shapes: {left.shape} and {right.shape}")
    total = left + right
    if not (np.isfinite(total) & (left >= 0) & (right >= 0)).all():
        raise BadComparisons("a measure of style is not a finite number of at least 0")
    return ratio(left - right, total, 0.0)


def _table(answers: Iterable[Markup]) -> NDArray[np.float64]:
    return np.array([astuple(answer) for answer in answers], np.float64).reshape(-1, len(STYLE_FEATURES))


def _outside_fences(text: str) -> Iterator[str]:
    """Lines outside fenced code; an unclosed fence extends to the end, as in CommonMark."""
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
        elif mark and not (mark[1][0] == "`" and "`" in mark[2]):
            fence = mark[1]
        else:
            yield line
