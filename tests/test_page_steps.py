"""The walks of docs/walks, each for one kind of people: every command is typed, and prints what the page shows."""

from __future__ import annotations

import time

import pytest

from tests.paths import ROOT
from tests.typed_pages import steps, terminal

WALKS = sorted((ROOT / "docs" / "walks").glob("*.md"))


@pytest.mark.process
@pytest.mark.parametrize("page", WALKS, ids=lambda page: page.stem)
def test_every_command_of_a_walk_prints_what_the_page_shows(page, tmp_path, record_property):
    began = time.monotonic()
    with terminal(tmp_path) as shell:
        for step in steps(page):
            shell.type(step)
    record_property("steps", len(steps(page)))
    record_property("seconds", round(time.monotonic() - began, 1))
    assert len(steps(page)) >= 4


def test_there_is_a_walk_for_each_of_the_four_kinds_of_people():
    assert [page.stem for page in WALKS] == ["operator", "owner", "researcher", "voter"]
