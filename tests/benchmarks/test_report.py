"""The benchmark: its data, its rows, its curves and its picture."""

from __future__ import annotations

import json
from subprocess import CalledProcessError

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

import arena_rating as rating
from benchmarks import chart, data, peers, rating_rows, report
from benchmarks.commands import app
from benchmarks.curves import Curve, as_rows, sizes
from benchmarks.jobs import NotMeasured, Process, environment, measure

FIELDS = {"work", "votes", "ours_s", "peer", "peer_s", "ratio", "ours_mb", "goal", "note"}


def test_the_log_has_the_outcomes_that_it_says():
    log = data.synthetic(200_000)
    shares = np.bincount(log.outcome, minlength=4) / 200_000
    assert shares == pytest.approx([0.37, 0.37, 0.16, 0.10], abs=0.03)
    assert not (log.left == log.right).any()
    games = np.bincount(np.concatenate([log.left, log.right]), minlength=data.COMPETITORS)
    assert games.min() < 0.2 * games.mean() < 5 * games.mean() < games.max()


def test_a_log_reads_back_as_it_was_written(tmp_path):
    log = data.synthetic(1000)
    data.write(log, tmp_path, featured=100)
    again = data.read(tmp_path)
    for name in ("left", "right", "outcome"):
        assert np.array_equal(getattr(again, name), getattr(log, name))
    assert np.array_equal(again.features, log.features[:100])


def test_the_memory_of_a_call_is_its_peak_above_the_level_before():
    assert measure(lambda: np.ones(4_000_000)).mb == pytest.approx(31, abs=8)


def test_a_peer_that_is_not_there_leaves_a_row_that_says_so(tmp_path):
    data.write(data.synthetic(2000), tmp_path, featured=2000)
    work = next(work for work in rating_rows.WORKS if work.theirs == "fastchat elo")
    with Process("benchmarks.ours", str(tmp_path)) as ours, Process("benchmarks.peers", str(tmp_path), "") as others:
        row = rating_rows.compare(rating_rows.sized(work, 2000, quick=True), ours, others)
    assert row.ours_s is not None
    assert (row.peer_s, row.ratio) == (None, None)
    assert row.note == "not measured: NotMeasured: no FastChat file was given"


def test_a_process_that_cannot_start_is_a_reason_and_not_a_hang(tmp_path):
    with Process("benchmarks.nothing", str(tmp_path)) as process, pytest.raises(NotMeasured, match="ended"):
        process.run("elo", 1, 1)


def test_the_peer_is_measured_beside_ours_and_scaled_only_if_said(tmp_path):
    data.write(data.synthetic(2000), tmp_path, featured=2000)
    work = rating_rows.Work("tables", "tables", "pandas", "pandas tables", 2000, 0, 40)
    with Process("benchmarks.ours", str(tmp_path)) as ours, Process("benchmarks.peers", str(tmp_path), "") as others:
        row = rating_rows.compare(work, ours, others)
    assert row.note.startswith("ours used ")
    assert "scaled" not in row.note
    assert row.peer_s is not None
    assert row.ours_s is not None
    assert row.ratio == row.peer_s / row.ours_s > 1


@pytest.mark.parametrize("way", ["tables", "at_once"])
def test_pandas_computes_the_same_tables(way):
    log, names = data.synthetic(20_000), [f"c{number}" for number in range(data.COMPETITORS)]
    points, rate, fraction, battles = getattr(peers.Pandas(log), way)(20_000, 0)
    counts = rating.pair_counts(rating.Comparisons(log.left, log.right, log.outcome, None, None, None, tuple(names)))
    matrix = rating.win_matrix(counts)
    assert points[names].to_numpy() == pytest.approx(rating.points_table(counts).points_per_battle)
    assert rate[names].to_numpy() == pytest.approx(rating.win_rate(counts))
    assert np.array_equal(battles.loc[names, names].to_numpy(), matrix.battles)
    assert fraction.loc[names, names].to_numpy() == pytest.approx(matrix.fraction, nan_ok=True)


def test_the_first_job_is_measured_alone_and_among_other_packages():
    alone, among = rating_rows.first_jobs(0)
    assert alone.note.startswith("numpy and numba alone")
    assert among.note.startswith("the same with all packages")
    assert all(row.ours_s is not None and row.ours_s > 0 for row in (alone, among))
    with pytest.raises(CalledProcessError):
        rating_rows._process_seconds(rating_rows._ALONE + "import typer")


def test_measured_processes_keep_byte_code_whatever_the_caller_does(monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert "PYTHONDONTWRITEBYTECODE" not in environment()


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.heavy)])
def test_quick_prints_every_row_and_curve_as_data(tmp_path, monkeypatch, every):
    """Of every fourth work each day, of all of them with `-m heavy`."""
    monkeypatch.setattr(rating_rows, "WORKS", rating_rows.WORKS[::every])
    picture = tmp_path / "curves.png"
    command = ["ratings", "--quick", "--json", "--votes", "2000", "--draw", str(picture)]
    result = CliRunner().invoke(app, command, catch_exceptions=False)
    printed = json.loads(result.stdout)["rows"]
    assert all(set(row) == FIELDS for row in printed)
    assert [row["work"] for row in printed[len(rating_rows.WORKS) :][:2]] == [rating_rows.FIRST_JOB] * 2
    assert all(row["peer_s"] is not None or row["note"] for row in printed)
    assert len(printed) == len(rating_rows.WORKS) + 2 + 3 * len(sizes(2000, quick=True))
    with Image.open(picture) as image:
        assert image.size == (760, 460)
        assert len(image.getcolors(1 << 20) or ()) > 4


def test_a_picture_of_an_unknown_kind_is_refused_before_anything_runs():
    result = CliRunner().invoke(app, ["ratings", "--draw", "curves.gif"])
    assert result.exit_code == 2
    assert ".svg or .png" in result.output


def test_a_chart_has_a_line_of_all_points_per_curve_on_logarithmic_axes(tmp_path):
    curves = [Curve("fit", ((10, 0.001), (1000, 0.1))), Curve("rank", ((10, 1.0), (1000, 2.0)))]
    (axes,) = chart.figure(curves).axes
    drawn = {line.get_label(): tuple(zip(*line.get_data(), strict=True)) for line in axes.lines}
    assert drawn == {curve.title: curve.points for curve in curves}
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    chart.draw(curves, tmp_path / "curves.svg")
    assert (tmp_path / "curves.svg").read_text().startswith("<?xml")


def test_the_points_of_a_curve_are_rows_without_a_peer():
    row = as_rows([Curve("fit", ((10, 0.5),))])[0]
    assert (row.work, row.votes, row.ours_s, row.peer) == ("fit", 10, 0.5, "")
    assert "500.00 ms" in report.as_line(row)


def test_curves_span_four_powers_of_ten_up_to_ten_times_the_votes():
    assert sizes(1_000_000, quick=False) == [10_000, 100_000, 1_000_000, 10_000_000]
