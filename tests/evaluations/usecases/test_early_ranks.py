"""Early ranks by people and a judge, from the columns of an evaluation."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from arena.evaluations.cli.judge_tables import show_judges
from arena.evaluations.usecases.judges.early_ranks import early_ranks
from tests.frontend.sample_reports import JUDGES
from tests.rating.logs import require

MODELS, PAIRS, PEOPLE = 6, 4_000, 400


def columns(seed: int) -> tuple[np.ndarray, Any]:
    """Pairs that people have judged in part, and a judge who is mostly like them."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, MODELS, PAIRS)
    second = (first + rng.integers(1, MODELS, PAIRS)) % MODELS
    luck = rng.logistic(size=PAIRS)
    people = ((second - first) * 0.5 + luck > 0).astype(np.int64)
    judge = np.where(rng.random(PAIRS) < 0.85, people, rng.integers(0, 2, PAIRS))
    people[PEOPLE:] = -1
    rest = {"agreement": np.full(PAIRS, np.nan), "is_last": np.ones(PAIRS, np.bool_), "models": tuple("abcdef")}
    return judge, SimpleNamespace(first=first, second=second, people=people, **rest)


def widths(rows: list[Any], low: str, high: str) -> int:
    return sum(getattr(row, high) - getattr(row, low) for row in rows)


def test_with_a_judge_ranks_are_no_wider_than_by_people_alone_and_hold_the_true_ones():
    judge, pairs = columns(1)
    early = require(early_ranks(judge, pairs))
    assert (early.people, early.judged) == (PEOPLE, PAIRS - PEOPLE)
    assert 0.4 < early.weight <= 1
    assert widths(early.models, "rank_low", "rank_high") <= widths(early.models, "people_low", "people_high")
    for row in early.models:
        assert row.rank_low <= MODELS - "abcdef".index(row.name) <= row.rank_high


def test_a_judge_against_people_is_given_no_weight():
    judge, pairs = columns(2)
    early = require(early_ranks(1 - judge, pairs))
    assert early.weight == 0
    assert all((row.rank_low, row.rank_high) == (row.people_low, row.people_high) for row in early.models)


def test_people_of_one_opinion_leave_intervals_within_0_and_1():
    judge, pairs = columns(5)
    said = np.where(pairs.second > pairs.first, 1, 0)
    pairs.people = np.where(np.arange(PAIRS) < 40, said, -1)
    early = require(early_ranks(judge, pairs))
    for row in early.models:
        low, value, high = map(require, (row.score.low, row.score.value, row.score.high))
        assert 0 <= low <= value <= high <= 1
        assert high - low > 0.01


def test_nothing_is_said_from_few_people_or_without_further_pairs():
    judge, pairs = columns(3)
    few: Any = SimpleNamespace(**{**vars(pairs), "people": np.where(np.arange(PAIRS) < 19, pairs.people, -1)})
    assert early_ranks(judge, few) is None
    assert early_ranks(np.where(pairs.people >= 0, judge, -1), pairs) is None


def test_turns_before_the_last_do_not_count_and_people_without_a_majority_have_said_a_tie():
    judge, pairs = columns(4)
    early_turn, split = np.arange(PAIRS) >= PAIRS - 100, np.arange(PAIRS) < 50
    pairs.is_last, pairs.agreement = ~early_turn, np.where(split, 0.3, np.nan)
    pairs.people = np.where(split, -1, pairs.people)
    early = require(early_ranks(judge, pairs))
    assert (early.people, early.judged) == (PEOPLE, PAIRS - PEOPLE - 100)


def test_the_report_says_in_one_sentence_what_they_rest_on(capsys):
    show_judges(JUDGES[0])
    told = capsys.readouterr().out
    assert "from 120 pairs judged by people and 900 more by referee, at 0.62 of its word: heron-1 1 to 1" in told
    assert "They hold at one look, and are not those of a board of people." in told
