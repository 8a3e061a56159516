"""The benchmark of readers: its proxy's log, its table, and a small run through the real nginx."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from typer.testing import CliRunner

from benchmarks import proxy
from benchmarks.commands import app
from benchmarks.processes import NotMeasured
from benchmarks.proxy import Proxy
from benchmarks.readers import report
from benchmarks.readers.report import Followed


def installed() -> bool:
    try:
        proxy.program()
    except NotMeasured:
        return False
    return True


def test_the_log_says_how_often_the_cache_answered(tmp_path):
    log = tmp_path / "access.log"
    log.write_text('{"cache":"MISS"}\n')
    start = log.stat().st_size
    with log.open("a") as file:
        file.write('{"cache":"HIT"}\n{"cache":""}\n{"cache":"UPDATING"}\n{"cache":"HIT"}\n')
    assert Proxy(0, log, 0).statuses(start) == {"HIT": 2, "UPDATING": 1}


def test_what_pages_received_is_counted_from_the_report_before():
    before = {"moves": 2, "statuses": {"200": 4}}
    after = {"moves": 5, "statuses": {"200": 5, "304": 7}}
    assert report.since(before, after) == {"moves": 3, "statuses": {"200": 1, "304": 7}}


def test_only_answers_without_waiting_for_the_arena_count_as_served():
    found = {"moves": 4, "early": 2, "older": 1, "poll_bytes": 0, "table_bytes": 0, "lost": 0, "statuses": {}}
    many = Followed(0.0, 0.0, 0.5, Counter(HIT=1, UPDATING=2, EXPIRED=1), found)
    rows = list(report.rows_of(2, 1 / 60, many))
    assert (rows[0].value, rows[-1].value) == (75.0, 1)


def test_a_reader_costs_what_more_of_them_cost_beyond_a_few():
    few, many = Followed(0.5, 1.0, 0.0, Counter(), {}), Followed(0.6, 1.4, 0.0, Counter(), {})
    arena, front = report.cost_rows(1_015, 1.0, few, many)
    assert [row.value for row in (arena, front)] == pytest.approx([100, 400])


def test_without_the_proxy_s_program_the_command_says_what_to_install(monkeypatch):
    monkeypatch.setattr(proxy.shutil, "which", lambda _name: None)
    found = CliRunner().invoke(app, ["readers"])
    assert (found.exit_code, "install nginx" in found.output) == (2, True)


@pytest.mark.heavy
@pytest.mark.timeout(600)
@pytest.mark.skipif(not installed(), reason="nginx is not installed")
def test_pages_read_every_board_through_the_proxy():
    command = ["readers", "--readers", "3", "--every", "2", "--boards", "2", "--json"]
    found = CliRunner().invoke(app, command)
    assert found.exit_code == 0, found.output
    told = {row["work"]: row for row in json.loads(found.output)["rows"]}
    assert len(told) == 7
    assert told["polls of a reader a minute"]["value"] > 0
    assert told["tables of a reader a minute"]["value"] > 0
    assert "0 connections lost" in told["polls of a reader a minute"]["note"]
