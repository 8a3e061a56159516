"""A voter's other votes on a model: which honest votes stay in a hostile part, and which hostile ones go outside it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_trust.integrity.directed_search import DirectedSearch
from arena_trust.integrity.explanations import Explanation, explain, explain_mask
from arena_trust.integrity.other_votes import companions, honest_votes, votes_beside_others
from arena_trust.integrity.remaining_votes import RemainingVotes
from arena_trust.integrity.slice_search import SliceSearch
from arena_trust.integrity.verdicts import anonymous
from tests.trust.integrity.logs import honest

MODELS = 5


def votes_of(voters, seed=3):
    """A log in which so many voters vote on the first model again and again, the votes on it, and the voter of each."""
    log = anonymous(honest(2_000, seed, models=MODELS, newcomer=False))
    log = replace(log, voter=(np.arange(len(log)) % voters).astype(np.int32))
    heard = RemainingVotes(log)
    return log, heard, heard.hits(0)


@pytest.mark.parametrize("down", [False, True])
def test_a_vote_is_kept_by_its_voter_s_other_votes_alone(down):
    log, heard, hits = votes_of(300)
    part = np.arange(len(log)) % 3 > 0
    kept = honest_votes(heard, hits, part, down=down)
    inside = np.flatnonzero(part[hits.rows])
    score = 1 - hits.score if down else hits.score
    expected = set()
    for place in inside.tolist():
        others = [
            score[other] - 0.5
            for other in inside.tolist()
            if other != place and log.voter[hits.rows[other]] == log.voter[hits.rows[place]]
        ]
        if sum(others) <= -0.5:
            expected.add(int(hits.rows[place]))
    assert expected
    assert set(np.flatnonzero(kept).tolist()) == expected


def masked(log, hits, part, is_mask, *, down=False):
    """The log in which the votes on the first model in a part push it, or tie where they are to mask that."""
    outcome, rows = log.outcome.copy(), hits.rows[part[hits.rows]]
    outcome[rows] = np.where(is_mask[rows], 2, (log.left[rows] == 0) == down)
    return replace(log, outcome=outcome)


@pytest.mark.parametrize("down", [False, True])
def test_a_vote_stays_if_another_vote_of_its_voter_does_not_push(down):
    log, heard, hits = votes_of(300)
    part = np.arange(len(log)) % 3 > 0
    inside = np.flatnonzero(part[hits.rows])
    score, voter = (1 - hits.score if down else hits.score), log.voter[hits.rows]
    expected = {
        int(hits.rows[place])
        for place in inside.tolist()
        if any(other != place and voter[other] == voter[place] and score[other] < 1 for other in inside.tolist())
    }
    assert expected
    stay = votes_beside_others(heard, hits, part, down=down)
    assert set(np.flatnonzero(stay).tolist()) == expected
    assert not (honest_votes(heard, hits, part, down=down) & ~stay).any()


def test_votes_beside_ties_go_where_ties_mask_the_push():
    log, _, hits = votes_of(150)
    part = log.voter % 2 == 0
    both = masked(log, hits, part & (log.voter % 4 == 0), np.random.default_rng(1).random(len(log)) < 0.3)
    heard = RemainingVotes(both)
    stay = votes_beside_others(heard, heard.hits(0), part, down=False)
    assert stay.any()
    assert not stay[log.voter % 4 == 0].any()


@pytest.mark.parametrize("rule", [honest_votes, votes_beside_others])
def test_kept_votes_have_the_mean_score_of_all_honest_ones(rule):
    shifts = []
    for seed in range(8):
        log, heard, hits = votes_of(400, seed)
        part = log.voter % 2 == 0
        kept, inside = rule(heard, hits, part, down=False)[hits.rows], part[hits.rows]
        shifts.append(float(hits.score[kept].mean() - hits.score[inside].mean()))
    assert abs(np.mean(shifts)) < 0.04  # two standard errors


@pytest.mark.parametrize("rule", [honest_votes, votes_beside_others])
def test_voters_who_lose_a_vote_so_that_others_are_kept_keep_none(rule):
    log, heard, hits = votes_of(300)
    first = np.unique(log.voter[hits.rows], return_index=True)[1]
    outcome = log.outcome.copy()
    wins = np.where(log.left[hits.rows] == 0, 0, 1)
    outcome[hits.rows] = wins
    outcome[hits.rows[first]] = 1 - wins[first]
    count = np.bincount(log.voter[hits.rows])[log.voter[hits.rows]]
    part = np.zeros(len(log), np.bool_)
    part[hits.rows[count == 2]] = True
    heard = RemainingVotes(replace(log, outcome=outcome))
    assert part.any()
    assert not rule(heard, heard.hits(0), part, down=False).any()


@pytest.mark.parametrize("down", [False, True])
def test_voters_who_push_inside_a_part_lose_their_votes_outside_it(down):
    log, heard, hits = votes_of(200)
    pushes = np.isin(log.voter, np.arange(40))
    outcome = log.outcome.copy()
    rows = hits.rows[pushes[hits.rows]]
    outcome[rows] = (log.left[rows] == 0) == down
    heard = RemainingVotes(replace(log, outcome=outcome))
    part = pushes & (np.arange(len(log)) // 200 % 2 == 0)
    taken = companions(heard, heard.hits(0), part, down=down)
    assert not (taken & part).any()
    assert not (taken & ~pushes).any()
    inside = np.isin(log.voter, log.voter[heard.hits(0).rows[part[heard.hits(0).rows]]])
    outside = pushes & ~part & inside & ((log.left == 0) | (log.right == 0))
    assert outside.any()
    assert taken[outside].all()


def test_votes_outside_a_part_stay_where_their_voters_do_not_push_there():
    log, heard, hits = votes_of(200)
    part = np.isin(np.arange(len(log)), hits.rows[hits.score == 1][:60])
    assert not companions(heard, hits, part, down=False).any()


@pytest.mark.parametrize(("exposure", "avoids"), [(0.974, False), (0.70, True)])
def test_a_few_per_cent_fewer_meetings_prove_nothing_however_long_the_log(exposure, avoids):
    log = honest(200)
    numbers = Explanation(15_000, 0.15, 1.0, 0.15, 0.4, 44, exposure, -12.0, 90, 0.01)
    assert DirectedSearch(log)._avoids(numbers, -3.0) == avoids
    assert SliceSearch(log)._avoids(numbers, -3.0)


@pytest.mark.parametrize("down", [False, True])
def test_a_push_that_ties_mask_is_as_large_as_it_is_once_ties_are_read_as_it_would_have_them(down):
    log, _, hits = votes_of(600)
    rng, part = np.random.default_rng(1), log.voter % 2 == 0
    hostile = part & (rng.random(len(log)) < 0.5)
    both = masked(log, hits, hostile, rng.random(len(log)) < 0.5, down=down)
    heard = RemainingVotes(both)
    hits = heard.hits(0)
    share = float(hostile[hits.rows].sum() / part[hits.rows].sum())
    usual = explain(heard, hits, part, down=down, meetings=heard.mask)
    mask = explain_mask(heard, hits.with_ties(0.0 if down else 1.0), part, usual, down=down)
    assert usual.guilt + 2 * usual.error < share - 0.1
    assert abs(mask.guilt + 2 * mask.error - share) < 0.1
    assert mask.honest < usual.honest
    assert (mask.share, mask.exposure, mask.points) == (usual.share, usual.exposure, usual.points)
