"""An estimate adds measured costs up, and names the resource that is used up first."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic import ValidationError

from arena.domain.sizing.estimate import Costs, Demand, estimate

COSTS = Costs(
    machine={},
    token_us=40,
    open_ms=10,
    vote_ms=1,
    read_ms=0.1,
    process_mib=160,
    battle_kib=100,
    record_bytes=2_000,
    votes_per_second=2_000,
    fit_s=0.3,
    fit_us=0.1,
)
# 86,400 voters of one battle each: one a second, without a peak.
ONE = Demand(86_400, 20, battles=1, turns=1, tokens=100, rate=50, voted=0.5, reads=2, peak=1, token_bytes=4)


def test_the_processor_is_the_sum_of_tokens_openings_votes_and_reads():
    assert estimate(COSTS, ONE).cores == pytest.approx(200 * 40e-6 + 10e-3 + 0.5e-3 + 2 * 0.1e-3)


def test_battles_run_at_once_as_long_as_their_text_takes():
    assert estimate(COSTS, ONE).running == pytest.approx(100 / 50)
    assert estimate(COSTS, replace(ONE, turns=3, peak=2)).running == pytest.approx(12)


def test_a_process_is_filled_to_six_tenths_of_a_core_and_has_its_connections():
    wide = estimate(COSTS, replace(ONE, voters_per_day=86_400 * 100))
    assert wide.cores == pytest.approx(1.87)
    assert (wide.processes, wide.connections) == (4, 80)
    assert wide.memory_gib == pytest.approx(4 * 160 / 1024 + 200 * 100 / 1024**2)


def test_the_votes_of_a_day_are_shared_by_the_models():
    assert estimate(COSTS, ONE).votes_per_model == pytest.approx(2 * 86_400 * 0.5 / 20)


def test_a_year_of_battles_is_stored_with_its_texts():
    assert estimate(COSTS, ONE).database_gib_per_year == pytest.approx(86_400 * 365 * (2_000 + 840) / 1024**3)


def test_everything_but_whole_processes_grows_with_the_voters():
    one, ten = estimate(COSTS, ONE), estimate(COSTS, replace(ONE, voters_per_day=864_000))
    for name in ("cores", "running", "votes_per_second", "database_gib_per_year", "in_mbit", "out_mbit"):
        assert getattr(ten, name) == pytest.approx(10 * getattr(one, name))


def test_bounds_depend_on_no_number_of_voters_and_the_lowest_is_first():
    one, ten = (estimate(COSTS, replace(ONE, voters_per_day=voters)).bounds for voters in (1_000, 5_000_000))
    assert [bound.voters_per_day for bound in one] == pytest.approx([bound.voters_per_day for bound in ten])
    assert one == tuple(sorted(one, key=lambda bound: bound.voters_per_day))


@pytest.mark.parametrize(
    ("change", "first"),
    [
        ({"fit_us": 0}, "one API process"),
        ({"fit_us": 40}, "a leaderboard within a round, after a year"),
        ({"fit_s": 11}, "a leaderboard within a round, after a year"),
        ({"votes_per_second": 0.1}, "votes that the database takes"),
    ],
)
def test_what_is_slow_fails_first(change, first):
    assert estimate(COSTS.model_copy(update=change), ONE).bounds[0].resource == first


@pytest.mark.parametrize("change", [{"token_us": 0}, {"vote_ms": -1}, {"unknown": 1}, {"open_ms": "much"}])
def test_costs_that_cannot_be_are_refused(change):
    with pytest.raises(ValidationError):
        Costs.model_validate(COSTS.model_dump() | change)
