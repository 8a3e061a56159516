from __future__ import annotations

import asyncio
import json
import os
import pty
import re
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from arena.adapters.log_files import LogFiles
from arena.adapters.store import votes
from arena.cli import integrity_reports
from arena.cli.terminal.progress import Interrupted, progress
from arena.usecases.exchange.importer import import_votes
from arena.usecases.exchange.reader import read_votes
from arena_trust.__main__ import ProgressLine
from arena_trust.__main__ import main as arena_verify
from tests.conftest import START
from tests.usecases.exchange.files import COLUMNS, SAMPLE
from tests.usecases.transparency.arenas import sequencer
from tests.usecases.transparency.test_sequencer import note

_END = "the end"


async def test_a_transaction_of_an_interrupted_command_rolls_back(database):
    """It runs in a thread, which learns of Ctrl-C by the next step that it reports."""
    read, _ = read_votes(SAMPLE, columns=COLUMNS)
    with progress("writing", len(read)) as meter:
        pass
    with pytest.raises(Interrupted):
        await import_votes(database, read, START, meter.reach)
    assert await database.read(votes.count) == 0


@contextmanager
def terminal() -> Iterator[list[str]]:
    """A terminal as standard error; what it has shown is in the list after the block."""
    ours, theirs = pty.openpty()
    shown: list[str] = []
    with os.fdopen(theirs, "w") as file, patch("sys.stderr", file), patch.dict(os.environ, COLUMNS="100"):
        yield shown
        file.write(_END)
    text = ""
    while _END not in text:  # a terminal hands on what it was given in pieces, when it likes
        text += os.read(ours, 100_000).decode()
    shown.append(text)
    os.close(ours)


def test_a_terminal_shows_what_is_done_what_is_left_and_the_rate():
    with terminal() as shown, progress("answers") as meter:
        meter.begin(4)
        meter.step()
        meter.step()
    assert "answers" in shown[0]
    assert "2/4" in shown[0]
    assert "/s" in shown[0]


def test_items_are_counted_as_they_are_done():
    with terminal() as shown, progress("letters") as meter:
        assert list(meter.over("abc")) == ["a", "b", "c"]
    assert "3/3" in shown[0]


def test_the_gate_shows_how_much_of_its_file_it_has_read(tmp_path):
    row = {"created_at": "2026-11-01T12:00:00Z", "model_a": "a", "model_b": "b", "outcome": "a", "voter": "v"}
    file = tmp_path / "votes.jsonl"
    file.write_text("".join(f"{json.dumps({'number': number, **row})}\n" for number in range(2_001)))
    with terminal() as shown:
        integrity_reports.gate(file, json=True, strict=True)
    assert "reading" in shown[0]
    assert f"/{file.stat().st_size}" in shown[0]


def test_an_export_of_the_log_shows_how_many_leaves_it_has_written(database, tmp_path):
    """Interrupted, it leaves no checkpoint, and the next one writes the rest."""

    async def grown() -> None:
        log = sequencer(database, tmp_path)
        for _ in range(2):
            await database.write(note, 300)
            await log.turn()

    asyncio.run(grown())
    copy = sequencer(database, tmp_path)
    copy.files = LogFiles(tmp_path / "copy")

    async def exported(*, stopped: bool) -> int:
        with progress("leaves") as meter:
            copy.progress, meter.stopped = meter.reach, stopped
            return await copy.mirror()

    with pytest.raises(Interrupted):
        asyncio.run(exported(stopped=True))
    assert copy.files.checkpoint() is None
    with terminal() as shown:
        assert asyncio.run(exported(stopped=False)) == 601
    assert "601/601" in shown[0]


def test_verification_shows_what_is_done_of_how_much_and_the_rate():
    with terminal() as shown:
        ProgressLine().draw("opening votes", 300, 600)
    assert re.search(r"opening votes +\[#{15} {15}\] 300 of 600, [\d,]+/s", shown[0])


def test_verification_ends_at_ctrl_c_with_a_sentence(monkeypatch, capsys):
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("arena_trust.__main__.verify", interrupted)
    with pytest.raises(SystemExit, match="130"):
        arena_verify(["--log", "log"])
    assert capsys.readouterr().err.startswith("arena-verify: interrupted; nothing is kept")


def test_a_file_or_a_pipe_gets_no_progress(capsys):
    with progress("answers", 2) as meter:
        meter.step()
    assert capsys.readouterr() == ("", "")
