"""The table of the app's leaderboard."""

from __future__ import annotations

from arena_gradio.board import COLUMNS, table
from tests.frontend.fake_api import board


def test_a_model_that_has_met_none_of_the_first_group_has_no_place():
    whole = board(4)
    rows = [row.model_copy(update={"component": int(number > 2)}) for number, row in enumerate(whole.rows)]
    places = [row[COLUMNS.index("rank")] for row in table(whole.model_copy(update={"rows": rows}))]
    assert places == [*(row.rank for row in rows[:3]), None]
