from __future__ import annotations

import asyncio
import json
import os
import pty
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from typing import Any

import pytest

from arena.adapters.store.engine import open_database
from arena.serving.commands import main
from tests.cli.commands import CommandResult, run
from tests.conftest import NAMES, add_endpoints
from tests.paths import PYTHONPATH
from tests.usecases.exchange.files import SAMPLE, battle_row, own_row, write

pytestmark = pytest.mark.process

COLUMNS = ("--left", "left", "--right", "right", "--winner", "winner", "--voter", "worker")


@pytest.fixture
def votes(tmp_path, monkeypatch):
    """`arena votes` as an operator calls it."""
    monkeypatch.chdir(tmp_path)

    def call(*words, data="data") -> CommandResult:
        return run("votes", *map(str, words), ARENA_DATA=str(tmp_path / data))

    return call


def process(folder, *words, **how) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own, where the kind of its output matters."""
    environment = {**os.environ, "ARENA_DATA": str(folder / "data"), "PYTHONPATH": PYTHONPATH}
    command = [sys.executable, "-c", "from arena.serving.commands import main; main()", "votes", *map(str, words)]
    return subprocess.run(
        command, check=False, text=True, env=environment, cwd=folder, **{"capture_output": True, **how}
    )


def test_ctrl_c_ends_an_import_with_a_sentence_and_it_can_be_run_again(votes, tmp_path):
    """The file is a pipe, so that the command reads, and is interrupted, before its end."""
    pipe = tmp_path / "votes.csv"
    os.mkfifo(pipe)
    header, *rows = SAMPLE.read_text().splitlines(keepends=True)
    environment = {**os.environ, "ARENA_DATA": str(tmp_path / "data"), "PYTHONPATH": PYTHONPATH}
    command = [sys.executable, "-m", "arena", "votes", "import", str(pipe), "--format", "csv", *COLUMNS]
    # Where the tests run in the background of a shell, a process would be born deaf to Ctrl-C.
    hear = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    pipes: dict[str, Any] = {"stderr": subprocess.PIPE, "text": True}
    reader = subprocess.Popen(command, env=environment, cwd=tmp_path, preexec_fn=hear, **pipes)  # noqa: PLW1509 - no threads here
    with pipe.open("w") as writer:
        writer.write(header + "".join(rows[:100]))
        writer.flush()
        reader.send_signal(signal.SIGINT)
    _, said = reader.communicate()
    assert reader.returncode == 130
    assert said == "arena: interrupted; nothing is half done, and the same command can be run again.\n"
    assert votes("import", SAMPLE, *COLUMNS).stderr.startswith("200 votes added, 0 already in the log")


def test_a_dry_run_names_the_models_of_this_arena_and_makes_no_database(votes, tmp_path, sqlite_url):
    file = tmp_path / "votes.csv"
    file.write_text(f"model_a,model_b,winner\nzebra,{NAMES[0]},tie\nzebra,{NAMES[1]},model_a\n")
    said = "These names are models of this arena, and the votes count for them:"
    dry = votes("import", file, "--dry-run")
    assert (dry.returncode, said in dry.stderr, (tmp_path / "data").exists()) == (0, False, False)
    assert json.loads(votes("import", file, "--dry-run", "--json").stdout)["here"] == []
    with closing(open_database(sqlite_url)) as database:
        asyncio.run(database.write(add_endpoints))
    assert f"{said} {NAMES[1]}, {NAMES[0]}.\n" in votes("import", file, "--dry-run", data=".").stderr
    assert votes("import", file, data=".").returncode == 0
    seen = json.loads(votes("import", file, "--dry-run", "--json", data=".").stdout)
    assert seen["here"] == sorted(NAMES)


def test_votes_come_in_go_out_and_come_in_elsewhere(votes, tmp_path):
    first = votes("import", SAMPLE, *COLUMNS)
    assert (first.returncode, first.stdout) == (0, "")
    assert first.stderr == "200 votes added, 0 already in the log, 10 new names, 0 bad rows.\n"
    again = votes("import", SAMPLE, *COLUMNS)
    assert again.stderr == "0 votes added, 200 already in the log, 0 new names, 0 bad rows.\n"

    excluded = votes("exclude", "3", "--reason", "a test", "--by", "me")
    assert (excluded.returncode, excluded.stderr) == (0, "Vote 3 is excluded.\n")
    assert votes("exclude", "3", "--reason", "a test").stderr == "arena: This vote is excluded already.\n"

    out = process(tmp_path, "export", "-", "--salt", "one", "--times")
    assert out.stderr == "200 votes written.\n"
    rows = [json.loads(line) for line in out.stdout.splitlines()]
    assert [row["number"] for row in rows if not row["counted"]] == [3]
    assert votes("export", "votes.jsonl.gz").stderr == "200 votes written.\n"
    elsewhere = votes("import", "votes.jsonl.gz", data="elsewhere")
    assert elsewhere.stderr == "200 votes added, 0 already in the log, 10 new names, 0 bad rows.\n"


def test_bad_rows_are_named_counted_and_left_out(votes, tmp_path):
    rows = [battle_row(question_id=f"q{number}", anony=number < 2) for number in range(40)]
    done = votes("import", write(tmp_path / "battles.json", rows))
    assert done.returncode == 0
    lines = done.stderr.splitlines()
    assert lines[0] == "line 3: anony: the names were visible, so the vote was not blind"
    assert lines[19].startswith("line 22: ")
    assert lines[20:] == ["and 18 more bad rows", "2 votes added, 0 already in the log, 2 new names, 38 bad rows."]


def test_strict_adds_nothing_when_one_row_is_bad(votes, tmp_path):
    path = write(tmp_path / "votes.jsonl", [own_row(), own_row(id="two", outcome="c")])
    done = votes("import", path, "--strict")
    assert (done.returncode, done.stderr) == (1, "arena: line 2: outcome: none of a, b, tie, both_bad: 'c'\n")
    assert process(tmp_path, "export", "-").stdout == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("import", "missing.csv"), "missing.csv: No such file or directory."),
        (("import", SAMPLE, "--left", "left"), "--left, --right and --winner belong together."),
        (("import", "bad.jsonl"), "bad.jsonl: none of 1 row can be used; line 1: a: missing"),
        (("exclude", "7", "--reason", "a test"), "There is no vote 7."),
        (("exclude", "7", "--reason", " "), "reason: 1 to 200 printable characters"),
        (("export", "nowhere/votes.jsonl"), "nowhere/votes.jsonl: No such file or directory."),
        (("export", "-", "--salt", ""), "The salt is empty."),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(url, tmp_path, monkeypatch, capsys, words, message):
    write(tmp_path / "bad.jsonl", [own_row(a="")])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARENA_DATABASE_URL", url)
    monkeypatch.setattr(sys, "argv", ["arena", "votes", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert str(ended.value.code).startswith(f"arena: {message}")
    assert "\n" not in str(ended.value.code)
    assert capsys.readouterr().out == ""


def test_a_terminal_sees_a_bar_while_a_long_file_is_read(tmp_path):
    path = write(tmp_path / "votes.jsonl", [own_row(id=str(number)) for number in range(20_000)])
    parent, child = pty.openpty()
    with ThreadPoolExecutor(1) as executor:
        shown = executor.submit(everything, parent)
        done = process(tmp_path, "import", path, capture_output=False, stdout=subprocess.DEVNULL, stderr=child)
        os.close(child)
        text = shown.result()
    assert done.returncode == 0
    assert "reading" in text
    assert "writing" in text
    assert "20000 votes added" in text


def everything(terminal: int) -> str:
    """What a terminal shows until nobody writes to it any more."""
    shown = b""
    with suppress(OSError):  # how Linux says that the other end is closed
        while piece := os.read(terminal, 65_536):
            shown += piece
    os.close(terminal)
    return shown.decode()


def test_an_import_tells_programs_what_it_did(votes, tmp_path):
    write(tmp_path / "votes.jsonl", [own_row(), own_row(id="two", outcome="nobody")])
    told = json.loads(votes("import", "votes.jsonl", "--json").stdout)
    (bad,) = told.pop("bad_rows")
    assert told == {"votes": 1, "known": 0, "new_names": ["red-7b", "blue-7b"]}
    assert (bad["line"], bad["reason"].startswith("outcome: ")) == (2, True)
    assert json.loads(votes("import", "votes.jsonl", "--json").stdout)["known"] == 1
