"""Ranking of given answers by their likelihood under a model, compared with people's votes, as HumanRankEval does.

The likelihood of an answer is the sum of the log-probabilities of its tokens, divided by its length in characters. The
score of a question is Pearson's correlation of these with the votes of its answers, that of a topic the mean over its
questions, and that of the model the mean over topics.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import StatisticsError, correlation, fmean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.domain.schemas.questions import QuestionView


@dataclass(frozen=True, slots=True)
class RankScore:
    """A model's score; nan if no question has one.

    Attributes:
        value: The mean over topics.
        topics: The mean of each topic that has a question with a score.
        questions: Questions with a score.
        undefined: Questions without: their votes, or their likelihoods, are all the same.
    """

    value: float
    topics: dict[str, float]
    questions: int
    undefined: int


def prompt_and_answers(question: QuestionView) -> tuple[str, list[str]]:
    """The text before the answers, and each answer as it continues it."""
    return f"Question: {question.turns[0]}\nAnswer:", [f" {answer.text}" for answer in question.answers]


def per_character(log_likelihoods: Sequence[float], answer: str) -> float:
    """Log-likelihood of an answer in nats per character of it."""
    return math.fsum(log_likelihoods) / len(answer)


def question_score(likelihoods: Sequence[float], votes: Sequence[float]) -> float | None:
    """Pearson's correlation of likelihoods with votes; None if it is not defined."""
    try:
        return correlation(likelihoods, votes)
    except StatisticsError:
        return None


def rank_score(scores: Sequence[tuple[str, float | None]]) -> RankScore:
    """The score of a model from the topic and score of each question."""
    topics: dict[str, list[float]] = defaultdict(list)
    for topic, score in scores:
        if score is not None:
            topics[topic].append(score)
    means = {topic: fmean(result) for topic, result in topics.items()}
    defined = sum(map(len, topics.values()))
    return RankScore(fmean(means.values()) if means else math.nan, means, defined, len(scores) - defined)
