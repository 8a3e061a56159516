"""The attack simulator: its worlds are as they say, and its undefended moves those of the reference figures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_trust.integrity.cast_votes import UNKNOWN
from arena_trust.integrity.simulation.attack_kinds import Attack, Place
from arena_trust.integrity.simulation.attackers import Campaign, add_attack, draw_attack_votes, join_attacks
from arena_trust.integrity.simulation.population import HABITS, Population, draw_honest_votes
from arena_trust.integrity.simulation.trial import trials
from tests.trust.integrity.logs import honest, move, ratings, under_attack

REFERENCE = {(10_000, 10): 10, (10_000, 25): 25, (10_000, 50): 45, (10_000, 200): 135, (30_000, 50): 16}


@pytest.mark.parametrize(("votes", "attackers"), list(REFERENCE))
def test_undefended_moves_are_those_of_the_reference(votes, attackers):
    moved = []
    for seed in range(6):
        log, both, _ = under_attack(attackers, votes=votes, seed=seed)
        moved.append(ratings(both)[10] - ratings(log)[10])
    assert np.mean(moved) == pytest.approx(REFERENCE[votes, attackers], rel=0.15)


def test_an_honest_log_has_the_shares_it_promises():
    log = honest(60_000, newcomer=False, drift=0.0)
    assert len(log) == 60_000
    assert (np.diff(log.second) >= 0).all()
    assert log.number.tolist() == list(range(1, 60_001))
    assert np.mean(log.outcome >= 2) == pytest.approx(0.2, abs=0.01)
    assert np.mean(log.age < 7) == pytest.approx(0.3, abs=0.05)
    assert np.bincount(log.language) / len(log) == pytest.approx(HABITS["language"], abs=0.05)
    assert len(log) / len(np.unique(log.voter)) == pytest.approx(10, rel=0.05)
    left_share = np.mean(log.outcome[log.outcome < 2] == 0)
    assert 0.505 < left_share < 0.525


def test_a_newcomer_has_no_vote_in_the_first_half():
    log = honest(20_000)
    first_half = log.second < 15 * 86_400
    met = (log.left == 17) | (log.right == 17)
    assert not met[first_half].any()
    assert met[~first_half].mean() > 0.05
    assert (log.left != log.right).all()


def test_models_that_drift_change_their_score_over_time():
    still, moving = (honest(60_000, newcomer=False, drift=drift, seed=9) for drift in (0.0, 200.0))

    def change(log, model=0):
        score = np.where(log.left == model, log.outcome == 0, log.outcome == 1)
        late, met = log.second > 15 * 86_400, (log.left == model) | (log.right == model)
        return score[met & late].mean() - score[met & ~late].mean()

    assert abs(change(still)) < 0.03
    assert change(moving) > 0.06
    assert change(moving, 3) < -0.06
    assert abs(change(moving, 4)) < 0.06


@pytest.mark.parametrize("attack", list(Attack))
def test_each_way_of_voting_does_what_it_says(attack):
    _, both, theirs = under_attack(100, attack=attack)
    bots = both.rows(theirs)
    on_left, there = bots.left == 10, (bots.left == 10) | (bots.right == 10)
    wins = np.where(on_left, bots.outcome == 0, bots.outcome == 1)[there]
    elsewhere = bots.outcome[~there]
    if attack is Attack.OFF_TARGET:
        assert 0.3 < wins.mean() < 0.6
    elif attack is Attack.MASKED:
        assert 0.75 < wins.mean() < 0.9
    else:
        assert wins.all()
    if attack is Attack.ABSTAINING:
        assert len(elsewhere) == 0
    elif attack is Attack.TIE_MASKED:
        assert set(elsewhere.tolist()) == {2}
    elif attack in {Attack.TARGETED, Attack.SLOW_DRIP, Attack.MASKED}:
        assert np.mean(elsewhere >= 2) == pytest.approx(0.2, abs=0.04)
    else:
        assert set(elsewhere.tolist()) == {0, 1}


def test_attackers_who_recognise_nobody_vote_as_everybody():
    log, both, _ = under_attack(100, identified=0.0)
    assert abs(ratings(both)[10] - ratings(log)[10]) < 15


@pytest.mark.parametrize("place", list(Place))
def test_attackers_are_only_where_they_are_said_to_be(place):
    _, both, theirs = under_attack(100, place)
    bots = both.rows(theirs)
    found = {
        Place.NETWORK: len(np.unique(bots.network)) == 1,
        Place.MANY_NETWORKS: len(np.unique(bots.network)) == 100,
        Place.FORTY_NETWORKS: 30 < len(np.unique(bots.network)) <= 40,
        Place.LANGUAGE: set(bots.language.tolist()) == {3},
        Place.CHECK: set(bots.check.tolist()) == {2},
        Place.HOUR: set((bots.second // 3600 % 24).tolist()) == {3},
        Place.BURST: np.ptp(bots.second) < 6 * 3600,
        Place.DAYS: 1 < len(np.unique(bots.second // 86_400)) <= 3,
        Place.FAST: bots.reading.max() <= 3,
        Place.ONE_DAY: len(np.unique(bots.second // 86_400)) == 1 and bots.age.max() == 0,
        Place.YOUNG: bots.age.max() < 7,
    }
    assert found[place]
    also = {Place.ONE_DAY: [Place.FORTY_NETWORKS, Place.YOUNG]}.get(place, [])
    assert [other for other in Place if other is not place and found[other]] == also


def test_attackers_of_several_attacks_are_voters_of_their_own():
    world, rng = Population(votes=1_000), np.random.default_rng(1)
    log = draw_honest_votes(world, rng)
    campaign = Campaign(Attack.TARGETED, Place.NETWORK, 10)
    both, theirs = join_attacks(log, [draw_attack_votes(world, log, campaign, rng) for _ in range(3)])
    assert len(set(both.voter[theirs])) == 30
    assert not set(both.voter[theirs]) & set(both.voter[~theirs])


def test_hidden_attackers_are_in_no_slice_and_have_no_more_votes_than_others():
    log, both, theirs = under_attack(200, Place.NETWORK, hide=1.0)
    bots = both.rows(theirs)
    assert len(np.unique(bots.network)) > 50
    assert bots.age.max() > 30
    assert np.bincount(bots.voter)[np.unique(bots.voter)].mean() == pytest.approx(10, rel=0.25)
    assert not np.isin(bots.voter, log.voter).any()


def test_the_same_seed_gives_the_same_rows_and_another_seed_others():
    world, ways = Population(votes=3_000), [Campaign(Attack.RANDOM, Place.NETWORK, 20)]
    one, two, three = (list(trials(world, ways, seed)) for seed in (1, 1, 2))
    assert one == two
    assert one[0].undefended != three[0].undefended


def test_a_trial_reports_what_the_gate_leaves():
    row = next(trials(Population(votes=10_000), [Campaign(Attack.TARGETED, Place.CHECK, 100)], 3))
    assert row.undefended > 60
    assert row.defended < 10
    assert 0.85 < row.bots_left < 0.95  # a tenth of the battles has the target
    assert row.honest_lost < 0.03
    assert row.neighbourhood_days > 100


def test_an_attack_can_sink_its_target():
    log, both, _ = under_attack(50, sink=True)
    assert ratings(both)[10] < ratings(log)[10] - 25


def test_the_target_can_be_chosen():
    world, rng = Population(votes=5_000), np.random.default_rng(1)
    log = draw_honest_votes(world, rng)
    campaign = replace(Campaign(Attack.RANDOM, Place.NETWORK, 50), target=3)
    both, _ = add_attack(world, log, campaign, rng)
    shift = ratings(both) - ratings(log)
    assert int(np.argmax(shift)) == 3
    assert move(both, None, ratings(log)) == pytest.approx(shift[3])


def test_an_owner_can_push_clones_of_a_model():
    log, both, theirs = under_attack(100, clones=3)
    bots = both.rows(theirs)
    ours = [(side >= 10) & (side < 13) for side in (bots.left, bots.right)]
    alone = ours[0] != ours[1]
    assert (np.where(ours[0], bots.outcome == 0, bots.outcome == 1)[alone]).all()
    assert (ratings(both) - ratings(log))[10:13].min() > 20


def test_new_neighbourhoods_of_attackers_begin_with_their_first_vote_and_honest_ones_over_a_year():
    log, both, theirs = under_attack(100, Place.FORTY_NETWORKS)
    assert 0.1 < (log.since != UNKNOWN).mean() < 0.4
    assert (both.since[theirs] != UNKNOWN).all()
    first = both.since[theirs].min()
    assert np.mean(both.since[theirs] == first) > 0.8
