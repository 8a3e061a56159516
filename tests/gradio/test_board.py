"""The table of the app's leaderboard."""

from __future__ import annotations

import pytest

from arena_gradio.board import COLUMNS, standing, table
from arena_gradio.texts import PATHS, AppTexts
from tests.frontend.fake_api import board


def test_a_model_that_has_met_none_of_the_first_group_has_no_place():
    whole = board(4)
    rows = [row.model_copy(update={"component": int(number > 2)}) for number, row in enumerate(whole.rows)]
    places = [row[COLUMNS.index("rank")] for row in table(whole.model_copy(update={"rows": rows}))]
    assert places == [*(row.rank for row in rows[:3]), None]


@pytest.mark.parametrize("language", PATHS)
@pytest.mark.parametrize("reason", ["few_votes", "wide"])
def test_a_handful_of_votes_is_no_place_and_no_score(language, reason):
    row, words = board(4).rows[0].model_copy(update={"score": 1059.2, "battles": 7}), AppTexts(language)
    assert standing(row, words) == words("score", rank=1, score=1059)
    few = standing(row.model_copy(update={"preliminary": [reason]}), words)
    assert (few, "1059" in few) == (words("few", battles=7), False)
    unplaced = [None, row.model_copy(update={"component": 1}), row.model_copy(update={"score": None})]
    assert {standing(other, words) for other in unplaced} == {words("unrated")}
