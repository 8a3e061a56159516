"""The vote gate: what it decides, what it leaves alone, and that it depends on no label."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

from arena_trust.integrity import slices
from arena_trust.integrity.cast_votes import UNKNOWN, CastVotes
from arena_trust.integrity.gate import METHOD, REASONS, weigh_votes
from arena_trust.integrity.published_form import share_of
from arena_trust.integrity.simulation.attack_kinds import Attack, Place, Quota
from arena_trust.integrity.simulation.attackers import Campaign, add_attack
from arena_trust.integrity.simulation.population import Population, draw_honest_votes
from tests.trust.integrity.logs import honest, judged, move, ratings, relabelled, under_attack, young

WEIGHTS = {0.0, 0.25, 0.5, 1.0}


def nothing_known(log):
    """The log without any origin but voter and time."""
    none, nan = np.full(len(log), UNKNOWN, np.int32), np.full(len(log), np.nan)
    return replace(log, network=none, language=none, check=none, age=nan, reading=nan)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_honest_votes_are_left_alone_apart_from_the_age_rule(seed):
    verdict = weigh_votes(honest(10_000, seed))
    assert verdict.findings == ()
    by_age = verdict.reason == 1
    assert np.mean((verdict.weight < 1) & ~by_age) < 0.01
    assert verdict.weight.sum() ** 2 / (verdict.weight**2).sum() > 0.6 * len(verdict.weight)


@pytest.mark.parametrize("place", [Place.NETWORK, Place.CHECK, Place.HOUR, Place.BURST, Place.LANGUAGE])
@pytest.mark.parametrize("attackers", [50, 500])
def test_attackers_in_one_slice_move_nothing_far(place, attackers):
    log, both, theirs = under_attack(attackers, place)
    verdict = weigh_votes(both)
    assert move(both, None, ratings(log)) > 30
    assert move(both, verdict.weight, ratings(log, judged(log).weight)) < 15
    assert (verdict.weight[theirs] == 0).mean() > 0.9


@pytest.mark.parametrize("attack", list(Attack))
def test_every_way_of_voting_is_found(attack):
    log, both, _ = under_attack(100, Place.NETWORK, attack)
    assert move(both, weigh_votes(both).weight, ratings(log, judged(log).weight)) < 10


@pytest.mark.parametrize(("attack", "attackers"), [(Attack.ABSTAINING, 500), (Attack.OMNISCIENT, 25)])
def test_an_attack_in_a_rare_language_is_not_taken_for_its_taste(attack, attackers):
    log, both, theirs = under_attack(attackers, Place.LANGUAGE, attack)
    verdict = weigh_votes(both)
    assert (verdict.weight[theirs] == 0).mean() > 0.9
    assert move(both, verdict.weight, ratings(log, judged(log).weight)) < 10


def test_when_an_attack_larger_than_the_log_is_out_the_honest_are_judged_by_their_own_noise():
    _, both, theirs = under_attack(500, Place.CHECK, Attack.TIE_MASKED)
    verdict = weigh_votes(both)
    assert (verdict.weight[theirs] == 0).all()
    # Of the attackers' own tier nothing is left; the others are the honest.
    elsewhere = ~theirs & (both.check != both.check[theirs][0])
    assert elsewhere.sum() > 0.9 * (~theirs).sum()
    assert (verdict.reason[elsewhere] == 0).mean() < 0.005


def test_sinking_is_found_as_boosting_is():
    log, both, theirs = under_attack(100, Place.NETWORK, sink=True)
    assert ratings(both)[10] < ratings(log)[10] - 50
    verdict = weigh_votes(both)
    assert move(both, verdict.weight, ratings(log, judged(log).weight)) < 10
    assert (verdict.weight[theirs] == 0).all()


def test_young_attackers_who_outnumber_the_honest_are_judged_by_the_established():
    log, both, _ = under_attack(500, Place.YOUNG, poses=3)
    before = ratings(log, judged(log).weight)
    assert move(both, None, ratings(log)) > 200
    assert abs(ratings(both, weigh_votes(both).weight)[10] - before[10]) < 10


def test_a_school_behind_one_address_loses_no_vote():
    log = honest(10_000, 4)
    pupils = np.random.default_rng(4).permutation(int(log.voter.max()) + 1)[: int(log.voter.max()) // 5]
    school = np.isin(log.voter, pupils)
    log = replace(log, network=np.where(school, 10_000, log.network).astype(np.int32))
    verdict = weigh_votes(log)
    assert 0.15 < school.mean() < 0.25
    assert verdict.weight[school].min() > 0
    apart_from_age = np.where(verdict.reason == 1, 1.0, verdict.weight)
    assert move(log, apart_from_age, ratings(log)) < 3


def test_a_language_that_honestly_likes_other_models_is_no_attack():
    log, rng = honest(10_000, 5), np.random.default_rng(5)
    taste = rng.normal(0, 0.08, len(log.names))
    tempted = (log.language == 1) & (log.outcome < 2)
    better = taste[log.left] - taste[log.right]
    swayed = tempted & (rng.random(len(log)) < np.abs(better))
    log.outcome[swayed] = np.where(better[swayed] > 0, 0, 1)
    verdict = weigh_votes(log)
    assert not [name for name, _, _ in verdict.findings if name == "language"]


def test_weights_are_quarters_and_decisions_name_votes_and_no_slice():
    _, both, _ = under_attack(50)
    verdict = weigh_votes(both)
    assert set(verdict.weight.tolist()) <= WEIGHTS
    decisions = verdict.decisions(both)
    assert [each.number for each in decisions] == both.number[verdict.weight < 1].tolist()
    assert {each.weight for each in decisions} <= WEIGHTS - {1.0}
    assert {each.reason for each in decisions} <= set(REASONS[:4])
    assert {each.method for each in decisions} == {METHOD}


@pytest.mark.parametrize("seed", [1, 2, 3, *(pytest.param(seed, marks=pytest.mark.heavy) for seed in range(4, 20))])
def test_renaming_every_label_changes_no_bit(seed):
    _, both, _ = under_attack(20, Place.NETWORK, votes=3_000, seed=seed % 5)
    first = weigh_votes(both)
    second = weigh_votes(relabelled(both, np.random.default_rng(seed)))
    assert first.weight.tobytes() == second.weight.tobytes()
    assert first.reason.tobytes() == second.reason.tobytes()
    assert [z for _, _, z in first.findings] == [z for _, _, z in second.findings]


def test_the_share_cap_holds_until_the_gate_has_its_reference_and_changes_nothing_then():
    log, theirs = young()
    verdict = weigh_votes(log, share=share_of(log))
    decisions = verdict.decisions(log)
    assert [each.number for each in decisions] == log.number[theirs][20:].tolist()
    assert {(each.weight, each.reason) for each in decisions} == {(0.0, "network-share")}
    assert weigh_votes(log).decisions(log) == []
    _, both, _ = under_attack(50, votes=4_000)
    with_share, without = weigh_votes(both, share=np.zeros(len(both))), weigh_votes(both)
    assert without.awake
    assert with_share.weight.tobytes() == without.weight.tobytes()
    assert with_share.reason.tobytes() == without.reason.tobytes()


def test_age_rule_and_caps_sleep_where_few_are_established_or_neighbourhoods_are_few():
    log = honest(3_000)
    assert weigh_votes(log).awake
    assert not weigh_votes(replace(log, age=np.zeros(len(log)))).awake
    few = weigh_votes(replace(log, network=(log.network % 19).astype(np.int32)))
    assert not few.awake
    assert (few.weight == 1).all()


def test_a_log_without_origins_is_judged_by_voters_and_time_alone():
    log = nothing_known(honest(3_000))
    verdict = weigh_votes(log)
    assert not verdict.awake
    assert verdict.weight.min() == 1


def test_bursts_are_found_without_any_origin():
    log, both, theirs = under_attack(50, Place.BURST)
    verdict = weigh_votes(nothing_known(both))
    assert (verdict.weight[theirs] == 0).mean() > 0.5
    assert move(both, verdict.weight, ratings(log)) < 20


@pytest.mark.parametrize("votes", [0, 1, 2])
def test_a_log_of_hardly_any_vote_has_a_verdict(votes):
    log: CastVotes = honest(100).rows(np.arange(votes))
    assert weigh_votes(log).weight.tolist() == [1.0] * votes


def test_where_an_attack_is_in_no_slice_the_honest_are_not_silenced_in_its_place():
    log, both, theirs = under_attack(200, Place.NETWORK, Attack.ABSTAINING, seed=7)
    one_voter = np.where(theirs, both.voter[theirs][0], both.voter).astype(np.int32)
    both = nothing_known(replace(both, voter=one_voter))
    assert move(both, weigh_votes(both).weight, ratings(log)) < 1.05 * move(both, None, ratings(log))


@pytest.mark.parametrize(
    ("attack", "place", "attackers", "digest"),
    [
        (Attack.TARGETED, Place.NETWORK, 25, "708e9fd3c1c6fb1c"),
        (Attack.OFF_TARGET, Place.MANY_NETWORKS, 10, "f1d818f2f8695dbc"),
        (Attack.ABSTAINING, Place.LANGUAGE, 500, "4a9a699c8c467a23"),
        (Attack.OMNISCIENT, Place.HOUR, 50, "7617a80dc08bf35f"),
    ],
)
def test_a_gate_that_decides_otherwise_has_another_name(attack, place, attackers, digest):
    _, both, _ = under_attack(attackers, place, attack)
    verdict = weigh_votes(both)
    assert sha256(verdict.weight.tobytes() + verdict.reason.tobytes()).hexdigest()[:16] == digest
    assert {each.method for each in verdict.decisions(both)} == {"pooled-gate-1"}


def test_attackers_with_more_votes_than_all_others_who_come_on_three_days_do_not_make_these_look_guilty():
    world, rng = Population(votes_per_voter=20.0, days=60), np.random.default_rng(1)
    log = draw_honest_votes(world, rng)
    campaign = Campaign(Attack.TIE_MASKED, Place.DAYS, 250, battles=60, sink=True, quota=Quota.HEAVY)
    both, theirs = add_attack(world, log, campaign, rng)
    verdict = weigh_votes(both)
    assert theirs.mean() > 0.5
    assert (verdict.weight[theirs] == 0).mean() > 0.95
    assert (verdict.reason[~theirs] == 0).mean() < 0.15
    assert move(both, verdict.weight, ratings(log, weigh_votes(log).weight)) < 10


@pytest.mark.parametrize("attack", [Attack.TARGETED, Attack.RANDOM])
def test_few_attackers_with_a_neighbourhood_each_are_found_by_how_many_votes_they_cast(attack):
    log, both, theirs = under_attack(10, Place.MANY_NETWORKS, attack, seed=3)
    verdict = weigh_votes(both)
    assert (verdict.weight[theirs] == 0).all()
    assert move(both, verdict.weight, ratings(log, judged(log).weight)) < 10


def test_a_slice_too_large_to_be_judged_by_the_others_is_judged_by_its_days():
    """Half of all votes have one tier; in ten days all of these are for one model."""
    log = honest(10_000, 6)
    tier = (np.random.default_rng(6).random(int(log.voter.max()) + 1) < 0.5)[log.voter]
    day, on_target = log.second // slices.DAY, (log.left == 10) | (log.right == 10)
    pushing = tier & (day >= 10) & (day < 20) & on_target
    wins = np.where(log.left == 10, 0, 1)
    log = replace(log, check=tier.astype(np.int32), outcome=np.where(pushing, wins, log.outcome).astype(np.uint8))
    verdict = weigh_votes(log)
    assert "check, day" in {name for name, _, _ in verdict.findings}
    assert (verdict.reason[pushing] == 0).mean() > 0.25
    assert (verdict.reason[~pushing] == 0).mean() < 0.02


def test_above_the_size_up_to_which_divisions_are_crossed_the_same_share_of_attackers_is_found(monkeypatch):
    monkeypatch.setattr(slices, "MOST_CROSSED", 10_000)
    log, both, theirs = under_attack(100, Place.CHECK, votes=20_000)
    verdict = weigh_votes(both)
    assert not [name for name, _, _ in verdict.findings if ", " in name]
    assert (verdict.weight[theirs] == 0).mean() > 0.9
    assert move(both, verdict.weight, ratings(log, judged(log).weight)) < 10


@pytest.mark.parametrize("share", [5, 20])
def test_attackers_who_sink_a_model_from_a_school_cost_the_school_few_of_its_own_votes(share):
    log = honest(10_000, 4)
    pupils = np.random.default_rng(4).permutation(int(log.voter.max()) + 1)[: int(log.voter.max()) // share]
    log = replace(log, network=np.where(np.isin(log.voter, pupils), 10_000, log.network).astype(np.int32))
    campaign = Campaign(Attack.TARGETED, Place.MANY_NETWORKS, 100, sink=True)
    both, theirs = add_attack(Population(), log, campaign, np.random.default_rng(4))
    both = replace(both, network=np.where(theirs, 10_000, both.network).astype(np.int32))
    verdict = weigh_votes(both)
    school = (both.network == 10_000) & ~theirs
    assert (verdict.weight[theirs] == 0).all()
    assert (verdict.reason[school] == 0).mean() < 0.3
    assert (verdict.reason[~theirs] == 0).mean() < 0.03
    assert move(both, verdict.weight, ratings(log, judged(log).weight)) < 10
