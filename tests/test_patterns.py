"""No regular expression takes more than linear time: texts of strangers would stop whoever searches them."""

import re

import pytest

from tests.paths import ROOT
from tests.pattern_times import PatternUse, patterns_of, slow_text
from tests.test_house import PACKAGES

ROOTS = {"arena": ROOT / "arena"} | {name: folder / name for name, folder in PACKAGES.items()}


@pytest.mark.parametrize("name", ROOTS)
def test_every_pattern_takes_linear_time(name):
    slow = {use.place: text for use in patterns_of(ROOTS[name], name) if (text := slow_text(use))}
    assert slow == {}


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?<![a-z])[a-z_.-]*sess(?:ion)?[ _-]?(?:id|key)?[\"']? ?[=:] ?([\w%~+/|*!.-]{10,})",
        r"\s+\Z",
        r"(?:a+)+b",
        r"so\s*,?\s*\(",
        r"\[\[[^\]]*\]\]",
    ],
)
def test_a_pattern_that_does_not_is_found(pattern):
    assert slow_text(PatternUse("planted", re.compile(pattern), anchored=False))


def test_one_that_is_only_tried_at_the_beginning_is_tried_there():
    assert slow_text(PatternUse("planted", re.compile(r"[a-z]+://x"), anchored=True)) is None
    assert slow_text(PatternUse("planted", re.compile(r"\s*,?\s*if"), anchored=True))


@pytest.mark.parametrize(
    "pattern", [r"\w+", r"(?<![a-z_.-])[a-z_.-]*+sess", r'"(?:[^"\\]++|\\.)*+"?', r"(?<!\s)\s++\Z"]
)
def test_a_linear_pattern_is_none(pattern):
    assert slow_text(PatternUse("planted", re.compile(pattern), anchored=False)) is None
