"""What a search takes off its sums leaves the same bits as sums over the votes that are left."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis.strategies import integers, lists

from arena_trust.integrity.cast_votes import SCORES
from arena_trust.integrity.choosers import Exposure, VoterDays
from arena_trust.integrity.reference import Counts, fit
from arena_trust.integrity.remaining_votes import RemainingVotes
from arena_trust.integrity.subset_scan import Scores
from tests.trust.integrity.logs import honest


def from_scratch(log):
    """The estimates of a log."""
    size, pair = len(log.names), log.left.astype(np.int64) * len(log.names) + log.right
    columns = (np.ones(len(log)), SCORES[log.outcome])
    sums = [np.bincount(pair, column, size**2).reshape(size, size).astype(float) for column in columns]
    return fit(Counts(*sums)).estimate


def hits_from_scratch(log, mask, model):
    """Rows, scores, opponents and sides of the votes on a model, one after another."""
    rows = [row for row in np.flatnonzero(mask).tolist() if model in (log.left[row], log.right[row])]
    is_left = [log.left[row] == model for row in rows]
    scores = [SCORES[log.outcome[row]] for row in rows]
    opponents = [log.right[row] if left else log.left[row] for row, left in zip(rows, is_left, strict=True)]
    own = [score if left else 1 - score for score, left in zip(scores, is_left, strict=True)]
    return rows, own, [2 * opponent + left for opponent, left in zip(opponents, is_left, strict=True)]


@settings(max_examples=40)
@given(integers(20, 400), integers(2, 12), integers(0, 10**6), lists(integers(1, 40), max_size=4))
def test_boards_and_votes_of_models_are_those_of_the_votes_that_are_left(votes, models, seed, pieces):
    log, rng = honest(votes, seed, models=models, newcomer=False), np.random.default_rng(seed)
    heard = RemainingVotes(log)
    for piece in pieces:
        left = np.flatnonzero(heard.mask)
        rows = rng.permutation(left)[:piece]
        start, without = heard.board, heard.board_without(rows)
        heard.take(rows)
        assert heard.board.tobytes() == from_scratch(log.rows(heard.mask)).tobytes()
        size, rest = len(log.names), log.rows(heard.mask)
        pair = rest.left.astype(np.int64) * size + rest.right
        columns = (np.ones(len(pair)), SCORES[rest.outcome])
        counts = [np.bincount(pair, column, size**2).reshape(size, size).astype(float) for column in columns]
        assert without.tobytes() == fit(Counts(*counts), start).estimate.tobytes()
    for model in range(len(log.names)):
        hits = heard.hits(model)
        assert (hits.rows.tolist(), hits.score.tolist(), hits.cell.tolist()) == hits_from_scratch(
            log, heard.mask, model
        )
        assert (hits.opponent == hits.cell // 2).all()


@settings(max_examples=40)
@given(integers(30, 400), integers(0, 10**6))
def test_expected_scores_by_cell_are_those_of_each_vote(votes, seed):
    heard = RemainingVotes(honest(votes, seed, models=5, newcomer=False))
    for model in range(5):
        hits = heard.hits(model)
        side = np.where(hits.cell % 2, 1.0, -1.0)
        pull = heard.board[model] - heard.board[hits.opponent] + side * heard.board[-1]
        assert hits.expected(heard.board).tobytes() == (0.5 + 0.5 * np.tanh(0.5 * pull)).tobytes()


def test_without_weight_a_model_has_the_strength_of_the_prior():
    heard = RemainingVotes(honest(400, models=5, newcomer=False))
    hits = heard.hits(0)
    assert abs(hits.strength(heard.board, np.zeros(len(hits.rows)))) < 1e-5
    assert hits.strength(heard.board, hits.score) > 1


@given(integers(1, 300), integers(1, 9), integers(0, 10**6))
def test_sums_in_one_pass_are_those_of_numbers_and_scores(votes, slices, seed):
    rng = np.random.default_rng(seed)
    score, expected = rng.choice([0.0, 0.5, 1.0], votes), rng.uniform(0.05, 0.95, votes)
    code, mask = rng.integers(0, slices + 1, votes), rng.random(votes) < 0.7
    scores = Scores(score, expected, {"day": (code, slices), "new": (mask.astype(np.int64), 2)}, 1.0)
    chosen = np.flatnonzero(scores.inside({"new": np.array([False, True, False])}))
    columns = (np.ones(votes)[mask], score[mask], expected[mask])
    sums = [np.bincount(code[mask], column, slices + 1)[:slices] for column in columns]
    assert [column.tobytes() for column in scores.sums("day", chosen)] == [column.tobytes() for column in sums]


def test_voters_are_those_of_the_days_of_the_model():
    log = honest(2_000, 3, models=6)
    days, heard = VoterDays(log), RemainingVotes(log)
    for model in range(len(log.names)):
        rows = heard.hits(model).rows
        exposure = Exposure.of(heard.hits(model), days)
        voters = sorted(set(log.voter[rows].tolist()))
        span = (days.day >= days.day[rows].min()) & (days.day <= days.day[rows].max())
        assert exposure.votes.tolist() == [int(((log.voter == voter) & span).sum()) for voter in voters]
        assert exposure.hits.tolist() == [int((log.voter[rows] == voter).sum()) for voter in voters]
        assert [voters[place] for place in exposure.place.tolist()] == log.voter[rows].tolist()
        assert exposure.kinds[:, exposure.kind].tolist() == [exposure.hits.tolist(), exposure.votes.tolist()]
        idle = [int(((log.voter == voter) & span).sum()) for voter in set(log.voter[span].tolist()) - set(voters)]
        assert np.repeat(exposure.idle, exposure.number.astype(int)).tolist() == sorted(idle)
        assert exposure.totals == (len(rows), int(span.sum()))


def test_rows_of_a_log_are_the_log_itself_where_they_are_all_and_keep_the_used_models_alone():
    log = honest(400, models=5, newcomer=False)
    mask = np.ones(len(log), np.bool_)
    assert log.rows(mask) is log.of_used_models(mask) is log
    mask = (log.left != 0) & (log.right != 0)
    part = log.of_used_models(mask)
    assert part.names == log.names[1:]
    assert part.left.tolist() == (log.left[mask] - 1).tolist()
    assert part.right.tolist() == (log.right[mask] - 1).tolist()
    assert log.rows(np.arange(len(log))).number.tolist() == log.number.tolist()
