"""Work and memory of the gate under attack: they follow the votes that an attack casts, not the log around them."""

from __future__ import annotations

import pickle
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from arena_trust.integrity.directed_search import DirectedSearch
from arena_trust.integrity.divisions import scanned_divisions
from arena_trust.integrity.explanations import honest_spread
from arena_trust.integrity.gate import weigh_votes
from arena_trust.integrity.model_hits import ModelHits
from arena_trust.integrity.published_form import by_week, published_form
from arena_trust.integrity.remaining_votes import RemainingVotes
from arena_trust.integrity.subset_scan import Scores, scan
from arena_trust.integrity.voter_pairs import pushed_models
from tests.trust.integrity.logs import honest

ATTACK = 700
SIZES = (6_000, 18_000)


def under_attack(votes):
    """An honest log, and after it votes for models of higher numbers by people of one neighbourhood, one vote each."""
    log = honest(votes + ATTACK, 3, models=8, newcomer=False)
    is_theirs = np.arange(len(log)) >= votes
    people = int(log.voter.max()) + 1 + np.arange(len(log))
    return replace(
        log,
        outcome=np.where(is_theirs, log.left < log.right, log.outcome).astype(np.uint8),
        voter=np.where(is_theirs, people, log.voter).astype(np.int32),
        network=np.where(is_theirs, int(log.network.max()) + 1, log.network).astype(np.int32),
    )


def rows_of(monkeypatch, owner, name):
    """Numbers of rows of the calls of a function from now on, by its first argument."""
    numbers, call = [], getattr(owner, name)

    def counted(first, *others, **options):
        numbers.append(len(first.rows if isinstance(first, ModelHits) else first))
        return call(first, *others, **options)

    monkeypatch.setattr(owner, name, counted)
    return numbers


def test_voters_outside_a_part_are_read_only_where_those_inside_are_alike(monkeypatch):
    """Here nobody has a second vote, so that nobody is alike: only a part that is found by numbers is compared."""
    log, controls, control = under_attack(SIZES[0]), [], DirectedSearch._control
    monkeypatch.setattr(
        DirectedSearch, "_control", lambda *arguments: controls.append(arguments) or control(*arguments)
    )
    verdict = weigh_votes(published_form(by_week(replace(log, voter=np.arange(len(log), dtype=np.int32)))).log)
    assert verdict.findings
    assert len(controls) <= len(verdict.findings)


@pytest.mark.parametrize("votes", SIZES)
def test_other_models_that_a_part_pushes_are_told_without_their_votes(votes, monkeypatch):
    log = under_attack(votes)
    heard, part = RemainingVotes(log), log.network == log.network.max()
    assert heard.board is not None
    numbers, sums = rows_of(monkeypatch, ModelHits, "expected"), rows_of(monkeypatch, np, "bincount")
    pushed_models(heard, heard.hits(1), part)
    assert sum(numbers) == len(heard.hits(1).rows)
    assert max(sums) == ATTACK
    sums.clear()
    honest_spread(heard, 1, part)
    assert max(sums) == ATTACK


def test_what_is_kept_of_a_part_is_as_long_as_its_facts_and_not_as_its_votes():
    sizes = []
    for votes in SIZES:
        log = replace(under_attack(votes), network=np.full(votes + ATTACK, -1, np.int32))
        heard, divisions = RemainingVotes(log), scanned_divisions(log)
        parts = scan(heard.hits(1), heard.hits(1).expected(heard.board), divisions, len(log.names))
        sizes.append(len(pickle.dumps(parts)))
    assert sizes[1] < 1.2 * sizes[0]


def best_of(slices):
    """The score of a model whose votes lie in as many neighbourhoods."""
    counts = {"network": (np.arange(slices), slices)}
    return Scores(np.ones(slices), np.full(slices, 0.5), counts, 1.0).best("network")


def test_prices_of_all_numbers_of_values_take_the_memory_of_the_largest():
    """Each run meets other numbers of neighbourhoods with votes on a model."""
    best_of(2)  # compiles what is not compiled yet, which takes memory of its own
    tracemalloc.start()
    try:
        for slices in range(2, 1_500, 5):
            best_of(slices)
        assert tracemalloc.get_traced_memory()[0] < 500_000
    finally:
        tracemalloc.stop()


def test_several_climbs_sum_the_same_votes_once(monkeypatch):
    """Facts that tell the same votes apart lead to the same sets from each of them."""
    rng = np.random.default_rng(1)
    code, expected = rng.integers(0, 2, 600), np.full(600, 0.5)
    score = (rng.random(600) < np.where(code == 1, 0.9, 0.4)).astype(float)
    scores = Scores(score, expected, dict.fromkeys(("day", "client", "check"), (code, 2)), 1.0)
    first, second = scores.best("day"), scores.best("client")
    assert first
    assert second
    calls, sums = [], Scores.sums
    monkeypatch.setattr(Scores, "sums", lambda *arguments: calls.append(arguments) or sums(*arguments))
    value, _ = scores.climb("day", first)
    number = len(calls)
    assert scores.climb("client", second)[0] == value
    assert len(calls) - number < number


def test_facts_of_few_values_take_a_byte_a_vote():
    divided = scanned_divisions(under_attack(SIZES[1]))
    assert {name: division.code.itemsize for name, division in divided.items()} == {
        name: 1 if division.slices < 256 else 4 for name, division in divided.items()
    }
    assert {division.code.itemsize for division in divided.values()} == {1, 4}
