"""The permutation test of whether two samples of answers come from one model."""

from __future__ import annotations

import numpy as np
import pytest

from arena.domain.fingerprint import PREFIX, odd, p_value

SEED = 7


def drawn(letters: str, rng: np.random.Generator, prompts: int = 6, answers: int = 8) -> list[list[str]]:
    """Answers to prompts, each of 20 letters."""
    return [["".join(rng.choice(list(letters), 20)) for _ in range(answers)] for _ in range(prompts)]


def test_two_models_are_told_apart():
    rng = np.random.default_rng(SEED)
    assert odd(p_value(drawn("abc", rng), drawn("cde", rng), rng))


def test_samples_of_one_model_are_seldom_taken_for_two():
    rng = np.random.default_rng(SEED)
    values = [p_value(drawn("abc", rng), drawn("abc", rng), rng, 199) for _ in range(60)]
    assert sum(value <= 0.1 for value in values) <= 13  # 6 are expected, and 13 in one of 300 such tests
    assert not any(map(odd, values))


def test_equal_answers_are_no_evidence():
    same = [["yes"] * 4] * 3
    assert p_value(same, same, np.random.default_rng(SEED), 99) == 1


def test_what_lies_behind_the_prefix_is_not_compared():
    before, after = [["a" * PREFIX + "b"] * 4] * 4, [["a" * PREFIX + "c"] * 4] * 4
    assert p_value(before, after, np.random.default_rng(SEED), 99) == 1


def test_no_p_value_is_below_what_the_permutations_can_show():
    rng = np.random.default_rng(SEED)
    assert p_value([["a"] * 20], [["b"] * 20], rng, 9) == pytest.approx(0.1)


@pytest.mark.parametrize(("before", "after"), [([[]], [["a"]]), ([["a"]], [[]]), ([["a"]], [["a"], ["b"]])])
def test_both_samples_answer_the_same_prompts(before, after):
    with pytest.raises(ValueError, match=r"answers|argument"):
        p_value(before, after, np.random.default_rng(SEED))


def test_a_model_without_a_test_is_not_suspected():
    assert not odd(None)
