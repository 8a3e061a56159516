"""The gate of release 0.2.0: what it finds and leaves alone, so that its published decisions stay checkable."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

from arena_trust.integrity.cast_votes import DAY, UNKNOWN, CastVotes
from arena_trust.integrity.outlier_search import OutlierSearch
from arena_trust.integrity.pooled_gate import METHOD, weigh_votes
from arena_trust.integrity.published_form import by_week, published_form
from arena_trust.integrity.simulation.attack_kinds import Attack, Place, Quota
from arena_trust.integrity.simulation.attackers import Campaign, add_attack, draw_attack_votes, join_attacks
from arena_trust.integrity.simulation.population import Population, draw_honest_votes
from arena_trust.integrity.simulation.trial import attacked_log
from tests.trust.integrity.logs import honest, move, ratings, relabelled, under_attack


def weigh_published(log):
    """The gate's verdict on the published form of a log."""
    return weigh_votes(published_form(by_week(log)).log)


def nothing_known(log):
    """The log without any origin but voter and time."""
    none, nan = np.full(len(log), UNKNOWN, np.int32), np.full(len(log), np.nan)
    return replace(log, network=none, since=none, language=none, check=none, age=nan, reading=nan)


def people_like(attack=Attack.TARGETED, votes=1_500, place=Place.FORTY_NETWORKS, **campaign):
    """Attackers whose numbers of votes, ages, hours and reading times are drawn like people's."""
    return Campaign(attack, place, votes // 10, battles=10, quota=Quota.GEOMETRIC, **campaign)


@pytest.mark.parametrize("seed", range(5))
def test_without_an_attack_every_vote_counts_in_full_and_no_decision_is_made(seed):
    log = honest(10_000, seed)
    verdict = weigh_published(log)
    assert (verdict.weight == 1).all()
    assert (verdict.findings, verdict.decisions(log)) == ((), [])


@pytest.mark.parametrize("place", [Place.CHECK, Place.HOUR, Place.BURST, Place.FAST, Place.LANGUAGE])
def test_attackers_in_one_slice_move_nothing_far(place):
    log, both, theirs = under_attack(100, place)
    verdict = weigh_published(both)
    assert move(both, None, ratings(log)) > 60
    assert move(both, verdict.weight, ratings(log)) < 15
    assert (verdict.weight[theirs] == 0).mean() > 0.9


@pytest.mark.parametrize("attack", list(Attack))
def test_every_way_of_voting_is_found(attack):
    log, both, _ = under_attack(200, Place.CHECK, attack)
    assert move(both, weigh_published(both).weight, ratings(log)) < move(both, None, ratings(log)) / 4


def test_attackers_like_people_from_new_neighbourhoods_of_their_own_are_found_as_one_group():
    world, log = Population(), honest(10_000)
    both, _ = add_attack(world, log, people_like(), np.random.default_rng(3))
    verdict = weigh_published(both)
    assert {name for name, _, _ in verdict.findings} <= {"since", "new"}
    assert move(both, None, ratings(log)) > 30
    assert move(both, verdict.weight, ratings(log)) < 15


def test_two_owners_who_rise_together_are_found_together():
    world, log, rng = Population(), honest(10_000), np.random.default_rng(3)
    crews = [people_like(votes=1_200, target=target) for target in (8, 13)]
    both, _ = join_attacks(log, [draw_attack_votes(world, log, crew, rng) for crew in crews])
    verdict = weigh_published(both)
    less = verdict.weight < 1
    for model in (8, 13):
        assert less[(both.left == model) | (both.right == model)].mean() > 0.1
    assert move(both, verdict.weight, ratings(log)) < move(both, None, ratings(log)) / 2


def test_slices_that_are_too_weak_alone_are_found_together():
    log, both, theirs = under_attack(60, Place.DAYS)
    verdict = weigh_published(both)
    assert {name for name, _, _ in verdict.findings} == {"day"}
    assert (verdict.weight[theirs] == 0).sum() > 100
    assert move(both, verdict.weight, ratings(log)) < move(both, None, ratings(log)) / 2


def test_boosting_is_found_by_the_ties_that_it_lacks():
    _, both, theirs = under_attack(10, Place.CHECK, Attack.TIE_MASKED)
    assert (weigh_published(both).weight[theirs] == 0).any()


@pytest.mark.parametrize("seed", [9_103, 9_114])
def test_fast_readers_who_never_tie_push_no_model(seed):
    log, rng = honest(10_000, seed), np.random.default_rng(seed)
    decided = (log.reading < 8) & (log.outcome >= 2)
    log.outcome[decided] = rng.integers(0, 2, decided.sum())
    assert (weigh_published(log).weight == 1).all()


def test_sinking_is_found_as_boosting_is():
    log, both, theirs = under_attack(100, Place.CHECK, sink=True)
    assert ratings(both)[10] < ratings(log)[10] - 50
    verdict = weigh_published(both)
    assert move(both, verdict.weight, ratings(log)) < 15
    assert (verdict.weight[theirs] == 0).mean() > 0.9
    assert all(z < 0 for _, _, z in verdict.findings)


def test_when_an_attack_larger_than_the_log_is_out_the_honest_keep_their_votes():
    _, both, theirs = under_attack(500, Place.CHECK, Attack.TIE_MASKED)
    verdict = weigh_published(both)
    assert (verdict.weight[theirs] == 0).all()
    elsewhere = ~theirs & (both.check != both.check[theirs][0])
    assert (verdict.weight[elsewhere] == 0).mean() < 0.005


def test_a_school_behind_one_address_loses_no_vote():
    log = honest(10_000, 4)
    pupils = np.random.default_rng(4).permutation(int(log.voter.max()) + 1)[: int(log.voter.max()) // 5]
    school = np.isin(log.voter, pupils)
    verdict = weigh_published(replace(log, network=np.where(school, 10_000, log.network).astype(np.int32)))
    assert 0.15 < school.mean() < 0.25
    assert (verdict.weight == 1).all()


def test_a_language_that_honestly_likes_other_models_is_no_attack():
    log, rng = honest(10_000, 5), np.random.default_rng(5)
    taste = rng.normal(0, 0.08, len(log.names))
    tempted = (log.language == 1) & (log.outcome < 2)
    better = taste[log.left] - taste[log.right]
    swayed = tempted & (rng.random(len(log)) < np.abs(better))
    log.outcome[swayed] = np.where(better[swayed] > 0, 0, 1)
    assert not [name for name, _, _ in weigh_published(log).findings if name == "language"]


def test_decisions_name_the_votes_that_lose_weight_and_no_slice():
    _, both, _ = under_attack(100, Place.CHECK)
    verdict = weigh_published(both)
    decisions = verdict.decisions(both)
    assert [each.number for each in decisions] == both.number[verdict.weight < 1].tolist()
    assert {(each.weight, each.reason, each.method) for each in decisions} == {(0.0, "pooled", METHOD)}
    assert set(verdict.finding[verdict.weight < 1].tolist()) == set(range(len(verdict.findings)))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_renaming_every_label_changes_no_bit(seed):
    _, both, _ = under_attack(60, Place.CHECK, votes=3_000, seed=seed)
    first, second = weigh_votes(both), weigh_votes(relabelled(both, np.random.default_rng(seed)))
    assert (first.weight < 1).any()
    assert first.weight.tobytes() == second.weight.tobytes()
    assert [z for _, _, z in first.findings] == [z for _, _, z in second.findings]


def test_bursts_are_found_without_any_origin():
    log, both, theirs = under_attack(100, Place.BURST)
    verdict = weigh_votes(nothing_known(both))
    assert (verdict.weight[theirs] == 0).mean() > 0.5
    assert move(both, verdict.weight, ratings(log)) < 20


def test_one_neighbourhood_with_all_votes_is_nobody_s_outlier():
    log = honest(3_000)
    assert (weigh_published(replace(log, network=np.zeros(len(log), np.int32))).weight == 1).all()


@pytest.mark.parametrize("votes", [0, 1, 2, 3])
def test_a_log_of_hardly_any_vote_counts_in_full(votes):
    log: CastVotes = honest(100).rows(np.arange(votes))
    assert weigh_published(log).weight.tolist() == [1.0] * votes


@pytest.mark.parametrize(
    ("attack", "place", "attackers", "digest"),
    [
        (Attack.TARGETED, Place.CHECK, 25, "703e8d6843270dd0"),
        (Attack.OFF_TARGET, Place.FORTY_NETWORKS, 100, "1783e03f7194394f"),
        (Attack.OMNISCIENT, Place.HOUR, 50, "88d46315ec7043cd"),
        (Attack.TIE_MASKED, Place.LANGUAGE, 25, "4e0f57782031c7de"),
    ],
)
def test_a_gate_that_decides_otherwise_has_another_name(attack, place, attackers, digest):
    _, both, _ = under_attack(attackers, place, attack)
    verdict = weigh_published(both)
    assert sha256(verdict.weight.tobytes()).hexdigest()[:16] == digest
    assert METHOD == "pooled-gate-4"


def test_attackers_with_more_votes_than_all_others_do_not_make_these_look_guilty():
    world, rng = Population(votes_per_voter=20.0, days=60), np.random.default_rng(1)
    log = draw_honest_votes(world, rng)
    campaign = Campaign(Attack.TIE_MASKED, Place.DAYS, 250, battles=60, sink=True, quota=Quota.HEAVY)
    both, theirs = add_attack(world, log, campaign, rng)
    verdict = weigh_published(both)
    assert theirs.mean() > 0.5
    assert (verdict.weight[theirs] == 0).mean() > 0.95
    assert (verdict.weight[~theirs] == 0).mean() < 0.15


@pytest.mark.parametrize("attack", [Attack.TARGETED, Attack.ABSTAINING])
def test_more_attackers_than_honest_votes_on_three_days_do_not_turn_the_gate_on_the_honest(attack):
    world, campaign = Population(), Campaign(attack, Place.DAYS, 500)
    log = draw_honest_votes(world, np.random.default_rng([20_001, 0]))
    both, _ = attacked_log(world, log, (campaign,), [20_001, 1])
    assert move(both, None, ratings(log)) > 200
    assert move(both, weigh_published(both).weight, ratings(log)) < 20


@pytest.mark.parametrize(("pushing", "slices", "contested"), [(1, 1, set()), (2, 3, {3}), (2, 6, set()), (3, 6, {3})])
def test_a_model_is_contested_when_over_a_third_of_its_slices_and_more_than_one_push_it(pushing, slices, contested):
    search = OutlierSearch(honest(100), [])
    search.slices, search.pushed = [np.full(20, float(slices))], {(0, 3): set(range(pushing))}
    assert search.contested == contested


def test_if_more_than_a_third_of_all_days_push_a_model_nothing_is_decided_on_it():
    world, rng = Population(), np.random.default_rng([300, 1])
    log = draw_honest_votes(world, np.random.default_rng([300, 0]))
    votes = draw_attack_votes(world, log, Campaign(Attack.TARGETED, Place.MANY_NETWORKS, 500), rng)
    like = log.rows(rng.integers(0, len(log), len(votes)))
    days = rng.permutation(30)[:12][rng.integers(0, 12, len(votes))]
    votes = replace(votes, second=days * DAY + votes.second % DAY, network=like.network)
    verdict = weigh_published(join_attacks(log, [votes])[0])
    assert verdict.undecided == ("model-010",)
    assert (verdict.weight == 1).all()


@pytest.mark.parametrize("share", [5, 20])
def test_attackers_who_sink_a_model_from_a_school_cost_others_hardly_a_vote(share):
    log = honest(10_000, 4)
    pupils = np.random.default_rng(4).permutation(int(log.voter.max()) + 1)[: int(log.voter.max()) // share]
    log = replace(log, network=np.where(np.isin(log.voter, pupils), 10_000, log.network).astype(np.int32))
    campaign = Campaign(Attack.TARGETED, Place.MANY_NETWORKS, 100, sink=True)
    both, theirs = add_attack(Population(), log, campaign, np.random.default_rng(4))
    both = replace(both, network=np.where(theirs, 10_000, both.network).astype(np.int32))
    both = replace(both, since=np.where(both.network == 10_000, UNKNOWN, both.since).astype(np.int32))
    verdict = weigh_published(both)
    school = (both.network == 10_000) & ~theirs
    assert (verdict.weight[~theirs & ~school] == 0).mean() < 0.05
    assert move(both, verdict.weight, ratings(log)) < min(12, move(both, None, ratings(log)) / 2)
