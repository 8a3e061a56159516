"""Sentences of commands count one thing in the singular."""

from __future__ import annotations

import re

import pytest

from arena_trust.amounts import amount
from tests.paths import ROOT

TRUST = ROOT / "packages" / "arena-trust" / "arena_trust"
FOLDERS = [
    ROOT / "arena" / "cli",
    ROOT / "arena" / "evaluations" / "cli",
    ROOT / "arena" / "serving",
    TRUST / "verifier",
]
NOUNS = (
    "answers annotations calls conversations items labels leaves models names orders people prompts questions "
    "rows runs seconds tokens votes windows"
)
COUNTED = re.compile(
    r"\{(?!name\}|[A-Z_]+\})[^{}]*\} (?:more |new |bad |refused |stored )*(?:" + "|".join(NOUNS.split()) + r")\b"
)
"""A number in an f-string with a plural after it, whatever the number is."""
COLUMNS = {"arena/cli/release.py", "arena/cli/stability.py"}
"""Right-aligned numbers in lists of several lines, and a number of votes that is no whole one."""


@pytest.mark.parametrize(
    ("number", "words", "sentence"),
    [
        (0, ("vote",), "0 votes"),
        (1, ("vote",), "1 vote"),
        (2, ("vote",), "2 votes"),
        (1, ("leaf is", "leaves are"), "1 leaf is"),
        (5, ("leaf is", "leaves are"), "5 leaves are"),
    ],
)
def test_one_is_singular_and_all_else_plural(number, words, sentence):
    assert amount(number, *words) == sentence


def test_no_command_writes_a_plural_after_whatever_number():
    files = [file for folder in FOLDERS for file in folder.rglob("*.py")]
    names = {str(file.relative_to(ROOT)): file.read_text() for file in files}
    assert len(names) > 60
    found = {name: COUNTED.findall(text) for name, text in names.items() if name not in COLUMNS}
    assert {name: plurals for name, plurals in found.items() if plurals} == {}
