from __future__ import annotations

import os
import pty

import pytest

from arena.adapters.store import votes
from arena.cli.terminal.progress import Interrupted, progress
from arena.usecases.exchange.importer import import_votes
from arena.usecases.exchange.reader import read_votes
from tests.conftest import START
from tests.usecases.exchange.files import COLUMNS, CUT


async def test_a_transaction_of_an_interrupted_command_rolls_back(database):
    """It runs in a thread, which learns of Ctrl-C by the next step that it reports."""
    read, _ = read_votes(CUT, columns=COLUMNS)
    with progress("writing", len(read)) as meter:
        pass
    with pytest.raises(Interrupted):
        await import_votes(database, read, START, meter.reach)
    assert await database.read(votes.count) == 0


def test_a_terminal_shows_what_is_done_what_is_left_and_the_rate(monkeypatch):
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr("sys.stderr", terminal)
        monkeypatch.setenv("COLUMNS", "100")
        with progress("answers") as meter:
            meter.begin(4)
            meter.step()
            meter.step()
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert "answers" in shown
    assert "2/4" in shown
    assert "/s" in shown


def test_a_file_or_a_pipe_gets_no_progress(capsys):
    with progress("answers", 2) as meter:
        meter.step()
    assert capsys.readouterr() == ("", "")
