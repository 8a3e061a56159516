"""Correlation of the likelihood of answers under a model with people's votes on them, as HumanRankEval does.

The likelihood of an answer is the sum of the log-probabilities of its tokens, divided by its length in characters. The
score of a question is Pearson's correlation of these with the votes of its answers, that of a topic and of the model
the mean over its questions (section 3.4: "micro-averaged across all questions"). By Spearman's coefficient, which the
paper tried too (section 5.1), models lie closer together.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from arena_rating.correlations import pearson, spearman

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.domain.schemas.questions import QuestionView

Coefficients = tuple[float, float]
"""Pearson's r and Spearman's rho."""


@dataclass(frozen=True, slots=True)
class RankScore:
    """A model's score; nan if no question has one.

    Attributes:
        value: The mean over questions.
        ranked: The same by Spearman's coefficient.
        topics: The mean of each topic that has a question with a score.
        questions: Questions with a score.
        undefined: Questions without, because all votes or all likelihoods are equal.
    """

    value: float
    ranked: float
    topics: dict[str, float]
    questions: int
    undefined: int


def prompt_and_answers(question: QuestionView) -> tuple[str, list[str]]:
    """The text before an answer, and each answer as its continuation."""
    return f"Question: {question.turns[0]}\nAnswer:", [f" {answer.text}" for answer in question.answers]


def per_character(log_likelihoods: Sequence[float], answer: str) -> float:
    """Log-likelihood of an answer in nats per character of it."""
    return math.fsum(log_likelihoods) / len(answer)


def question_score(likelihoods: Sequence[float], votes: Sequence[float]) -> Coefficients | None:
    """Pearson's and Spearman's correlation of likelihoods with votes; None if undefined."""
    x, y, weights = np.array(likelihoods), np.array(votes, np.float64), np.ones((1, len(votes)))
    value, rank_value = (float(measure(x, y, weights)[0]) for measure in (pearson, spearman))
    return None if math.isnan(value) else (value, rank_value)


def rank_score(scores: Sequence[tuple[str, Coefficients | None]]) -> RankScore:
    """The score of a model from the topic and score of each question."""
    topics: dict[str, list[Coefficients]] = defaultdict(list)
    for topic, score in scores:
        if score is not None:
            topics[topic].append(score)
    means = {topic: fmean(by_value for by_value, _ in result) for topic, result in topics.items()}
    columns = list(zip(*(score for result in topics.values() for score in result), strict=True))
    value, rank_value = map(fmean, columns) if columns else (math.nan, math.nan)
    number = sum(map(len, topics.values()))
    return RankScore(value, rank_value, means, number, len(scores) - number)
