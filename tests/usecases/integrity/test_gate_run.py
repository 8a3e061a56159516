"""What a run of the gate reports about boards, and to the operator about single voters."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from arena.usecases.integrity.gate_run import NAMED, RECENT, advice, run_gate
from arena_trust.integrity.cast_votes import DAY
from arena_trust.integrity.verdicts import VoteWeights
from tests.trust.integrity.logs import honest


def with_one_who_always_clicks_left(votes=3_000):
    """An honest log, and the number of the first of twenty votes of somebody who always prefers the left."""
    log, rows = honest(votes), np.arange(votes - 200, votes, 10)
    is_clicker = np.isin(np.arange(votes), rows)
    log = replace(log, voter=np.where(is_clicker, 9_999, log.voter).astype(np.int32))
    log.outcome[is_clicker] = 0
    return log, int(log.number[rows[0]])


def test_a_voter_for_one_side_is_named_by_the_first_vote_and_few_others_are():
    log, first = with_one_who_always_clicks_left()
    voters_named = run_gate(log).voters
    assert voters_named["rows"][0]["first"] == first
    assert voters_named["rows"][0]["one_sided"] < 0.001
    assert len(voters_named["rows"]) < 0.08 * voters_named["tested"]


def test_votes_before_the_newest_are_not_read_and_no_more_voters_named_than_a_person_reads(monkeypatch):
    log, _ = with_one_who_always_clicks_left()
    early = advice(log)
    monkeypatch.setattr("arena.usecases.integrity.gate_run.RECENT", 100)
    assert advice(log)["tested"] < early["tested"]
    assert RECENT >= 10_000
    monkeypatch.setattr("arena.usecases.integrity.gate_run.NAMED", 1)
    monkeypatch.setattr("arena.usecases.integrity.gate_run.RECENT", 3_000)
    assert len(advice(log)["rows"]) == 1 < NAMED


def test_the_other_process_sends_twelve_bytes_a_vote():
    sizes = [len(pickle.dumps(run_gate(honest(votes)))) for votes in (2_000, 12_000)]
    assert sizes[1] - sizes[0] < 13 * 10_000 + 5_000


def test_no_votes_are_no_voters():
    assert advice(honest(100).rows(np.arange(0))) == {"tested": 0, "rows": []}


@pytest.mark.parametrize(("networks", "reasons"), [(20, []), (2, ["young"]), (1, ["one_network"])])
def test_boards_are_preliminary_until_there_are_neighbourhoods_and_established_voters(networks, reasons):
    log, rng = honest(6_000), np.random.default_rng(5)
    voter, second = rng.integers(0, 200, len(log)), np.sort(rng.integers(0, 60 * DAY, len(log)))
    labels = {"voter": voter.astype(np.int32), "network": (voter % networks).astype(np.int32)}
    run = run_gate(replace(log, second=second, **labels))
    assert (run.awake, run.preliminary) == (not reasons, reasons)


def test_boards_are_contested_while_the_gate_decides_nothing_on_a_model(monkeypatch):
    log = honest(100)
    verdict = VoteWeights(
        "a gate", np.ones(len(log)), np.full(len(log), -1), undecided=("model-004",), bounds={"model-004": 31.2}
    )
    monkeypatch.setattr("arena.usecases.integrity.gate_run.weigh_votes", lambda _: verdict)
    run = run_gate(log)
    assert (run.undecided, run.preliminary) == (("model-004",), ["young", "contested"])
    assert run.bounds == {"model-004": 31.2}
