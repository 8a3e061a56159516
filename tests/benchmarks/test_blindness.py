"""The benchmark of blindness: its mocks, its attackers, and what the clock leaves of what they can tell."""

from __future__ import annotations

from random import Random

import pytest
from typer.testing import CliRunner

from arena.domain.blinding.pacing import Pace
from arena.domain.blinding.speeds import pool_pace
from arena.domain.terms import Side
from benchmarks.blindness import attack, report
from benchmarks.blindness.attack import attack_battles, centroid
from benchmarks.blindness.battles import Seen, play
from benchmarks.blindness.mocks import COUNT, MOCKS
from benchmarks.commands import app

LENGTH = 600
PASSED_ON = Pace(interval=0.1, rate=1e5, start=0)
"""As it comes: the pace of the slower side."""


def seen_on(pace: Pace, name: str = "fast", rounds: int = 4) -> list[Seen]:
    rng = Random(3)
    pairs = report.draw_pairs(pool_pace({}), rounds * 190, rng)
    return [play(MOCKS[name], pair, pace, LENGTH, rng) for pair in pairs]


@pytest.fixture(scope="module")
def paced() -> list[Seen]:
    return seen_on(Pace(start=1.3))


@pytest.fixture(scope="module")
def passed_on() -> list[Seen]:
    return seen_on(PASSED_ON)


def test_twenty_models_of_each_class_write_whole_answers():
    for mocks in MOCKS.values():
        assert len(mocks) == COUNT == 20
        for mock in mocks:
            pieces = list(mock.pieces(LENGTH, Random(1)))
            assert sum(size for _, size in pieces) == LENGTH
            assert pieces == sorted(pieces)


def test_the_fast_class_sustains_every_rate_and_the_spread_none():
    fast, spread = (pool_pace({n: mock.speed for n, mock in enumerate(mocks)}) for mocks in MOCKS.values())
    assert (fast.sustained[60], fast.segment) == (1.0, 0)
    assert max(spread.sustained.values()) < 0.8
    assert spread.segment > 0


def test_pairs_are_drawn_as_the_pair_table_prefers_them():
    pool = pool_pace({number: mock.speed for number, mock in enumerate(MOCKS["spread"])})
    pairs = report.draw_pairs(pool, 20_000, Random(1))
    alike = sum((a in pool.slow) == (b in pool.slow) for a, b in pairs)
    assert alike / len(pairs) == pytest.approx(180 / 280, abs=0.02)


def test_what_the_pace_of_the_slower_one_tells_the_common_pace_does_not(paced, passed_on):
    told, kept = attack_battles(centroid, passed_on), attack_battles(centroid, paced)
    assert told.side > 2.5 * kept.side
    assert kept.side / (2 * len(paced)) <= 2 / COUNT


def test_both_sides_look_the_same(paced):
    for seen in paced:
        assert seen.pieces[Side.A] == seen.pieces[Side.B]
        assert sum(size for _, size in seen.pieces[Side.A]) == LENGTH


def test_a_coarse_clock_tells_less_of_slow_models_than_a_flow():
    flow, coarse = (attack_battles(centroid, seen_on(Pace(rate=120, segment=long), "spread", 3)) for long in (0, 4))
    assert coarse.side < 0.7 * flow.side


def test_the_forest_learns_what_the_centroid_learns(passed_on):
    pytest.importorskip("sklearn", reason="scikit-learn is in the group `bench`")
    assert attack_battles(attack.forest, passed_on).side > 4 * 2 * len(passed_on) / COUNT


def test_without_the_forest_the_command_says_what_to_install(monkeypatch):
    monkeypatch.setattr(attack, "find_spec", lambda _: None)
    found = CliRunner().invoke(app, ["blindness", "--json"])
    assert found.exit_code != 0
    assert "uv sync --group bench" in str(found.exception)


def test_rows_compare_with_the_likeliest_pair_and_name_goal_and_features(paced, monkeypatch):
    monkeypatch.setattr(report, "ATTACKERS", {"centroid": lambda _known, _names, unknown: [0] * len(unknown)})
    side, pair = report.identification_rows("fast at 240/s", paced, pool_pace({}), ("≤ 2", "≤ 3"))
    assert (side.goal, pair.goal) == ("≤ 2", "≤ 3")
    assert side.figures["low"] <= side.figures["percent"] <= side.figures["high"]
    assert (side.figures["chance"], pair.figures["chance"]) == (5.0, pytest.approx(100 / 190))
    assert attack.FEATURES in side.note
