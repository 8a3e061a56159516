"""Decisions and boards of the gate, checked from public files by the commands that anybody can type."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from arena.usecases.integrity.gate_rounds import GateState
from arena.usecases.ranking.vote_columns import CountedLog
from tests.cli.commands import run
from tests.publication import publish_once
from tests.usecases.integrity.test_gate_rounds import MONDAY, attacked, fill, published, rounds
from tests.usecases.ranking.test_publication import METHOD
from tests.usecases.ranking.test_slice_boards import view


@pytest.fixture
async def files(database, tmp_path):
    """Export, audit file, decisions and board of an arena that was attacked in one week."""
    log, bots = attacked()
    await database.write(fill, log, bots)
    with ThreadPoolExecutor(1) as executor:
        for days in (6, 8):
            await rounds(database, GateState(), executor, MONDAY + timedelta(days=days))
        number = await publish_once(database, METHOD, CountedLog(), executor=executor, now=lambda: MONDAY)
    assert number is not None
    board = tmp_path / "leaderboard.json"
    board.write_text((await view(database, number)).model_dump_json())
    export, (audit,), decided = await published(database, tmp_path)
    return [*map(str, (export, audit, decided, board))]


async def test_the_commands_recompute_decisions_and_board_and_name_what_differs(files):
    export, audit, decided, board = files
    gate = run("integrity", "gate", "--from", export, "--audit", audit, "--decisions", decided)
    assert gate.returncode == 0, gate.stderr
    assert "Checked to the end of 2026-W02; 0 counted votes" in gate.stderr
    assert "They agree with the published decisions." in gate.stderr

    verify = ("rank", "verify", "--from-export", export, "--board", board)
    same = run(*verify, "--decisions", decided)
    assert (same.returncode, "They agree" in same.stdout) == (0, True), same.stderr
    without = run(*verify)
    assert (without.returncode, "give them with --decisions" in without.stderr) == (1, True)

    forge(Path(decided))
    forged = run("integrity", "gate", "--from", export, "--audit", audit, "--decisions", decided)
    assert (forged.returncode, "The published decisions differ" in forged.stderr) == (1, True)
    other = run(*verify, "--decisions", decided)
    assert (other.returncode, "They differ." in other.stderr) == (1, True)


def forge(decided: Path) -> None:
    """Give votes that had lost their weight half of it."""
    decided.write_text(decided.read_text().replace('"weight":0.0', '"weight":0.5', 1))
