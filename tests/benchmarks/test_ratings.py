"""The benchmark: its data, its rows, its curves and its picture."""

from __future__ import annotations

import json
import math
import sys
from subprocess import CalledProcessError

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

import arena_rating as rating
from benchmarks import data, peers, ratings
from benchmarks.commands import app
from benchmarks.jobs import measure
from benchmarks.processes import NotMeasured, environment
from benchmarks.results import Row


def test_the_log_has_the_outcomes_that_it_says():
    log = data.synthetic(200_000)
    shares = np.bincount(log.outcome, minlength=4) / 200_000
    assert shares == pytest.approx([0.37, 0.37, 0.16, 0.10], abs=0.03)
    assert not (log.left == log.right).any()
    games = np.bincount(np.concatenate([log.left, log.right]), minlength=data.COMPETITORS)
    assert games.min() < 0.2 * games.mean() < 5 * games.mean() < games.max()


def test_a_log_reads_back_as_it_was_written(tmp_path):
    log = data.synthetic(1000)
    data.write(log, tmp_path, feature_count=100)
    again = data.read(tmp_path)
    for name in ("left", "right", "outcome"):
        assert np.array_equal(getattr(again, name), getattr(log, name))
    assert np.array_equal(again.features, log.features[:100])


def test_the_memory_of_a_call_is_its_peak_above_the_level_before():
    # More than 32 MB come from the system at once, and not from what earlier tests have freed.
    assert measure(lambda: np.ones(8_000_000)).mb == pytest.approx(61, abs=8)


def test_works_are_selected_by_their_titles():
    titles = ["Elo, 100 orders", "Bradley-Terry with intervals"]
    assert {work.theirs for work in ratings.titled(titles)} == {
        *("evalica elo", "fastchat elo", "fastchat bradley_terry", "arena-rank bradley_terry")
    }
    assert [work.own_core for work in ratings.titled(titles)] == [False] * 4
    assert ratings.titled(None) == list(ratings.WORKS)
    with pytest.raises(NotMeasured, match="no work is named Glicko; there are Elo, 100 orders, "):
        ratings.titled(["Glicko", *titles])


@pytest.mark.process
def test_a_peer_that_is_not_there_leaves_a_row_that_says_so(tmp_path):
    data.write(data.synthetic(2000), tmp_path, feature_count=2000)
    work = next(work for work in ratings.WORKS if work.theirs == "fastchat elo")
    row = ratings.compare(ratings.with_size(work, 2000, quick=True), str(tmp_path), sys.executable, "")
    assert row.figures["ours_s"] > 0
    assert math.isnan(row.value)
    assert row.note == "not measured: NotMeasured: no FastChat file was given"


@pytest.mark.process
def test_a_process_that_cannot_start_is_a_reason_and_not_a_hang(tmp_path):
    data.write(data.synthetic(2000), tmp_path, feature_count=2000)
    work = ratings.Work("tables", "tables", "pandas", "pandas tables", 40, votes=2000)
    row = ratings.compare(work, str(tmp_path), "/bin/false", "")
    assert (math.isnan(row.value), row.note) == (True, "not measured: its process ended")


@pytest.mark.process
def test_the_peer_is_measured_beside_ours_and_scaled_only_if_said(tmp_path):
    data.write(data.synthetic(2000), tmp_path, feature_count=2000)
    work = ratings.Work("tables", "tables", "pandas", "pandas tables", 40, votes=2000)
    row = ratings.compare(work, str(tmp_path), sys.executable, "")
    assert row.note == ""
    assert row.value == row.figures["peer_s"] / row.figures["ours_s"] > 1
    assert {"votes", "ours_cpu_s", "ours_mb"} < row.figures.keys()


def test_pandas_computes_the_same_tables():
    log, names = data.synthetic(20_000), [f"c{number}" for number in range(data.COMPETITORS)]
    points, rate, fraction, battles = peers.Pandas(log).tables(20_000, 0)
    counts = rating.pair_counts(rating.Comparisons(log.left, log.right, log.outcome, None, None, None, tuple(names)))
    matrix = rating.win_matrix(counts)
    assert points[names].to_numpy() == pytest.approx(rating.points_table(counts).points_per_battle)
    assert rate[names].to_numpy() == pytest.approx(rating.win_rate(counts))
    assert np.array_equal(battles.loc[names, names].to_numpy(), matrix.battles)
    assert fraction.loc[names, names].to_numpy() == pytest.approx(matrix.fraction, nan_ok=True)


@pytest.mark.process
def test_the_first_job_is_measured_alone_and_among_other_packages():
    alone, among = ratings.first_jobs(0)
    assert (alone.case, among.case) == ("numpy and numba alone", "all packages")
    assert min(alone.value, among.value) > 0
    with pytest.raises(CalledProcessError):
        ratings._process_seconds(ratings._ALONE + "import typer")


def test_measured_processes_keep_byte_code_whatever_the_caller_does(monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert "PYTHONDONTWRITEBYTECODE" not in environment()


@pytest.mark.process
@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.heavy)])
def test_quick_prints_every_row_and_curve_as_data(tmp_path, monkeypatch, every):
    """Of every fourth work each day, of all of them with `-m heavy`."""
    monkeypatch.setattr(ratings, "WORKS", ratings.WORKS[::every])
    picture = tmp_path / "curves.png"
    command = ["ratings", "--quick", "--json", "--votes", "2000", "--draw", str(picture)]
    result = CliRunner().invoke(app, command, catch_exceptions=False)
    printed = json.loads(result.stdout)["rows"]
    works = printed[: len(ratings.WORKS)]
    assert all(row["value"] is not None or row["note"] for row in works)
    assert [row["work"] for row in printed[len(works) :][:2]] == [ratings.FIRST_JOB] * 2
    assert len(printed) == len(works) + 2 + 3 * len(ratings.sizes(2000, quick=True))
    with Image.open(picture) as image:
        assert image.size == (760, 460)
        assert len(image.getcolors(1 << 20) or ()) > 4


def test_a_picture_of_an_unknown_kind_is_refused_before_anything_runs():
    result = CliRunner().invoke(app, ["ratings", "--draw", "curves.gif"])
    assert result.exit_code == 2
    assert ".svg or .png" in result.output


def test_a_chart_has_a_line_of_all_points_per_curve_on_logarithmic_axes():
    points = {"fit": ((10, 1.0), (1000, 100.0)), "rank": ((10, 1000.0), (1000, 2000.0))}
    curves = [Row(name, "", ms, "ms", figures={"votes": votes}) for name, line in points.items() for votes, ms in line]
    (axes,) = ratings.figure(curves).axes
    drawn = {line.get_label(): tuple(zip(*line.get_data(), strict=True)) for line in axes.lines}
    assert drawn == {name: tuple((votes, ms / 1000) for votes, ms in line) for name, line in points.items()}
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")


def test_curves_span_four_powers_of_ten_up_to_ten_times_the_votes():
    assert ratings.sizes(1_000_000, quick=False) == [10_000, 100_000, 1_000_000, 10_000_000]
