"""`arena ask` against a served arena: a battle with a vote, a chat by name, and what goes wrong."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator

import pytest
from rich.cells import cell_len

from arena.cli import ask
from arena.client import ArenaClient
from arena.domain.schemas.battles import DeltaEvent
from arena.domain.terms import NotCounted, Side
from tests.cli.commands import fixed_reply_server, run
from tests.paths import PYTHONPATH
from tests.processes import start_newcomer

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[str]:
    """The address of one service for all of them: each asks on its own."""
    service = start_newcomer(tmp_path_factory.mktemp("served"), "--no-worker")
    yield service.url
    service.remove()


def test_a_battle_prints_both_answers_and_a_vote_tells_the_names(served):
    done = run("ask", "What is 17 × 23?", "--url", served, "--vote", "tie")
    assert done.returncode == 0, done.stderr
    assert " A " in done.stdout
    assert " B " in done.stdout
    *_, first, second, verdict = done.stdout.splitlines()
    assert first.startswith("A: ")
    assert second.startswith("B: ")
    assert verdict == "Your vote counts."


def test_a_vote_that_is_not_counted_says_why_in_a_sentence(served):
    done = run("ask", "Which model are you?", "--url", served, "--vote", "tie")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("Your vote is kept and not counted: the question asked the models who they are.\n")


@pytest.mark.parametrize("code", NotCounted)
def test_each_reason_of_a_vote_that_is_not_counted_has_a_sentence(code):
    sentence = ask._note(code.value)
    assert sentence.startswith("Your vote is kept and not counted: ")
    assert not sentence.endswith(code.value)


def test_a_reason_of_a_newer_arena_is_left_out():
    assert ask._note("moon\x1b[31m") == ask._note(None) == "Your vote is kept and not counted."


def test_without_a_terminal_and_without_an_outcome_nobody_votes(served):
    done = run("ask", "What is 17 × 23?", "--url", served)
    assert done.returncode == 0, done.stderr
    assert "Your vote" not in done.stdout


async def first_model(url: str) -> str:
    async with ArenaClient(url) as client:
        return (await client.list_models())[0].name


def test_a_chat_is_with_the_model_that_is_named(served):
    name = asyncio.run(first_model(served))
    done = run("ask", "Hello", "--url", served, "--model", name)
    assert done.returncode == 0, done.stderr
    assert name in done.stdout


def test_a_refusal_is_one_line_with_its_code(served):
    done = run("ask", "Hello", "--url", served, "--model", "nobody")
    assert done.returncode == 1
    assert done.stderr.startswith(f"arena: {served}: model_not_found: ")


def test_an_arena_that_does_not_answer_is_one_line():
    done = run("ask", "Hello", "--url", "http://127.0.0.1:9")
    assert done.returncode == 1
    assert done.stderr.startswith("arena: http://127.0.0.1:9: ")
    assert done.stderr.count("\n") == 1


def test_a_chat_takes_no_vote():
    assert "A chat has no vote" in run("ask", "Hello", "--model", "one", "--vote", "a").stderr


def test_an_answer_cannot_steer_the_terminal():
    assert ask._printable("red\x1b[31m\r\b\u202etext\n") == "red[31mtext\n"


async def events(*values):
    for value in values:
        yield value


MIXED = (
    "勾股定理（Pythagorean theorem）说的是：直角三角形两条直角边的平方加起来，等于斜边的平方。"
    "For example 3² + 4² = 5²。"
)


@pytest.mark.parametrize("columns", [40, 80])
def test_chinese_is_wrapped_by_the_columns_that_it_takes_and_never_cut(columns, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(columns))
    answers = events(DeltaEvent(side=Side.A, text=MIXED), DeltaEvent(side=Side.B, text=MIXED))
    asyncio.run(ask._show(answers, {Side.A: "A", Side.B: "B"}))
    lines = capsys.readouterr().out.splitlines()
    inside = [line.split("│") for line in lines if line.startswith("│")]
    texts = ["".join(line[side] for line in inside).replace(" ", "") for side in (1, 3)]
    assert texts == [MIXED.replace(" ", "")] * 2
    assert {cell_len(line.rstrip()) for line in lines if line} == {columns - 2}


@pytest.fixture(scope="module")
def failing(tmp_path_factory) -> Iterator[str]:
    """The address of a service whose two models fail and whose third one is paused."""
    tmp_path = tmp_path_factory.mktemp("failing")
    with fixed_reply_server(b"") as url:
        settings = {"ARENA_DATA": str(tmp_path / "arena-data"), "ARENA_LOCAL": "off"}
        for name in ("one", "two", "three"):
            add = ("endpoints", "add", name, "--wire-model", "m", "--url", url, "--private", "--no-probe")
            assert run(*add, **settings).returncode == 0
        assert run("endpoints", "pause", "three", **settings).returncode == 0
        service = start_newcomer(tmp_path, "--no-worker")
        yield service.url
        service.remove()


def failed(url: str, *options: str) -> str:
    """What a question that cannot be answered leaves in the terminal."""
    words = [sys.executable, "-m", "arena", "ask", "Hello", "--url", url, *options]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env={"PYTHONPATH": PYTHONPATH})
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_a_round_that_failed_is_one_sentence_and_nothing_else(failing):
    assert failed(failing).startswith("arena: The models could not both answer, ")


@pytest.mark.parametrize(("models", "names"), [(["one"], "one"), (["one", "two"], "one, two")])
def test_a_chat_that_failed_names_the_models_that_did_and_no_round(failing, models, names):
    said = failed(failing, *(word for name in models for word in ("--model", name)))
    assert said == f"arena: {names} could not answer, so this chat has ended.\n"


def test_a_paused_model_is_named_in_a_sentence(failing):
    said = failed(failing, "--model", "three")
    assert said == f"arena: {failing}: model_away: three is not available: paused, suspended or retired.\n"
