"""What `arena integrity gate` says of a file that it cannot judge."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena.usecases.integrity.gate_result import judge_votes, rated
from arena_trust.integrity.cast_votes import DAY, UNKNOWN
from arena_trust.integrity.verdicts import VoteWeights
from tests.trust.integrity.logs import honest


def in_network(code):
    log = honest(1_000)
    return replace(log, network=np.full(len(log), code, np.int32))


def on_one_day():
    log = honest(1_000)
    return replace(log, second=log.second % DAY)


def without(*columns):
    log = honest(1_000)
    return replace(log, **{name: np.full(len(log), UNKNOWN, np.int32) for name in columns})


@pytest.mark.parametrize("votes", [0, 1, 5])
def test_a_log_of_hardly_any_vote_gets_a_sentence_and_a_board(votes):
    record = judge_votes(honest(1_000).rows(np.arange(votes))).record()
    assert "These are too few votes to find anything: all count in full." in record["statements"]
    assert len(record["with"]) == len(record["without"])


@pytest.mark.parametrize(
    ("log", "sentence"),
    [
        (in_network(UNKNOWN), "No vote names its neighbourhood (network): only the other columns could be tested."),
        (in_network(0), "All votes come from one neighbourhood: there are no others to judge it by."),
        (on_one_day(), "All votes are of one day: there are no others to judge it by."),
        (without("check"), "Not tested, since no vote has a value there: check."),
        (without("language", "check"), "Not tested, since no vote has a value there: language, check."),
        (honest(1_000).rows(np.arange(3)), "These are too few votes to find anything: all count in full."),
    ],
    ids=["no origins", "one network", "one day", "no check", "two columns missing", "three votes"],
)
def test_votes_that_nobody_can_judge_count_in_full_and_a_sentence_says_why(log, sentence):
    record = judge_votes(log).record()
    assert sentence in record["statements"]
    assert record["decisions"] == []
    assert set(record["weights"].values()) == {1.0}


def test_models_on_which_the_gate_decides_nothing_are_named():
    log = honest(1_000)
    verdict = VoteWeights(
        "a gate", np.ones(len(log)), np.full(len(log), -1), undecided=("model-004",), bounds={"model-004": 31.2}
    )
    contested = "model-004 is contested: some votes push it up or others push it down, by about 31 points."
    assert list(rated(log, verdict).statements) == [f"{contested} The votes do not tell which, so they count."]
