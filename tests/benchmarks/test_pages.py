"""The benchmark of the pages: its table, and Gradio's words beside the arena's."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from benchmarks.commands import app
from benchmarks.load.stamps import TOKEN
from benchmarks.pages.gradio_stream import RATE, answers


async def test_gradio_is_given_as_many_words_on_both_sides_as_the_arena_is():
    last = [both async for both in answers("Hello", 0.5)][-1]
    shown = [talk[-1]["content"] for talk in last]
    assert len(shown[0]) == len(shown[1])
    assert 0 < len(shown[0]) <= 0.5 * RATE * TOKEN


@pytest.mark.heavy
@pytest.mark.browser
@pytest.mark.timeout(600)
def test_the_whole_run_has_a_row_for_everything():
    found = CliRunner().invoke(app, ["pages", "--seconds", "2", "--json"])
    assert found.exit_code == 0, found.output
    assert [row["case"] for row in json.loads(found.output)["rows"]] == ["arena"] * 7 + ["gradio"] * 2
