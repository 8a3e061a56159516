"""The vote gate: what it finds, what it leaves alone, what it calls contested, and that it depends on no label."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

from arena_trust.integrity.cast_votes import DAY, HOUR, UNKNOWN
from arena_trust.integrity.choosers import VoterDays, _push, find_choosers
from arena_trust.integrity.gate import GATES, METHOD, weigh_votes
from arena_trust.integrity.published_form import by_week, published_form
from arena_trust.integrity.remaining_votes import RemainingVotes
from arena_trust.integrity.simulation.attack_kinds import Attack, Place
from arena_trust.integrity.simulation.trial import weigh_published
from arena_trust.integrity.verdicts import CHOSEN, POOLED
from benchmarks.gate.schools import frame
from tests.trust.integrity.logs import honest, ratings, relabelled, under_attack

TARGET = 10


def on_target(log):
    return (log.left == TARGET) | (log.right == TARGET)


def target_move(log, weight, before):
    return float((ratings(log, weight) - before)[TARGET])


@pytest.mark.parametrize("seed", range(5))
def test_without_an_attack_every_vote_counts_in_full_and_no_model_is_contested(seed):
    log = honest(10_000, seed)
    verdict = weigh_published(log)
    assert (verdict.weight == 1).all()
    assert (verdict.findings, verdict.decisions(log), verdict.undecided) == ((), [], ())


@pytest.mark.parametrize("place", [Place.CHECK, Place.HOUR, Place.BURST, Place.FAST, Place.LANGUAGE])
@pytest.mark.parametrize("sink", [False, True], ids=["push", "sink"])
def test_attackers_in_one_slice_move_the_target_little_and_people_lose_hardly_a_vote(place, sink):
    log, both, theirs = under_attack(100, place, sink=sink)
    weight = weigh_published(both).weight
    assert abs(target_move(both, None, ratings(log))) > 50
    assert abs(target_move(both, weight, ratings(log))) < 15
    assert (weight[theirs & on_target(both)] == 0).mean() > 0.9
    assert (weight[~theirs] == 0).mean() < 0.03


@pytest.mark.parametrize("attack", [Attack.TARGETED, Attack.TIE_MASKED, Attack.RANDOM, Attack.ABSTAINING])
def test_ways_of_voting_are_found(attack):
    log, both, _ = under_attack(150, Place.CHECK, attack)
    weight = weigh_published(both).weight
    assert abs(target_move(both, weight, ratings(log))) < abs(target_move(both, None, ratings(log))) / 4


def test_attackers_are_told_by_a_crossing_of_facts_of_which_each_alone_is_common():
    _, both, theirs = under_attack(100, Place.FAST)
    half = theirs & (np.arange(len(both)) % 2 == 0)
    day = np.where(theirs, 12, both.second // DAY)
    both = replace(
        both, second=day * DAY + both.second % DAY, reading=np.where(half, both.reading, np.minimum(both.reading, 3.0))
    )
    order = np.argsort(both.second, kind="stable")
    both, theirs = both.rows(order), theirs[order]
    weight = weigh_published(both).weight
    assert (weight[theirs & on_target(both)] == 0).mean() > 0.9
    assert (weight[~theirs] == 0).mean() < 0.03


def aged_pushers(seed, attackers=110, ties=0.0):
    """A young arena's log, in which two thirds of people are new, with aged attackers on all days; and their mask."""
    log, both, theirs = under_attack(attackers, Place.MANY_NETWORKS, seed=seed)
    rng = np.random.default_rng(seed)
    known = rng.random(int(both.voter.max()) + 1) < 0.35
    none = np.full(len(both), UNKNOWN, np.int32)
    age = np.where(theirs | known[both.voter], 10.0, 0.0)
    masked = theirs & on_target(both) & (rng.random(len(both)) < ties)
    both.outcome[masked] = 2
    return log, replace(both, age=age, network=none, since=none), theirs


@pytest.mark.parametrize("ties", [0.0, 0.3], ids=["patient", "masked"])
@pytest.mark.parametrize("seed", [1, 2])
def test_where_two_explanations_fit_nobody_loses_a_vote_and_the_model_is_contested(seed, ties):
    log, both, _ = aged_pushers(seed, ties=ties)
    verdict = weigh_published(replace(both, voter=np.arange(len(both), dtype=np.int32)))  # no voter has a second vote
    shift = target_move(both, None, ratings(log))
    assert shift > 30
    assert (verdict.weight == 1).all()
    assert verdict.undecided == ("model-010",)
    assert shift / 2 < verdict.bounds["model-010"] < 1.5 * shift


