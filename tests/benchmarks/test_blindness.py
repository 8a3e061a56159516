"""The benchmark of blindness: its clock, its attackers, and what the pace leaves of what they can tell."""

from __future__ import annotations

import asyncio
from random import Random

import numpy as np
import pytest
from typer.testing import CliRunner

from arena.domain.blinding.pacing import SPREAD, Pace
from arena.domain.terms import Side
from benchmarks.blindness import attack, report
from benchmarks.blindness.attack import attacked, centroid
from benchmarks.blindness.battles import Seen, play, run_simulated
from benchmarks.blindness.mocks import LENGTH, MOCKS
from benchmarks.commands import app

FEW = (0, 4, 9, 11, 13, 15)
"""Mocks in step, from the quickest to the slowest."""


@pytest.fixture(scope="module")
def shown() -> dict[str, list[Seen]]:
    pairs = report.draw_pairs(8, Random(3), FEW)
    return {way: play(pairs, pace, 3, sealed=sealed) for way, (pace, sealed) in report.WAYS.items()}


def test_the_clock_jumps_over_all_waiting():
    async def wait() -> float:
        await asyncio.gather(*(asyncio.sleep(1000 * number) for number in range(5)))
        return asyncio.get_running_loop().time()

    assert run_simulated(wait()) == pytest.approx(4000)


def test_there_are_twenty_models_and_most_are_in_step():
    slower = {mock.name for mock in MOCKS if not mock.in_step(Pace())}
    assert (len(MOCKS), slower) == (20, {"tortoise", "snail", "owl", "sage"})
    for mock in MOCKS:
        assert sum(size for _, size in mock.pieces(Random(1))) == LENGTH


def test_every_pair_meets_as_often():
    pairs = [tuple(sorted(pair)) for pair in report.draw_pairs(3, Random(1), range(5))]
    assert sorted(pairs.count(pair) for pair in set(pairs)) == [3] * 10


def test_the_same_seed_gives_the_same_battles(shown):
    pairs = report.draw_pairs(8, Random(3), FEW)[:20]
    assert play(pairs, Pace(), 5) == play(pairs, Pace(), 5)


def test_what_the_pace_of_the_slower_one_tells_the_common_pace_does_not(shown):
    told, kept = (attacked(centroid, shown[way]) for way in (report.SLOWER, report.PACED))
    assert told.side > 2 * told.side_chance
    assert told.pair > 3 * told.pair_chance
    assert kept.side <= 2 * kept.side_chance
    assert kept.pair <= 3 * kept.pair_chance


def test_both_sides_look_the_same_and_begin_at_the_drawn_moment(shown):
    for seen in shown[report.PACED]:
        assert seen.pieces[Side.A] == seen.pieces[Side.B]
        assert sum(size for _, size in seen.pieces[Side.A]) == LENGTH
        assert Pace().start <= seen.start
    starts = [seen.start for seen in shown[report.PACED]]
    assert np.median(starts) <= Pace().start * SPREAD + Pace().interval


def test_a_sealed_replay_begins_when_both_have_ended(shown):
    for seen, open_ in zip(shown[report.SEALED], shown[report.SLOWER], strict=True):
        assert seen.start > open_.start


def test_the_forest_learns_what_the_centroid_learns(shown):
    pytest.importorskip("sklearn", reason="scikit-learn is in the group `bench`")
    told = attacked(attack.forest, shown[report.SLOWER])
    assert told.side > 2 * told.side_chance


def test_without_the_forest_the_command_says_what_to_install(monkeypatch):
    monkeypatch.setattr(attack, "find_spec", lambda _: None)
    found = CliRunner().invoke(app, ["blindness", "--json"])
    assert found.exit_code != 0
    assert "uv sync --group bench" in str(found.exception)


def test_rows_name_the_goals_of_the_common_pace_alone(shown):
    named = {"centroid": attack.Accuracy(0.1, 0.02, 0.0625, 0.008)}
    battles = shown[report.PACED]
    rows = list(report.rows(report.PACED, report.IN_STEP, named, battles, battles))
    assert [(round(row.value, 2), row.goal) for row in rows] == [(1.6, "≤ 2"), (2.5, "≤ 3"), (0, "≤ 1.5"), (0, "")]
    assert {row.goal for row in report.rows(report.SLOWER, report.IN_STEP, named, battles, battles)} == {""}
