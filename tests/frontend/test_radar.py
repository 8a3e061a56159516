"""The wheel of figures by area: of three areas or more, and of values that differ."""

from __future__ import annotations

import pytest

from arena_frontend.charts.radar import wheel


def lines(*values: float | None) -> list[dict[str, object]]:
    return [{"area": f"area {place}", "gull": value, "heron": 0.0} for place, value in enumerate(values)]


def test_a_wheel_has_a_star_for_each_model():
    drawn = wheel(lines(0.2, 0.5, 1.0))
    assert drawn is not None
    assert (len(drawn["stars"]), len(drawn["spokes"]), drawn["models"]) == (2, 3, ["gull", "heron"])


@pytest.mark.parametrize("values", [(0.0, 0.0, 0.0), (0.5, 0.5), (0.5, None, 0.5)], ids=str)
def test_values_that_are_all_the_same_and_few_areas_make_no_wheel(values):
    assert wheel(lines(*values)) is None
