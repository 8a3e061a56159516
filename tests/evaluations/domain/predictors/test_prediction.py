"""Evaluations against a board: SuperCLUE's printed figures, and how few models they rest on."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from arena.evaluations.domain.predictors.mix import EXPLORATORY_BELOW, best_mix
from arena.evaluations.domain.predictors.prediction import (
    correlation_test,
    correlations,
    predict,
    student_test,
    variation,
)
from arena_rating.correlations import pearson, spearman
from tests.evaluations.domain.predictors.superclue import CARENA, CLOSE, MULTI, SINGLE


def mixed(evaluations, ratings):
    return predict(evaluations, ratings, rng=np.random.default_rng(3), rounds=100)


def weights(evaluations, ratings=CARENA) -> dict[str, float]:
    found = mixed(evaluations, ratings)
    assert found.mix is not None
    return {each.name: weight for each, weight in zip(found.predictors, found.mix.weights, strict=True)}


def test_each_set_alone_correlates_as_superclue_printed():
    found = mixed({"close": CLOSE, "single": SINGLE, "multi": MULTI}, CARENA)
    printed = {each.name: round(each.correlations.pearson.value, 4) for each in found.predictors}
    assert printed == {"multi": 0.8985, "single": 0.8747, "close": 0.7950}
    assert {each.models for each in found.predictors} == {5}


@pytest.mark.parametrize(
    ("scores", "correlation", "share"),
    [(SINGLE, 0.9132, {"close": 0.544, "open": 0.456}), (MULTI, 0.9397, {"close": 0.49, "open": 0.51})],
)
def test_the_best_mixes_are_those_that_superclue_printed(scores, correlation, share):
    found = mixed({"close": CLOSE, "open": scores}, CARENA)
    assert found.mix is not None
    assert round(found.mix.correlation, 4) == correlation
    assert weights({"close": CLOSE, "open": scores}) == pytest.approx(share, abs=1e-3)


def test_one_set_more_does_not_enter_the_best_mix():
    found = weights({"close": CLOSE, "single": SINGLE, "multi": MULTI})
    assert found == pytest.approx({"close": 0.49, "single": 0.0, "multi": 0.51}, abs=1e-3)


def test_without_one_of_five_models_the_weight_of_close_may_be_anything():
    models = sorted(CARENA)
    found = best_mix(np.array([[CLOSE[m], MULTI[m]] for m in models]), np.array([CARENA[m] for m in models]))
    assert found is not None
    without = {model: round(each[0], 2) for model, each in zip(models, found.left_out, strict=True)}
    assert without == {"MiniMax": 0.28, "ChatGLM-130B": 0.47, "ChatGLM2-6B": 0.44, "Ziya-13B": 1.0, "MOSS": 0.0}
    assert found.bands[0] == (0.0, 1.0)
    assert found.exploratory


def test_close_against_open_over_eight_models():
    models = sorted(CLOSE)
    x, y = (np.array([each[m] for m in models]) for each in (CLOSE, SINGLE))
    found = correlations(x, y, rng=np.random.default_rng(1))
    assert (round(found.pearson.value, 4), round(found.spearman.value, 4)) == (0.5547, 0.5150)
    assert found.pearson.low < 0.2
    tests = (student_test(x, y), student_test(x, y, spearman))
    assert [tuple(round(value, 4) for value in each) for each in tests] == [(0.5547, 0.1536), (0.5150, 0.1915)]
    assert (round(variation(x), 2), round(variation(y), 2)) == (0.11, 0.34)


def exact_chance(x, y, measure):
    """Every order of y by itself."""
    limit = abs(measure(x, y, np.ones((1, len(x))))[0]) - 1e-9
    orders = [np.array(order) for order in permutations(y)]
    return np.mean([abs(measure(x, order, np.ones((1, len(x))))[0]) >= limit for order in orders])


@pytest.mark.parametrize("measure", [pearson, spearman])
def test_below_ten_models_a_chance_is_the_share_of_orders_as_extreme(measure):
    rng = np.random.default_rng(5)
    for models in (3, 4, 5, 6):
        for x, y in (
            (rng.normal(size=models), rng.normal(size=models)),
            rng.integers(0, 3, (2, models)) + np.eye(2, models),
        ):
            assert correlation_test(x, y, measure)[1] == pytest.approx(exact_chance(x, y, measure), nan_ok=True)


@pytest.mark.parametrize("unit", [1e-6, 1e-3, 1e6])
def test_a_chance_does_not_depend_on_the_unit_of_a_column(unit):
    x, y = np.random.default_rng(7).normal(size=(2, 6))
    chance = correlation_test(x, y)[1]
    assert 0 < chance < 1
    assert correlation_test(unit * x, unit * y)[1] == pytest.approx(chance)


def test_a_perfect_order_of_few_models_proves_little():
    found = [correlation_test(np.arange(n * 1.0), np.arange(n * 1.0) ** 3, spearman) for n in (4, 5)]
    assert found == [(1.0, pytest.approx(2 / 24)), (1.0, pytest.approx(2 / 120))]
    assert np.isnan(student_test(np.arange(5.0), np.arange(5.0))[1])
    assert correlation_test(np.arange(12.0), np.arange(12.0))[1] == 0.0


def test_a_mix_is_no_worse_than_any_on_a_grid():
    rng = np.random.default_rng(6)
    for _ in range(20):
        scores, rating = rng.normal(size=(9, 3)), rng.normal(size=9)
        found = best_mix(scores, rating)
        assert found is not None
        steps = np.linspace(0, 1, 21)
        grid = [(a, b, 1 - a - b) for a in steps for b in steps if a + b <= 1]
        assert found.correlation >= max(np.corrcoef(scores @ each, rating)[0, 1] for each in grid) - 1e-9


def test_a_mix_of_known_weights_is_found_and_not_exploratory_from_twelve_models_on():
    rng = np.random.default_rng(8)
    scores = rng.normal(size=(EXPLORATORY_BELOW, 2)) * (1, 50)
    found = best_mix(scores, scores @ (0.7, 0.3))
    assert found is not None
    assert found.weights == pytest.approx((0.7, 0.3))
    assert not found.exploratory
    assert best_mix(scores[1:], scores[1:] @ (0.7, 0.3)).exploratory  # pyright: ignore[reportOptionalMemberAccess]


@pytest.mark.parametrize("scores", [np.ones((9, 2)), np.eye(3)[:, :2], np.arange(9.0)[:, None], np.eye(9)[:, :7]])
def test_where_no_mix_is_defined_there_is_none(scores):
    assert best_mix(scores, np.arange(float(len(scores)))) is None


def test_models_without_a_rating_or_a_score_are_left_out_of_their_evaluation_only():
    found = mixed({"close": {**CLOSE, "unrated": 1.0}, "new": {"MOSS": 1.0}}, CARENA)
    assert {each.name: each.models for each in found.predictors} == {"close": 5, "new": 1}
    assert found.mixed == ("MOSS",)
    assert found.mix is None


def test_evaluations_stand_beside_each_other_too():
    (pair,) = mixed({"close": CLOSE, "single": SINGLE}, CARENA).between
    assert (pair.first, pair.second, pair.models) == ("close", "single", 8)
    assert (round(pair.pearson, 4), round(pair.spearman, 4)) == (0.5547, 0.5150)
    assert mixed({"close": CLOSE}, CARENA).between == ()
