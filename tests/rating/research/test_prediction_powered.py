import numpy as np
import pytest

from arena_rating import BadComparisons, Comparisons
from arena_rating.research.prediction_powered import prediction_powered

MODELS, PEOPLE, PAIRS = 6, 1_000, 10_000
BIAS = np.array([0.8, -0.8, 0.0, 0.6, -0.6, 0.0])


def share_of_points(strength: np.ndarray) -> np.ndarray:
    chance = 1 / (1 + np.exp(strength - strength[:, None]))
    np.fill_diagonal(chance, 0)
    return chance.sum(axis=1) / (MODELS - 1)


def drawn(seed: int) -> tuple[np.ndarray, list[Comparisons]]:
    """True shares, and votes of people and of a judge who is like them and biased, on some pairs and on the rest."""
    rng = np.random.default_rng(seed)
    strength = np.linspace(-1.0, 1.0, MODELS)
    left = rng.integers(0, MODELS, PAIRS)
    right = (left + rng.integers(1, MODELS, PAIRS)) % MODELS
    luck = rng.logistic(size=PAIRS)
    lean = 0.85 * luck + 0.15 * rng.logistic(size=PAIRS) + BIAS[left] - BIAS[right]
    gap = strength[left] - strength[right]
    logs = [
        Comparisons(
            left[rows].astype(np.int32),
            right[rows].astype(np.int32),
            (gap + mood < 0).astype(np.uint8)[rows],
            None,
            None,
            None,
            tuple("abcdef"),
        )
        for mood, rows in ((luck, slice(PEOPLE)), (lean, slice(PEOPLE)), (lean, slice(PEOPLE, None)))
    ]
    return share_of_points(strength), logs


def held(score: np.ndarray, covariance: np.ndarray, truth: np.ndarray) -> float:
    return float((np.abs(score - truth) <= 1.96 * np.sqrt(np.diag(covariance))).mean())


def test_with_a_judge_scores_are_narrower_and_hold_the_truth_and_a_judge_alone_does_not():
    coverage, alone, narrower = [], [], []
    for seed in range(60):
        truth, (people, same, others) = drawn(seed)
        both = prediction_powered(people, same, others)
        without = prediction_powered(people, same, others.where(np.zeros(len(others), np.bool_)))
        judge = prediction_powered(others, others, others.where(np.zeros(len(others), np.bool_)))
        coverage.append(held(both.score, both.covariance, truth))
        alone.append(held(judge.score, judge.covariance, truth))
        narrower.append(np.trace(both.covariance) / np.trace(without.covariance))
        assert without.weight == 0
    assert np.mean(coverage) >= 0.92
    assert np.mean(alone) < 0.5
    assert np.mean(narrower) < 0.75


def test_rank_sets_with_a_judge_hold_the_true_order_and_are_no_wider():
    truth, (people, same, others) = drawn(7)
    ranks = MODELS - np.argsort(np.argsort(truth))
    low, high = prediction_powered(people, same, others).rank_sets(seed=1)
    fewer = prediction_powered(people, same, others.where(np.zeros(len(others), np.bool_))).rank_sets(seed=1)
    assert ((low <= ranks) & (ranks <= high)).all()
    assert (high - low).sum() <= (fewer[1] - fewer[0]).sum()


def test_verdicts_on_other_pairs_and_too_few_votes_are_refused():
    _, (people, same, others) = drawn(1)
    with pytest.raises(BadComparisons, match="not on the pairs"):
        prediction_powered(people, same.where(np.arange(PEOPLE) > 0), others)
    one = np.arange(PEOPLE) == 0
    with pytest.raises(BadComparisons, match="two votes"):
        prediction_powered(people.where(one), same.where(one), others)


def test_a_model_that_the_judge_alone_has_not_judged_keeps_the_score_by_people():
    inside = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        left, right, win = rng.integers(0, 2, 60), np.full(60, 2), rng.random(60) < 0.5
        verdict = np.where(rng.random(60) < 0.9, win, ~win)
        people, judge = (three(left, right, np.where(column, 0, 1)) for column in (win, verdict))
        others = three(np.zeros(200), np.ones(200), rng.integers(0, 2, 200))
        scores = prediction_powered(people, judge, others)
        alone = prediction_powered(people, judge, others.where(np.zeros(200, bool)))
        assert scores.score[2] == alone.score[2]
        assert scores.covariance[2, 2] == pytest.approx(alone.covariance[2, 2])
        inside.append(abs(scores.score[2] - 0.5) <= 1.96 * np.sqrt(scores.covariance[2, 2]))
    assert 0.9 <= np.mean(inside) <= 0.99


@pytest.mark.parametrize("outcome", range(4))
def test_people_who_always_say_the_same_leave_a_share_with_an_error(outcome):
    said = three(np.zeros(40), np.ones(40), np.full(40, outcome))
    found = prediction_powered(said, said, three(np.zeros(200), np.ones(200), np.full(200, outcome)))
    error = np.sqrt(np.diag(found.covariance)[:2])
    assert ((error > 0.01) & (error < 0.1)).all()
    low, high = found.rank_sets(seed=0)
    assert ((low <= 3) & (high >= low)).all()


def three(left: np.ndarray, right: np.ndarray, outcome: np.ndarray) -> Comparisons:
    columns = left.astype(np.int32), right.astype(np.int32), outcome.astype(np.uint8)
    return Comparisons(*columns, None, None, None, ("x", "y", "z"))