@pytest.mark.parametrize("seed", [2, 3])
def test_two_votes_of_a_voter_tell_which_of_two_explanations_holds(seed):
    log, both, theirs = aged_pushers(seed)
    people = int(both.voter.max()) + 1
    five_a_day = people + both.second // DAY * 5 + np.arange(len(both)) % 5
    both = replace(both, voter=np.where(theirs, five_a_day, both.voter).astype(np.int32))
    form = published_form(by_week(both)).log
    verdict, earlier = GATES[METHOD](form), GATES["subset-scan-5"](form)
    assert (earlier.weight == 1).all()
    assert earlier.undecided == ("model-010",)
    assert verdict.undecided == ()
    assert (verdict.weight[theirs & on_target(both)] == 0).mean() > 0.9
    assert (verdict.weight[~theirs] == 0).mean() < 0.04
    assert abs(target_move(both, verdict.weight, ratings(log))) < target_move(both, None, ratings(log)) / 3


@pytest.mark.parametrize("seed", [1, 2])
def test_a_push_masked_by_ties_is_told_by_never_losing(seed):
    log, both, theirs = aged_pushers(seed, attackers=130, ties=1 / 3)
    five_a_day = int(both.voter.max()) + 1 + both.second // DAY * 5 + np.arange(len(both)) % 5
    both = replace(both, voter=np.where(theirs, five_a_day, both.voter).astype(np.int32))
    form = published_form(by_week(both)).log
    verdict, earlier = GATES[METHOD](form), GATES["subset-scan-7"](form)
    assert (earlier.weight == 1).all()
    assert earlier.undecided == ("model-010",)
    assert verdict.undecided == ()
    assert (verdict.weight[theirs & on_target(both)] == 0).mean() > 0.9
    assert (verdict.weight[~theirs] == 0).mean() < 0.03
    assert abs(target_move(both, verdict.weight, ratings(log))) < target_move(both, None, ratings(log)) / 3


