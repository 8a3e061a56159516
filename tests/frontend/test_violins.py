"""Violins: SuperCLUE's printed coefficients of variation, outlines within their column, and none of few models."""

from __future__ import annotations

import pytest

from arena_frontend.charts.violins import HEIGHT, LEFT, WIDTH, violins
from tests.evaluations.domain.predictors.superclue import CLOSE, SINGLE


def shares(percent: dict[str, float]) -> list[tuple[str, float]]:
    return [(model, value / 100) for model, value in percent.items()]


def test_the_printed_coefficients_of_variation_come_out() -> None:
    found = violins({"close": shares(CLOSE), "open_single": shares(SINGLE)})
    assert found is not None
    assert [(part["name"], round(part["variation"], 2)) for part in found["parts"]] == [
        ("close", 0.11),
        ("open_single", 0.34),
    ]
    heights = [max(y for _, _, y in part["points"]) - min(y for _, _, y in part["points"]) for part in found["parts"]]
    assert heights[0] < heights[1]


def test_an_outline_is_even_and_within_the_picture() -> None:
    found = violins({"close": shares(CLOSE)})
    assert found is not None
    (part,) = found["parts"]
    half = len(part["outline"]) // 2
    right, left = part["outline"][:half], part["outline"][half:][::-1]
    assert [y for _, y in right] == [y for _, y in left]
    assert [x - part["x"] for x, _ in right] == pytest.approx([part["x"] - x for x, _ in left], abs=0.11)
    assert all(LEFT <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in part["outline"])


@pytest.mark.parametrize("values", [[], shares(CLOSE)[:4], [(name, 0.5) for name in CLOSE]])
def test_of_few_models_or_equal_ones_there_is_none(values) -> None:
    assert violins({"close": values}) is None
