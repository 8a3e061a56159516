import math

import numpy as np
import pytest

from arena_rating import BadParameters, PairCounts, tie_fits
from arena_rating.ties import _MODELS

STRENGTH = np.array([0.8, 0.3, 0.0, -0.4, -0.7])


def chances(name: str, gap: float, parameter: float) -> tuple[float, float, float]:
    """Win, loss and tie as the papers write them."""
    a, b = math.exp(gap), 1.0
    if name == "davidson":
        whole = a + b + parameter * math.sqrt(a * b)
        return a / whole, b / whole, parameter * math.sqrt(a * b) / whole
    win, loss = a / (a + parameter * b), b / (b + parameter * a)
    return win, loss, 1 - win - loss


def counts(name: str, parameter: float, votes: int = 4_000, seed: int = 1, both_bad: int = 0) -> PairCounts:
    rng, size = np.random.default_rng(seed), len(STRENGTH)
    wins, ties, bad = (np.zeros((size, size)) for _ in range(3))
    for i in range(size):
        for j in range(i):
            won, lost, tied = rng.multinomial(votes, chances(name, STRENGTH[i] - STRENGTH[j], parameter))
            wins[i, j], wins[j, i], ties[i, j], ties[j, i] = won, lost, tied, tied
            bad[i, j] = bad[j, i] = both_bad
    return PairCounts(tuple("abcde"), wins, ties, bad)


@pytest.mark.parametrize(("name", "parameter"), [("davidson", 0.9), ("rao_kupper", 1.7)])
def test_the_parameter_that_made_the_votes_is_found_and_its_model_fits_better(name, parameter):
    fits = {fit.model: fit for fit in tie_fits(counts(name, parameter, 20_000))}
    own, other = fits.pop(name), *fits.values()
    assert abs(math.log(own.parameter / parameter)) < 4 * own.error
    assert own.loss < other.loss
    assert own.even == pytest.approx(chances(name, 0, own.parameter)[2])
    assert own.apart == pytest.approx(chances(name, 200 * math.log(10) / 400, own.parameter)[2])


@pytest.mark.parametrize("name", _MODELS)
@pytest.mark.parametrize("gap", [-1.3, 0.0, 0.7])
def test_derivatives_are_those_of_the_likelihood_as_the_papers_write_it(name, gap):
    votes, e, h = (np.array([7.0]), np.array([3.0]), np.array([5.0])), 0.6, 1e-4

    def value(d: float, at: float) -> float:
        chance = chances(name, d, math.exp(at))
        return sum(number[0] * math.log(each) for number, each in zip(votes, chance, strict=True))

    def slope(d: float, at: float) -> tuple[float, float]:
        found = _MODELS[name](np.array([d]), at, *votes)
        return found.d[0], found.e[0]

    found = _MODELS[name](np.array([gap]), e, *votes)
    assert found.value[0] == pytest.approx(value(gap, e))
    assert found.d[0] == pytest.approx((value(gap + h, e) - value(gap - h, e)) / (2 * h), abs=1e-5)
    assert found.e[0] == pytest.approx((value(gap, e + h) - value(gap, e - h)) / (2 * h), abs=1e-5)
    assert found.dd[0] == pytest.approx((slope(gap + h, e)[0] - slope(gap - h, e)[0]) / (2 * h), abs=1e-5)
    assert found.de[0] == pytest.approx((slope(gap, e + h)[0] - slope(gap, e - h)[0]) / (2 * h), abs=1e-5)
    assert found.ee[0] == pytest.approx((slope(gap, e + h)[1] - slope(gap, e - h)[1]) / (2 * h), abs=1e-5)


def test_both_are_bad_is_left_out_or_counted_as_a_tie():
    apart, together = (tie_fits(counts("davidson", 0.5, both_bad=900))[place] for place in (0, 2))
    assert (apart.both_bad, together.both_bad) == (False, True)
    assert together.votes == apart.votes + 10 * 900
    assert together.even > apart.even


def test_a_log_without_ties_or_without_decisions_has_no_model_of_them():
    none = np.zeros((2, 2))
    assert tie_fits(PairCounts(("a", "b"), np.array([[0.0, 3], [1, 0]]), none, none)) == ()
    assert tie_fits(PairCounts(("a", "b"), none, np.array([[0.0, 3], [3, 0]]), none)) == ()


def test_few_and_one_sided_votes_have_a_fit():
    wins, ties = np.array([[0.0, 9], [0, 0]]), np.array([[0.0, 1], [1, 0]])
    assert all(0 < fit.even < 1 for fit in tie_fits(PairCounts(("a", "b"), wins, ties, np.zeros((2, 2)))))
    many = np.array([[0.0, 1], [0, 0]]), np.array([[0.0, 900], [900, 0]])
    assert all(fit.even > 0.95 for fit in tie_fits(PairCounts(("a", "b"), *many, np.zeros((2, 2)))))


def test_without_a_prior_there_is_a_clear_error():
    with pytest.raises(BadParameters, match="prior above 0"):
        tie_fits(counts("davidson", 0.5), prior=0)