def mixed_pushers(seed):
    """The log of `aged_pushers`, in which every second attacker is new and fast, on two days; and their mask."""
    log, both, theirs = aged_pushers(seed, attackers=120)
    fresh = theirs & (both.voter % 2 == 0)
    day = np.where(fresh, 12 + both.voter % 4 // 2, both.second // DAY)
    both = replace(
        both,
        age=np.where(fresh, 0.0, both.age),
        reading=np.where(fresh, np.minimum(both.reading, 5.0), both.reading),
        second=day * DAY + both.second % DAY,
    )
    people = int(both.voter.max()) + 1
    five_a_day = people + day * 5 + np.arange(len(both)) % 5
    both = replace(both, voter=np.where(theirs & ~fresh, five_a_day, both.voter).astype(np.int32))
    order = np.argsort(both.second, kind="stable")
    return log, replace(both.rows(order), number=both.number), theirs[order]


@pytest.mark.parametrize(("seed", "left_by_one_that_follows_no_push"), [(1, 50), (5, 0)])
def test_two_parts_of_one_push_do_not_mask_each_other(seed, left_by_one_that_follows_no_push):
    log, both, theirs = mixed_pushers(seed)
    form = published_form(by_week(both)).log
    verdict, earlier = GATES[METHOD](form), GATES["subset-scan-6"](form)
    assert target_move(both, None, ratings(log)) > 80
    assert target_move(both, earlier.weight, ratings(log)) > left_by_one_that_follows_no_push
    assert abs(target_move(both, verdict.weight, ratings(log))) < 10
    assert (verdict.weight[theirs & on_target(both)] == 0).mean() > 0.95
    assert (verdict.weight[~theirs] == 0).mean() < 0.03
    assert verdict.undecided == ()


@pytest.mark.parametrize("seed", [1, 2])
def test_a_school_of_a_fifth_in_which_attackers_sink_a_model_does_not_sink_it(seed):
    result = frame(seed, 0.2)
    assert result.undefended < -60
    assert abs(result.gated) < 25
    assert result.lost < 0.5


def chosen_battles(seed, share=0.7, people=40):
    """An honest log with voters of whose battles most have the target, which wins them, and the mask of their votes."""
    log, rng = honest(8_000, seed, newcomer=False), np.random.default_rng(seed)
    rows = np.sort(rng.permutation(len(log))[: people * 15])
    is_theirs = np.isin(np.arange(len(log)), rows)
    voter = log.voter.copy()
    voter[rows] = int(voter.max()) + 1 + np.arange(len(rows)) // 15
    for row in rows[rng.random(len(rows)) < share].tolist():
        other = int(rng.choice([model for model in range(20) if model != TARGET]))
        log.left[row], log.right[row], log.outcome[row] = TARGET, other, 0
    second = log.second.copy()
    second[rows] = second[rows[np.arange(len(rows)) // 15 * 15]]
    log = replace(log, voter=voter, second=second)
    order = np.argsort(log.second, kind="stable")
    return replace(log.rows(order), number=np.arange(1, len(log) + 1)), is_theirs[order]


@pytest.mark.parametrize("seed", [1, 2])
def test_voters_who_choose_their_battles_are_told_without_any_origin(seed):
    log, theirs = chosen_battles(seed)
    none, nan = np.full(len(log), UNKNOWN, np.int32), np.full(len(log), np.nan)
    log = replace(log, network=none, since=none, language=none, check=none, age=nan, reading=nan)
    verdict = weigh_published(log)
    assert {decision.reason for decision in verdict.decisions(log)} == {CHOSEN}
    assert (verdict.weight[theirs & on_target(log)] == 0).mean() > 0.9
    assert (verdict.weight[~theirs] == 0).mean() < 0.005


@pytest.mark.parametrize(("wins", "is_push"), [(1.0, True), (0.75, True), (0.6, False), (0.35, False), (0.3, True)])
def test_choosers_push_if_a_fifth_of_their_votes_is_no_chance(wins, is_push):
    log, theirs = chosen_battles(2)
    rows = np.flatnonzero(theirs & on_target(log))
    log.outcome[rows] = (np.random.default_rng(2).random(len(rows)) < wins) != (log.left[rows] == TARGET)
    heard = RemainingVotes(log)
    group = find_choosers(VoterDays(log), heard.hits(TARGET), heard.board)
    assert (group is not None) == is_push
    if group is not None:
        assert np.isin(group.rows, rows).mean() > 0.95
        assert np.sign(group.z) == np.sign(wins - 0.5)


@pytest.mark.parametrize(("wins", "is_push"), [(260, True), (256, False), (144, False), (140, True)])
def test_the_share_of_votes_that_only_a_push_explains_is_a_fifth_less_two_standard_errors(wins, is_push):
    score = np.repeat([1.0, 0.0], [wins, 400 - wins])
    assert (_push(score, np.full(400, 0.5)) != 0) == is_push


@pytest.mark.parametrize(("wins", "person"), [(True, 0), (False, 1)])
def test_one_of_the_choosers_does_not_clear_themselves_by_losing_half_of_their_battles(wins, person):
    log, theirs = chosen_battles(1)
    rows = np.flatnonzero(theirs & on_target(log))
    log.outcome[rows] = (log.left[rows] == TARGET) != wins
    people, battles = np.unique(log.voter[rows], return_counts=True)
    own = rows[log.voter[rows] == people[battles == 11][person]]
    for lost, is_told in ((6, True), (7, False)):
        outcome = log.outcome.copy()
        outcome[own[:lost]] = 1 - outcome[own[:lost]]
        heard = RemainingVotes(replace(log, outcome=outcome))
        group = find_choosers(VoterDays(log), heard.hits(TARGET), heard.board)
        assert group is not None
        assert np.isin(own, group.rows).all() == is_told


def test_a_newcomer_that_the_arena_shows_in_half_of_the_time_is_chosen_by_nobody():
    for seed in (20_101, 20_109):
        assert (weigh_published(honest(10_000, seed)).weight == 1).all()


@pytest.mark.parametrize("seed", [9_103, 9_114])
def test_fast_readers_who_never_tie_push_no_model(seed):
    log, rng = honest(10_000, seed), np.random.default_rng(seed)
    decided = (log.reading < 8) & (log.outcome >= 2)
    log.outcome[decided] = rng.integers(0, 2, decided.sum())
    assert (weigh_published(log).weight == 1).all()


def test_a_school_behind_one_address_loses_no_vote():
    log = honest(10_000, 4)
    pupils = np.random.default_rng(4).permutation(int(log.voter.max()) + 1)[: int(log.voter.max()) // 5]
    school = np.isin(log.voter, pupils)
    verdict = weigh_published(replace(log, network=np.where(school, 10_000, log.network).astype(np.int32)))
    assert (verdict.weight == 1).all()


def test_a_language_that_honestly_likes_other_models_is_no_attack():
    log, rng = honest(10_000, 5), np.random.default_rng(5)
    taste = rng.normal(0, 0.2, len(log.names))
    better = taste[log.left] - taste[log.right]
    swayed = (log.language == 1) & (log.outcome < 2) & (rng.random(len(log)) < np.abs(better))
    log.outcome[swayed] = np.where(better[swayed] > 0, 0, 1)
    verdict = weigh_published(log)
    assert (verdict.weight == 1).all()
    assert verdict.undecided == ()


@pytest.mark.parametrize("seed", [1, 2])
def test_a_taste_of_one_language_is_not_looked_for_in_the_hours_of_its_country(seed):
    log, rng = honest(10_000, seed), np.random.default_rng(seed)
    is_country = log.language == 1
    hour = np.where(is_country, 1, 9) + log.second % 3
    log = replace(log, second=log.second // DAY * DAY + hour * HOUR + log.second % HOUR)
    swayed = is_country & on_target(log) & (log.outcome < 2) & (rng.random(len(log)) < 0.5)
    log.outcome[swayed] = log.left[swayed] != TARGET
    log = log.rows(np.argsort(log.second, kind="stable"))
    verdict = weigh_published(replace(log, number=np.arange(1, len(log) + 1)))
    assert (verdict.weight == 1).all()
    assert verdict.undecided == ()


def test_an_attack_larger_than_the_log_is_contested_and_takes_no_vote_of_anybody():
    log, both, _ = under_attack(500, Place.FAST)
    verdict = weigh_published(both)
    assert (verdict.weight == 1).all()
    assert verdict.undecided == ("model-010",)
    assert verdict.bounds["model-010"] > target_move(both, None, ratings(log)) / 2


def test_decisions_name_the_votes_that_lose_weight_and_no_slice():
    _, both, _ = under_attack(100, Place.CHECK)
    verdict = weigh_published(both)
    decisions = verdict.decisions(both)
    assert [decision.number for decision in decisions] == both.number[verdict.weight < 1].tolist()
    assert {(decision.weight, decision.reason, decision.method) for decision in decisions} == {(0.0, POOLED, METHOD)}
    assert set(verdict.finding[verdict.weight < 1].tolist()) == set(range(len(verdict.findings)))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_renaming_every_label_changes_no_bit(seed):
    _, both, _ = under_attack(60, Place.CHECK, votes=6_000, seed=seed)
    first, second = weigh_votes(both), weigh_votes(relabelled(both, np.random.default_rng(seed)))
    assert (first.weight < 1).any()
    assert first.weight.tobytes() == second.weight.tobytes()
    assert [z for _, _, z in first.findings] == [z for _, _, z in second.findings]


def test_one_neighbourhood_or_one_day_with_all_votes_is_nobody_s_outlier():
    log = honest(3_000)
    assert (weigh_published(replace(log, network=np.zeros(len(log), np.int32))).weight == 1).all()
    assert (weigh_published(replace(log, second=log.second % DAY)).weight == 1).all()


@pytest.mark.parametrize("votes", [0, 1, 5, 99, 100])
def test_a_log_of_hardly_any_vote_counts_in_full(votes):
    log = honest(100).rows(np.arange(votes))
    assert weigh_published(log).weight.tolist() == [1.0] * votes


@pytest.mark.parametrize(
    ("attack", "place", "attackers", "digests"),
    [
        (Attack.TARGETED, Place.CHECK, 50, "73e0561de903d08b 93628504fec3be04 a9e4d82c66dca59a a9e4d82c66dca59a"),
        (Attack.OFF_TARGET, Place.ONE_DAY, 100, "3e026d1b618adc81 02991ae0fb367ebb 69833fe884965496 07c9150702f583e4"),
        (Attack.ABSTAINING, Place.HOUR, 50, "022de35419c33575 4b0588406d664d80 5cce9ad7815edb48 5cce9ad7815edb48"),
        (Attack.TIE_MASKED, Place.LANGUAGE, 50, "f69b688b3269c88f f69b688b3269c88f f69b688b3269c88f f69b688b3269c88f"),
    ],
)
def test_a_gate_that_decides_otherwise_has_another_name(attack, place, attackers, digests):
    _, both, _ = under_attack(attackers, place, attack)
    form = published_form(by_week(both)).log
    weights = [GATES[f"subset-scan-{version}"](form).weight for version in (8, 7, 6, 5)]
    assert all((weight < 1).any() for weight in weights)
    assert [sha256(weight.tobytes()).hexdigest()[:16] for weight in weights] == digests.split()
    assert METHOD == "subset-scan-8"


def test_a_released_gate_still_computes_its_decisions_beside_the_new_one():
    _, both, _ = under_attack(100, Place.CHECK)
    form = published_form(by_week(both)).log
    verdicts = {method: gate(form) for method, gate in GATES.items()}
    assert list(verdicts) == ["pooled-gate-4", "subset-scan-5", "subset-scan-6", "subset-scan-7", METHOD]
    assert all(verdict.method == method for method, verdict in verdicts.items())
    assert verdicts["pooled-gate-4"].weight.tobytes() != verdicts[METHOD].weight.tobytes()
