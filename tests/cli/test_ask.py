"""`arena ask` against a served arena: a battle with a vote, a chat by name, and what goes wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from arena.cli import ask
from arena.client import ArenaClient
from tests.cli.commands import run
from tests.cli.conftest import Served


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[str]:
    """The address of one service for all of them: each asks on its own."""
    service = Served(tmp_path_factory.mktemp("served"), "--no-worker", ARENA_DEMO="on")
    yield service.url
    service.end()


def test_a_battle_prints_both_answers_and_a_vote_tells_the_names(served):
    done = run("ask", "What is 17 × 23?", "--url", served, "--vote", "tie")
    assert done.returncode == 0, done.stderr
    assert " A " in done.stdout
    assert " B " in done.stdout
    *_, first, second, verdict = done.stdout.splitlines()
    assert first.startswith("A: ")
    assert second.startswith("B: ")
    assert verdict == "Your vote counts."


def test_without_a_terminal_and_without_an_outcome_nobody_votes(served):
    done = run("ask", "What is 17 × 23?", "--url", served)
    assert done.returncode == 0, done.stderr
    assert "Your vote" not in done.stdout


async def first_model(url: str) -> str:
    async with ArenaClient(url) as client:
        return (await client.models())[0].name


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
