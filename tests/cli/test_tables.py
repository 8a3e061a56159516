"""One way to show rows: a table on a terminal, aligned text elsewhere, and JSON with the same fields."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any

import numpy as np
import pytest
from pydantic import BaseModel

from arena.cli.terminal import tables
from arena.cli.terminal.tables import TextTable, facts_table, printable, show, show_tables, to_json
from arena.serving.commands import COMMANDS, load
from tests.cli.commands import table_lines

DAY = date(2026, 1, 2)


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Bird:
    name: str
    eggs: int | None
    first_seen: date
    colours: tuple[Colour, ...] = ()
    share: float = 0.5


class Nest(BaseModel):
    height: float
    birds: list[str]


BIRDS = [Bird("owl", 3, DAY, (Colour.RED,)), Bird("喜鹊", None, DAY)]


def test_rows_are_aligned_text_without_a_terminal_and_json_with_the_same_fields(capsys):
    show(BIRDS, json=False)
    text = capsys.readouterr().out
    assert text.splitlines() == [
        "name  eggs  first seen  colours  share",
        "owl   3     2026-01-02  red      0.500",
        "喜鹊  -     2026-01-02  -        0.500",
    ]
    assert table_lines(text)[0] == ["owl", "3", "2026-01-02", "red", "0.500"]
    show(BIRDS, json=True)
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert "喜鹊" in out
    assert json.loads(out)[0] == {
        "name": "owl",
        "eggs": 3,
        "first_seen": "2026-01-02",
        "colours": ["red"],
        "share": 0.5,
    }


def test_a_line_of_its_own_changes_the_table_and_not_the_json(capsys):
    show(BIRDS, lambda bird: {"bird": bird.name.upper()}, json=False)
    assert capsys.readouterr().out.split() == ["bird", "OWL", "喜鹊"]


def test_a_list_without_rows_says_so_and_is_an_empty_array_as_json(capsys):
    show([], json=False)
    show([], json=True)
    assert capsys.readouterr().out == "(none)\n[]\n"


def test_tables_have_titles_and_notes_and_facts_stand_below_each_other(capsys):
    show_tables(TextTable([{"a": 1}], "Title", "Note"), facts_table(Nest(height=2, birds=["owl"])))
    assert capsys.readouterr().out.splitlines() == [
        *("Title", "a", "1", "Note", ""),
        *("fact    value", "height  2.000", "birds   owl"),
    ]


def test_a_terminal_gets_a_drawn_table_in_which_no_name_is_markup(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("COLUMNS", "80")
    show([Bird("[red]owl[/]", 1, DAY)], json=False)
    assert "│ [red]owl[/] " in terminal.getvalue()
    show([Bird("owl", 1, DAY)], json=True)
    assert '\n    "name": "owl"' in terminal.getvalue()


@pytest.mark.parametrize(
    ("value", "text", "plain"),
    [
        (None, "-", None),
        (True, "yes", True),
        (False, "no", False),
        (float("nan"), "-", None),
        (0.12345, "0.123", 0.12345),
        (datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "2026-01-02 03:04:05", "2026-01-02T03:04:05+00:00"),
        ({"late": 2}, "late 2", {"late": 2}),
        ([], "-", []),
        ("a\x1b[31m\nb", "a [31m b", "a\x1b[31m\nb"),
        (np.array([[1.5, np.nan]]), None, [[1.5, None]]),
        (Nest(height=1, birds=[]), None, {"height": 1.0, "birds": []}),
        ({Colour.RED: {1}}, None, {"red": "{1}"}),
    ],
)
def test_a_value_is_readable_in_a_cell_and_plain_in_json(value: Any, text: str | None, plain: object):
    assert to_json(value) == plain
    if text is not None:
        assert printable(value) == text


LISTINGS = {"list", "changes", "pending", "presets", "sets", "status", "annotators", "doctor", "plan"}


def test_every_listing_can_be_had_as_json():
    def walk(name: str, command: Any) -> dict[str, Any]:
        children = getattr(command, "commands", None)
        return (
            {key: leaf for child in children for key, leaf in walk(f"{name} {child}", children[child]).items()}
            if children
            else {name: command}
        )

    commands = {key: leaf for name in COMMANDS for key, leaf in walk(name, load(name)).items()}
    listings = {name: leaf for name, leaf in commands.items() if name.split()[-1] in LISTINGS}
    assert len(listings) > 15
    assert [name for name, leaf in listings.items() if "--json" not in {o for p in leaf.params for o in p.opts}] == []
    assert "json" not in vars(tables)
