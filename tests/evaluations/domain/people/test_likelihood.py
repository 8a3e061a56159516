"""Scores from likelihoods and votes: the formula, means over topics, and what is not defined."""

from __future__ import annotations

import math

import pytest

from arena.domain.schemas.questions import QuestionView, RankedAnswerView
from arena.evaluations.domain.people.likelihood import per_character, prompt_and_answers, question_score, rank_score


def test_the_text_is_that_of_humanrankeval():
    answers = [RankedAnswerView(text="Use a list.", votes=9), RankedAnswerView(text="No.", votes=1)]
    prompt, continued = prompt_and_answers(QuestionView(id="q", turns=["How?"], answers=answers))
    assert prompt + continued[0] == "Question: How?\nAnswer: Use a list."


def test_likelihood_is_per_character_of_the_answer():
    assert per_character([-1.0, -2.0, -3.0], "abcd") == -1.5


def test_a_question_scores_the_correlation_of_likelihood_and_votes():
    assert question_score([-3.0, -2.0, -1.0], [1, 5, 9]) == pytest.approx((1, 1))
    assert question_score([-1.0, -2.0, -3.0, -4.0], [4, 1, 3, 2]) == pytest.approx((0.4, 0.4))
    assert question_score([-1.0, -2.0, -3.0], [90, 2, 1]) == pytest.approx((0.8709, 1), abs=1e-4)


@pytest.mark.parametrize(("likelihoods", "votes"), [([-1.0, -2.0], [3, 3]), ([-1.0, -1.0], [1, 2]), ([-1.0], [1])])
def test_the_same_votes_or_likelihoods_have_no_score(likelihoods, votes):
    assert question_score(likelihoods, votes) is None


def test_questions_count_alike_whatever_their_topic_and_what_is_undefined_is_counted():
    scores = [("a", (1.0, 0.5)), ("a", (0.0, 0.5)), ("a", None), ("b", (-0.4, -1.0)), ("c", None)]
    found = rank_score(scores)
    assert found.topics == {"a": 0.5, "b": -0.4}
    assert (found.value, found.ranked) == (pytest.approx(0.2), 0.0)
    assert (found.questions, found.undefined) == (3, 2)
    assert math.isnan(rank_score([("a", None)]).value)
