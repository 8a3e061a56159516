"""The chart of scores over time: there only when it has something to tell."""

from __future__ import annotations

from datetime import timedelta

import pytest

from arena.domain.schemas.board_details import CourseView, HistoryView, MomentView
from arena_frontend.charts.history import history
from tests.conftest import START


@pytest.mark.parametrize(
    ("scores", "shown"),
    [
        ([], False),
        ([1000.0], False),
        ([1000.0, 1000.2, 1000.4], False),
        ([None, 1000.0, None], False),
        ([1000.0, None, 1012.0], True),
    ],
)
def test_a_line_is_drawn_once_a_score_has_changed(scores: list[float | None], *, shown: bool) -> None:
    count = len(scores)
    moments = [MomentView(snapshot=n, votes=n, created_at=START + timedelta(hours=n)) for n in range(count)]
    course = CourseView(name="heron", elo=scores, bt=scores, rank=[1] * count)
    assert (history(HistoryView(moments=moments, courses=[course]), ["heron", "unknown"]) is not None) == shown
