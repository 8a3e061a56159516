"""Forecasts of newcomers: how often their interval holds, and when there is none."""

from __future__ import annotations

import numpy as np
import pytest

from arena.evaluations.domain.predictors.forecast import _leave_one_out_errors, forecast


@pytest.mark.parametrize("models", [12, 30])
def test_the_interval_holds_in_85_to_95_of_100_arenas(models):
    rng = np.random.default_rng(models)
    inside = 0
    for _ in range(200):
        truth = rng.normal(1000, 120, models + 1)
        people, judged = truth + rng.normal(0, 20, models + 1), 0.6 * truth + rng.normal(0, 40, models + 1)
        found = forecast(judged[:-1], people[:-1], float(judged[-1]))
        assert found is not None
        inside += found.low <= people[-1] <= found.high
    assert 170 <= inside <= 190


def test_errors_are_those_of_lines_that_were_fitted_without_the_model():
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(2, 12))
    plain = [y[i] - np.polyval(np.polyfit(np.delete(x, i), np.delete(y, i), 1), x[i]) for i in range(12)]
    assert _leave_one_out_errors(x, y) == pytest.approx(plain)


def test_too_few_models_or_a_judge_without_an_opinion_give_no_forecast():
    eight, nine = np.arange(8.0), np.arange(9.0)
    assert forecast(eight, eight, 3.0) is None
    assert forecast(np.ones(9), nine, 1.0) is None
    found = forecast(nine, 1000 + 10 * nine, 20.0)
    assert found is not None
    assert (found.rating, found.low, found.high) == pytest.approx((1200, 1200, 1200))
