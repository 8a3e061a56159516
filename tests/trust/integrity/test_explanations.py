"""Explanations of parts, correlations within voters, and divisions, by themselves."""

import math
from dataclasses import replace

import numpy as np
import pytest

from arena_trust.integrity.cast_votes import HOUR, UNTOLD
from arena_trust.integrity.divisions import divisions, scanned_divisions
from arena_trust.integrity.explanations import explain, honest_spread
from arena_trust.integrity.remaining_votes import RemainingVotes
from arena_trust.integrity.voter_pairs import LEAST_HITS, PairCorrelation, _difference, pushed_models
from tests.trust.integrity.logs import honest, ratings


@pytest.mark.parametrize(
    ("residual", "value"),
    [([1, 1, -1, -1], 1.0), ([1, -1, 1, -1], -1.0), ([1, 1, 1, -1], 0.0), ([0, 0, 0, 0], 0.0)],
)
def test_votes_of_one_voter_are_alike_by_their_products(residual, value):
    pairs = PairCorrelation.of(np.array([0, 0, 1, 1], np.int32), np.array(residual, float))
    assert (pairs.value, pairs.pairs, pairs.z) == (value, 2, value * math.sqrt(2))


def test_voters_with_one_vote_are_alike_in_nothing():
    pairs = PairCorrelation.of(np.arange(4, dtype=np.int32), np.ones(4))
    assert (pairs.value, pairs.pairs) == (0.0, 0)


def small_world(seed):
    log = honest(6_000, seed, models=6, newcomer=False)
    return log, log.voter % 2 == 0


def pushed(log, part, models, share):
    """The log with wins of these models in a share of the votes of a part."""
    outcome, chosen = log.outcome.copy(), part & (np.random.default_rng(1).random(len(log)) < share)
    for model in models:
        outcome[chosen & (log.left == model)] = 0
        outcome[chosen & (log.right == model)] = 1
    return replace(log, outcome=outcome)


def test_a_second_model_that_a_part_pushes_is_found_from_four_standard_errors_on():
    log, part = small_world(1)
    heard = RemainingVotes(pushed(log, part, (1, 4), 0.15))
    assert [(hits.model, sign) for hits, sign in pushed_models(heard, heard.hits(1), part)] == [(1, 1.0), (4, 1.0)]
    heard = RemainingVotes(log)
    assert [(hits.model, sign) for hits, sign in pushed_models(heard, heard.hits(1), part)] == [(1, 1.0)]


@pytest.mark.parametrize(("votes", "is_told"), [(LEAST_HITS, True), (LEAST_HITS - 1, False)])
def test_fewer_than_twenty_votes_of_a_part_do_not_tell_that_it_pushes_a_model(votes, is_told):
    log, _ = small_world(1)
    heard = RemainingVotes(log)
    hits = heard.hits(1)
    part = np.isin(np.arange(len(log)), hits.rows[hits.score == 1][:votes])
    assert (_difference(hits, heard.board, part) > 0) == is_told
    assert (_difference(hits, heard.board, ~part) < 0) == is_told


def test_strengths_of_people_who_agree_spread_by_nothing_and_of_those_who_differ_by_what_they_differ():
    log, part = small_world(1)
    for mask in (part, log.left < log.right):
        heard = RemainingVotes(log)
        assert [honest_spread(heard, model, mask) for model in range(6)] == [0.0] * 6
    assert honest_spread(RemainingVotes(pushed(log, part, (1, 4), 0.5)), 0, part) > 0.1


@pytest.mark.parametrize("down", [False, True])
def test_the_error_of_guilt_is_that_of_the_mean_score_by_the_room_for_a_push(down):
    log, part = small_world(2)
    heard = RemainingVotes(log)
    hits = heard.hits(1)
    explanation = explain(heard, hits, part, down=down, meetings=heard.mask)
    inside = part[hits.rows]
    score = hits.score[inside]
    expected = hits.expected(heard.board_without(hits.rows[inside]))[inside].mean()
    room = expected if down else 1 - expected
    assert explanation.error == pytest.approx(score.std() / math.sqrt(len(score)) / room)


def test_a_part_moves_its_model_by_about_the_points_that_it_loses_without_the_part_s_votes():
    log, part = small_world(1)
    log = pushed(log, part, (0,), 0.3)
    heard = RemainingVotes(log)
    hits = heard.hits(0)
    explanation = explain(heard, hits, part, down=False, meetings=heard.mask)
    without = part & ((log.left == 0) | (log.right == 0))
    moved = ratings(log) - ratings(log, (~without).astype(float))
    assert moved[0] > 20
    assert moved[0] / 1.5 < explanation.points < 1.5 * moved[0]


def test_votes_of_one_hour_of_the_clock_are_one_slice_and_untold_hours_are_none():
    log = honest(500)
    second = log.second // HOUR * HOUR + np.where(np.arange(500) % 5 == 0, UNTOLD, 0)
    division = scanned_divisions(replace(log, second=second))["clock hour"]
    is_told, hour = second % HOUR != UNTOLD, second // HOUR % 24
    assert (division.code[~is_told] == division.slices).all()
    slices = set(zip(hour[is_told].tolist(), division.code[is_told].tolist(), strict=True))
    assert len(slices) == division.slices == len(set(hour[is_told].tolist()))


def test_a_fact_that_all_votes_share_divides_nothing():
    log = honest(500)
    one = np.zeros(500, np.int32)
    names = {division.name for division in divisions(replace(log, language=one, network=one))}
    assert {"client", "hour", "day", "reading"} & names
    assert not {"language", "network"} & names
