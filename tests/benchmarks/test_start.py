"""The benchmark of a start finds a page before the arena is open, and every process at rest."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from benchmarks import start
from benchmarks.commands import app
from benchmarks.load.service import ARENA
from tests.cli.commands import run

pytestmark = pytest.mark.process

MEASURED = ("--help", "export")


def test_a_page_comes_before_the_first_call_and_all_processes_are_counted(monkeypatch: pytest.MonkeyPatch):
    """Two commands are started and measured; that the others succeed is asked in this process."""
    measured = start._cpu

    def cpu(command: list[str], env: dict[str, str]) -> float:
        words = command[len(ARENA) :]
        if {*MEASURED} & {*words}:
            return measured(command, env)
        assert run(*words, **env).returncode == 0, words
        return 0.0

    monkeypatch.setattr(start, "_cpu", cpu)
    done = CliRunner().invoke(app, ["start", "--starts", "1", "--rest", "0", "--idle", "0", "--json"])
    assert done.exit_code == 0, done.output
    rows = {(row["case"], row["work"]): row["value"] for row in json.loads(done.stdout)["rows"]}
    assert rows["warm start", "first page"] < rows["warm start", "first call"]
    assert all(rows["command", f"arena {name}"] > 0 for name in ("--help", "votes export"))
    assert all(rows["at rest", which] > 0 for which in ("serving process", "all processes"))
