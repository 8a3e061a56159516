"""Style sheets name what the pages have, by classes of their own: none meets an element that it is not meant for."""

from __future__ import annotations

import re
from functools import cache

from arena_frontend.bundle import FOLDERS
from tests.paths import ROOT

SHEETS = [path for folder in FOLDERS for path in folder.rglob("*.css")]
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SELECTOR = re.compile(r"([^{};]+)\{")
SIDED = re.compile(r"_(a|b|tie|both_bad)$")
"""Ids of sides and outcomes, which templates put together."""
BUILT = {"a-direct", "a-side-by-side"}
"""Classes by the kind of a chat, put together too."""


@cache
def markup() -> str:
    places = (*FOLDERS, ROOT / "frontend" / "arena_frontend", ROOT / "arena" / "domain" / "answers")
    files = {path for place in places for kind in ("html", "js", "py") for path in place.rglob(f"*.{kind}")}
    return "\n".join(path.read_text("utf-8") for path in sorted(files))


def names(sign: str) -> dict[str, set[str]]:
    """Classes or ids, each with the sheets that name it."""
    result: dict[str, set[str]] = {}
    for sheet in SHEETS:
        for selector in SELECTOR.findall(COMMENT.sub("", sheet.read_text("utf-8"))):
            for name in re.findall(rf"{sign}([A-Za-z][\w-]*)", selector):
                result.setdefault(name, set()).add(sheet.name)
    return result


@cache
def words() -> set[str]:
    return set(re.findall(r"[\w-]+", markup()))


def test_each_class_has_the_prefix_of_the_arena_and_is_in_a_template_or_script() -> None:
    classes = names(r"\.")
    assert len(classes) > 100
    assert {name: sheets for name, sheets in classes.items() if not name.startswith("a-")} == {}
    assert {name: sheets for name, sheets in classes.items() if name not in words() | BUILT} == {}


def test_each_id_is_in_a_template_or_script() -> None:
    ids = {SIDED.sub("_", name): sheets for name, sheets in names("#").items()}
    assert {name: sheets for name, sheets in ids.items() if name not in words()} == {}


def test_templates_and_scripts_give_elements_no_class_without_the_prefix() -> None:
    given = re.findall(r"""\bclass(?:=|: )["'`]([^"'`{}$]*)["'`]""", markup())
    assert len(given) > 300
    assert {name for text in given for name in text.split() if not name.startswith("a-")} == set()
