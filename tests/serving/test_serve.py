"""The whole service as one command: a person's main job over HTTP, and how it ends."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing

import httpx2
import pytest

from arena.client import ArenaClient
from arena.domain.schemas.battles import DeltaEvent, TurnFailedEvent, TurnReadyEvent
from arena.domain.terms import Outcome
from tests.cli.commands import run
from tests.processes import PATIENCE, Process, start_newcomer
from tests.serving.test_loops import names_of_loops

pytestmark = pytest.mark.process

SWITCHED_OFF = {"labeller", "archives", "files"}
"""Loops that a new arena has not."""
PUBLIC = "https://arena.example.edu"


async def battle(client: ArenaClient, prompt: str, outcome: Outcome):
    opened = await client.open_battle(prompt, terms=1)
    events = [event async for event in client.stream_battle(opened.id)]
    assert isinstance(events[-1], TurnReadyEvent)
    return await client.cast_vote(opened.id, outcome, key=f"vote-{opened.id}")


async def until(client: ArenaClient, votes: int):
    """The leaderboard, as soon as so many votes have reached it."""
    async with asyncio.timeout(PATIENCE):
        while True:
            board = await client.get_leaderboard()
            if board.snapshot and board.snapshot.last_vote >= votes:
                return board
            await asyncio.sleep(0.2)


async def test_a_newcomer_asks_votes_sees_the_names_and_finds_the_vote_on_the_board(serve):
    served = serve()
    async with ArenaClient(served.url) as client:
        status = await client.get_status()
        assert status.endpoints >= 2
        assert status.accepting
        reveals = [
            await battle(client, prompt, outcome)
            for prompt, outcome in (("What is photosynthesis?", Outcome.A), ("写一首关于大海的诗", Outcome.BOTH_BAD))
        ]
        assert all(reveal.a.demo and reveal.b.demo for reveal in reveals)
        board = await until(client, 2)
        names = {side.name for reveal in reveals for side in (reveal.a, reveal.b)}
        assert {row.name for row in board.rows} == names
        assert sum(row.battles for row in board.rows) == 4
    assert (served.folder / "arena-data" / "address").read_text() == served.url
    page = httpx2.get(served.url)
    assert page.status_code == 200
    assert "gradio" in page.text
    rows = httpx2.get(f"{served.url}/readyz?verbose").text.splitlines()[1:]
    assert {row.partition(":")[0] for row in rows} == names_of_loops() - SWITCHED_OFF
    assert served.stop() == 0


async def test_votes_and_cookie_outlive_a_restart(serve):
    first = serve("--no-worker")
    async with ArenaClient(first.url) as client:
        await battle(client, "Hello there", Outcome.TIE)
        assert first.stop() == 0
    second = serve()
    async with ArenaClient(second.url) as client:
        board = await until(client, 1)
        assert board.snapshot.votes == 1


async def test_the_order_to_stop_ends_running_streams_with_a_clear_event(serve):
    served = serve("--no-worker", ARENA_GRACE_SECONDS="0.2", ARENA_RELEASE_RATE="1", ARENA_FRAME_SECONDS="1")
    async with ArenaClient(served.url) as client:
        opened = await client.open_battle("Write a long essay about rivers", terms=1)
        events = client.stream_battle(opened.id)
        first = await anext(events)
        assert isinstance(first, DeltaEvent)
        served.process.send_signal(signal.SIGTERM)
        rest = [event async for event in events]
        assert isinstance(rest[-1], TurnFailedEvent)
        assert rest[-1].code == "shutting_down"
    assert served.stop() == 0
    with closing(sqlite3.connect(served.folder / "arena-data" / "arena.db")) as database:
        assert database.execute("SELECT state FROM turns").fetchall() == [("failed",)]


async def test_after_a_kill_no_turn_is_left_running_and_no_vote_is_lost(serve):
    served = serve("--no-worker", ARENA_RELEASE_RATE="1", ARENA_FRAME_SECONDS="1")
    async with ArenaClient(served.url) as client:
        opened = await client.open_battle("Write a long essay about rivers", terms=1)
        served.process.kill()
        served.process.wait()
    again = serve("--no-worker")
    async with ArenaClient(again.url) as client:
        assert (await client.get_status()).accepting
    with closing(sqlite3.connect(again.folder / "arena-data" / "arena.db")) as database:
        rows = database.execute("SELECT turns.state, battles.state FROM turns JOIN battles ON battle_id = battles.id")
        assert rows.fetchall() == [("failed", "void")]
    assert opened.id


@pytest.fixture(scope="module")
def idle(tmp_path_factory) -> Iterator[Process]:
    """A service that several tests ask and none changes."""
    served = start_newcomer(tmp_path_factory.mktemp("idle"), "--no-worker", ARENA_DEMO="off", ARENA_PUBLIC_URL=PUBLIC)
    yield served
    served.remove()


def test_a_port_in_use_is_one_clear_line(idle, tmp_path):
    port = idle.url.rsplit(":", 1)[1]
    second = run("serve", "--port", port, ARENA_DATA=str(tmp_path))
    assert second.returncode == 1
    assert second.stderr.splitlines() == [f"arena: cannot listen on 127.0.0.1:{port}: Address already in use"]


def test_a_wrong_setting_is_one_clear_line(tmp_path):
    wrong = run("serve", ARENA_FRAME_SECONDS="-1", ARENA_DATA=str(tmp_path))
    assert wrong.returncode == 1
    assert wrong.stderr.splitlines() == ["arena: ARENA_FRAME_SECONDS: Input should be greater than 0"]


def test_an_arena_for_others_without_an_imprint_tells_its_operator_once_and_no_visitor(idle):
    assert idle.log.read_text().count(f"{PUBLIC} has no imprint") == 1
    assert "imprint" not in httpx2.get(idle.url).text.lower()


def test_the_signing_secret_is_for_the_owner_only(idle):
    assert (idle.folder / "arena-data" / "secret.key").stat().st_mode & 0o077 == 0


def test_without_demo_models_the_page_says_that_no_battle_can_start(idle):
    answer = httpx2.post(f"{idle.url}/api/v1/battles", json={"prompt": "Hello", "terms": 1}, timeout=PATIENCE)
    assert (answer.status_code, answer.json()["code"]) == (503, "too_few_endpoints")


def test_the_first_key_of_an_operator_works_at_once(idle):
    address = f"{idle.url}/api/v1/operator/me"
    wrong = httpx2.get(address, headers={"Authorization": "Bearer arena_op_wrong"}, timeout=PATIENCE)
    assert (wrong.status_code, wrong.json()["code"]) == (401, "bad_api_key")
    made = run("operators", "add", "Ada", ARENA_DATA=str(idle.folder / "arena-data"))
    key = made.stdout.split()[0]
    assert httpx2.get(address, headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE).status_code == 200


def test_a_second_service_on_the_same_folder_is_refused_and_harms_nobody(idle):
    second = run("serve", "--port", "0", ARENA_DATA=str(idle.folder / "arena-data"))
    assert second.returncode == 1
    assert second.stderr.startswith("arena: another arena serve uses ")
    assert httpx2.get(f"{idle.url}/readyz", timeout=PATIENCE).status_code == 200


def test_an_empty_or_short_secret_is_refused(tmp_path):
    (tmp_path / "secret.key").write_text("")
    for settings in ({}, {"ARENA_SECRET": "short"}):
        refused = run("serve", "--port", "0", ARENA_DATA=str(tmp_path), ARENA_LOCAL="off", **settings)
        assert refused.returncode == 1
        assert "a secret has at least 32 characters" in refused.stderr


@pytest.mark.parametrize("host", ["0.0.0.0", "arena.example", "::"])  # noqa: S104 - refused before it is bound
def test_a_required_bot_check_is_not_served_over_plain_http(tmp_path, host):
    refused = run("serve", "--host", host, "--port", "0", ARENA_DATA=str(tmp_path), ARENA_BOT_CHECK="require")
    assert refused.returncode != 0
    assert "ARENA_BOT_CHECK=require" in refused.stderr


@pytest.mark.parametrize("soft", [256, 1_024])
def test_a_serving_process_may_have_more_files_open_than_one_network_requests(soft):
    program = (
        "import resource; from arena.serving.serve import raise_open_files;"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, 8_192)); raise_open_files();"
        "print(*resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["8192", "8192"]
