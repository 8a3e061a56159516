"""Caps per voter and pair, and per neighbourhood, model and day."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arena_trust.integrity.caps import network_weights, occurrence, pair_weights
from tests.trust.integrity.logs import honest


def one_voter(votes, pairs=1):
    log = honest(2_000).rows(np.arange(votes))
    return replace(
        log,
        voter=np.zeros(votes, np.int32),
        left=np.zeros(votes, np.int32),
        right=(1 + np.arange(votes) % pairs).astype(np.int32),
    )


def test_a_voter_and_pair_weigh_in_full_three_times_then_less_then_nothing():
    assert pair_weights(one_voter(13)).tolist() == [1] * 3 + [0.5] * 3 + [0.25] * 6 + [0]


def test_sides_do_not_make_two_pairs():
    log = one_voter(13)
    turned = np.arange(13) % 2 == 0
    swapped = replace(log, left=np.where(turned, log.right, log.left), right=np.where(turned, log.left, log.right))
    assert pair_weights(swapped).tolist() == pair_weights(log).tolist()


def test_many_pairs_are_not_capped():
    assert pair_weights(one_voter(30, pairs=19)).min() == 1


def test_few_models_let_a_busy_voter_repeat_pairs():
    log = honest(2_000, models=3, newcomer=False)
    log = replace(log, voter=np.zeros(len(log), np.int32))
    assert pair_weights(log).min() == 1


def test_a_neighbourhood_weighs_less_beyond_its_cap_and_never_nothing():
    log = honest(4_000, days=1)
    crowd = np.arange(len(log)) < 2_000
    log = replace(log, network=np.where(crowd, 0, 1 + np.arange(len(log))).astype(np.int32), second=log.second * 0)
    weight = network_weights(log)
    assert weight[~crowd].min() == 1
    assert set(weight[crowd].tolist()) == {1.0, 0.5, 0.25}
    assert weight[:100].min() == 1


def test_votes_without_a_neighbourhood_have_no_cap():
    log = honest(2_000, days=1)
    assert network_weights(replace(log, network=np.full(len(log), -1, np.int32))).min() == 1


def test_occurrences_are_counted_from_zero():
    assert occurrence(np.array([5, 3, 5, 5, 3])).tolist() == [0, 0, 1, 2, 1]


def test_a_voter_with_very_many_votes_gets_no_higher_cap():
    log, busy = honest(2_000), one_voter(1_900, pairs=19)
    voter = np.where(np.arange(2_000) < 1_900, 0, 1 + np.arange(2_000))
    left, right = (np.append(getattr(busy, side), getattr(log, side)[1_900:]) for side in ("left", "right"))
    weight = pair_weights(replace(log, voter=voter.astype(np.int32), left=left, right=right))
    assert weight[:1_900].sum() == 19 * 6
    assert weight[1_900:].min() == 1
