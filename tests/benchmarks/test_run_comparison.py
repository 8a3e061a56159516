"""The record of a run, and the comparison of two sets of runs."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from benchmarks import results, run_comparison
from benchmarks.commands import app
from benchmarks.results import Row, RunRecord


def run(token: float, votes: float, pace: float = 100.0) -> dict:
    return {
        "command": "load",
        "machine": {"pace_us": pace},
        "rows": [
            Row("sqlite", "votes", votes, "/s", "≥ 4000", "a note").record(),
            Row("sqlite", "battles", float("nan"), "%", figures={"token_us": token}).record(),
        ],
    }


@pytest.fixture
def compared(tmp_path):
    """Compare files with these runs; returns the status and the lines."""

    def compare(before: list[dict], after: list[dict], *options: str) -> tuple[int, list[str]]:
        paths = tmp_path / "a.json", tmp_path / "b.json"
        for path, runs in zip(paths, (before, after), strict=True):
            path.write_text("\n".join(json.dumps(each) for each in runs))
        found = CliRunner().invoke(app, ["compare", *map(str, paths), *options])
        return found.exit_code, found.output.splitlines()

    return compare


def test_a_record_says_when_and_on_what_it_was_measured(monkeypatch):
    monkeypatch.setattr(results, "STEPS", 1_000)
    document = json.loads(
        RunRecord("load").as_json([Row("sqlite", "votes", float("nan"), "/s", figures={"p50": 20.5})])
    )
    words = {"case": "sqlite", "work": "votes", "unit": "/s", "goal": "", "note": ""}
    assert (document["command"], document["rows"]) == ("load", [words | {"value": None, "p50": 20.5}])
    assert {"date", "version", "machine"} < document.keys()
    assert {"processor", "cores", "memory_gb", "system", "python", "load", "pace_us"} == document["machine"].keys()
    assert document["machine"]["pace_us"] > 0


def test_the_same_run_is_not_slower_than_itself(compared):
    status, lines = compared([run(20, 1000)], [run(20, 1000)])
    assert status == 0
    assert lines[-1] == "0 of 2 figures are slower by more than 10%"


def test_more_time_and_fewer_in_a_second_are_both_slower_and_the_worst_comes_first(compared):
    status, lines = compared([run(20, 1000)], [run(30, 800)])
    assert status == 1
    assert ["slower" in line for line in lines] == [True, True, True]
    assert "token_us" in lines[0]
    assert "1.50" in lines[0]
    assert "1.25" in lines[1]


def test_what_got_faster_is_said_and_no_failure(compared):
    status, lines = compared([run(20, 1000)], [run(10, 2000)])
    assert status == 0
    assert ["faster" in line for line in lines[:2]] == [True, True]


def test_runs_that_overlap_are_noise(compared):
    before, after = [run(20, 1000), run(30, 700)], [run(29, 720), run(40, 500)]
    assert compared(before, after)[0] == 0
    assert compared(before[:1], after)[0] == 1


def test_a_machine_that_is_slower_itself_does_not_make_the_arena_slower(compared):
    assert compared([run(20, 1000)], [run(28, 750, pace=150.0)])[0] == 0
    assert compared([run(20, 1000)], [run(40, 750, pace=150.0)])[0] == 1


def test_the_bound_of_noise_can_be_set(compared):
    assert compared([run(20, 1000)], [run(23, 1000)], "--noise", "0.2")[0] == 0
    assert compared([run(20, 1000)], [run(23, 1000)], "--noise", "0.1")[0] == 1


@pytest.mark.parametrize("text", ["", "[]", "[{}]", "{", '{"rows": []}'])
def test_another_file_is_refused(tmp_path, text):
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"."):
        run_comparison.read(path)
    found = CliRunner().invoke(app, ["compare", str(path), str(path)])
    assert found.exit_code == 2


def test_a_line_shows_value_goal_figures_and_note():
    line = str(Row("sqlite", "votes", 5_123.4, "/s", "≥ 4000", "a note", {"p50": 0.01234}))
    assert line.split() == ["sqlite", "votes", "5,123", "/s", "≥", "4000", "p50", "0.0123;", "a", "note"]
    assert str(Row("sqlite", "votes", float("nan"), "/s")).split() == ["sqlite", "votes", "-"]


def test_a_run_becomes_a_table_with_its_machine_and_all_figures(tmp_path):
    machine = {"processor": "a processor", "cores": 2, "python": "3.11.2", "load": 0.4}
    rows = [
        Row("evalica", "Elo", 34.2, "×", "≥ 20", figures={"ours_s": 0.1234, "peer_s": 4.2}),
        Row("arena-rank", "Elo", float("nan"), "×", note="not measured: no arena-rank", figures={"ours_s": 1234.5}),
    ]
    records = [row.record() for row in rows]
    path = tmp_path / "run.json"
    path.write_text(json.dumps({"command": "ratings", "date": "2026-11-28", "machine": machine, "rows": records}))
    printed = CliRunner().invoke(app, ["table", str(path)])
    assert printed.output.splitlines() == [
        "`uv run benchmarks ratings`, 2026-11-28: a processor, 2 cores, Python 3.11.2, load 0.4",
        "",
        "| work | case | measured | ours_s | peer_s |",
        "| --- | --- | --- | --- | --- |",
        "| Elo | evalica | 34.2 × | 0.123 | 4.2 |",
        "| Elo | arena-rank | not measured: no arena-rank | 1,234 |  |",
    ]


def test_a_file_without_runs_is_no_table(tmp_path):
    path = tmp_path / "run.json"
    path.write_text("{}")
    failed = CliRunner().invoke(app, ["table", str(path)])
    assert failed.exit_code == 2
    assert "has no runs of a benchmark" in failed.output
