"""Against scores of real votes computed by another program."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from arena_rating import bradley_terry, elo_in_order, pair_counts, points_table
from arena_rating.research import average_win_rate
from tests.rating.logs import FIXTURES, full_data, log_of, read_scores, read_votes


def agree(votes: Path, golden: Path) -> int:
    log, scores = log_of(read_votes(votes)), read_scores(golden)
    counts = pair_counts(log)
    for method, values in (
        ("elo", elo_in_order(log)),
        ("counting", points_table(counts).points),
        ("average_win_rate", average_win_rate(counts)),
    ):
        assert values == pytest.approx([scores[method][name] for name in log.names], abs=1e-9), method
    strengths = np.array([400 * math.log10(scores["bradley_terry"][name]) for name in log.names])
    ratings = bradley_terry(counts, prior=0).rating
    assert ratings - ratings.mean() == pytest.approx(strengths - strengths.mean(), abs=1e-8)
    return len(log)


def test_a_cut_of_real_votes_scores_as_elsewhere():
    assert agree(FIXTURES / "llmfao_200.csv", FIXTURES / "llmfao_200_golden.csv") == 200


def test_all_llmfao_votes_score_as_elsewhere():
    votes, golden = full_data() / "llmfao_votes.csv", full_data() / "llmfao_golden.csv"
    if not (votes.exists() and golden.exists()):
        pytest.skip("the whole LLMFAO data are not here; ARENA_TEST_DATA may name their folder")
    assert agree(votes, golden) == 8931
