"""Boards are preliminary while the gate has no reference, and only then does the share cap hold."""

from dataclasses import replace

import numpy as np
import pytest

from arena.usecases.integrity.gate_run import run_gate
from arena_trust.integrity.cast_votes import UNKNOWN
from arena_trust.integrity.network_share import FREE, beyond_free, preliminary, share_weights
from tests.trust.integrity.logs import young


@pytest.mark.parametrize(
    ("state", "reasons"),
    [
        ({"awake": True, "several": True}, []),
        ({"awake": True, "several": True, "closed": True}, []),
        ({"awake": False, "several": True}, ["young"]),
        ({"awake": False, "several": False}, ["one_network"]),
        ({"awake": False, "several": True, "closed": True}, ["closed"]),
        ({"awake": False, "several": False, "closed": True}, ["closed"]),
    ],
)
def test_a_board_is_preliminary_until_the_gate_has_its_reference(state, reasons):
    assert preliminary(**state) == reasons


def shuffled(votes_of, week=0):
    """Neighbourhoods with so many votes each, in any order, all of one week."""
    network = np.random.default_rng(1).permutation(np.repeat(np.arange(len(votes_of)), votes_of)).astype(np.int32)
    return network, np.full(len(network), week, np.int64)


def counted(network, week):
    """Votes that count, by neighbourhood."""
    return np.bincount(network, share_weights(beyond_free(network, week), week)).astype(int).tolist()


@pytest.mark.parametrize(
    ("votes", "kept"),
    [
        ([41, 6, 6, 6, 6, 6, 6], [20, 6, 6, 6, 6, 6, 6]),
        ([20, 20, 20], [20, 20, 20]),
        ([500, 300], [33, 55]),
        ([100] * 10, [100] * 10),
        ([90, 100, *[100] * 8], [90, *[98] * 1, *[98] * 8]),
        ([1_000, *[5] * 180], [100, *[5] * 180]),
        ([9_000, *[5] * 180], [100, *[5] * 180]),
    ],
)
def test_votes_of_a_neighbourhood_beyond_a_ninth_of_all_others_do_not_count_and_twenty_always_do(votes, kept):
    assert counted(*shuffled(votes)) == kept


def test_the_first_votes_are_those_that_count():
    network, week = shuffled([60, 30])
    weight = share_weights(beyond_free(network, week), week)
    first = weight[network == 0]
    assert (np.diff(first) <= 0).all()


def test_each_week_has_a_share_of_its_own():
    first, second = shuffled([50, 10]), shuffled([50, 10], week=1)
    network, week = (np.concatenate(columns) for columns in zip(first, second, strict=True))
    assert counted(network, week) == [2 * FREE, 20]


def test_votes_without_a_neighbourhood_count_among_the_others_and_are_never_capped():
    network, week = shuffled([60, 600])
    weight = share_weights(beyond_free(np.where(network == 1, UNKNOWN, 0).astype(np.int32), week), week)
    assert (weight[network == 1].sum(), weight[network == 0].sum()) == (600, 60)


@pytest.mark.parametrize("seed", range(5))
def test_labels_of_neighbourhoods_and_of_those_beyond_the_first_votes_may_be_any(seed):
    rng = np.random.default_rng(seed)
    network, week = rng.integers(-1, 8, 900).astype(np.int32), np.sort(rng.integers(0, 3, 900))
    names = np.append(rng.permutation(20)[:8], UNKNOWN).astype(np.int32)
    plain, renamed = (share_weights(beyond_free(codes, week), week) for codes in (network, names[network]))
    assert plain.tobytes() == renamed.tobytes()


def test_no_votes_have_no_weights():
    empty = np.zeros(0, np.int32), np.zeros(0, np.int64)
    assert len(share_weights(beyond_free(*empty), empty[1])) == 0


def test_votes_beyond_the_share_are_no_evidence_against_all_others():
    """Sixty votes by chance from twelve neighbourhoods, then 160 of one, all for model 2."""
    log, theirs = young(160, (5,) * 12)
    rng, count = np.random.default_rng(0), len(log)
    left = rng.integers(0, 4, count).astype(np.int32)
    right = ((left + rng.integers(1, 4, count)) % 4).astype(np.int32)
    outcome = np.where(left == 2, 0, np.where(right == 2, 1, 2)).astype(np.uint8)
    outcome[:60] = rng.integers(0, 3, 60)
    voter = np.arange(count, dtype=np.int32)
    log = log.rows(np.argsort(theirs, kind="stable"))
    result = run_gate(replace(log, left=left, right=right, outcome=outcome, voter=voter, second=np.arange(count)))
    assert result.reasons["all"] == {"network-share": 140}
    assert (result.quarters[:60] == 4).all()
