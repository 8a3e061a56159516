"""The benchmark of load: its clock in a token, its upstream and witness, and its table."""

from __future__ import annotations

import asyncio
import json
import math
import time

import pytest
from typer.testing import CliRunner

from arena.bench.load import rows, witness
from arena.bench.load.battling import Ages, Follower
from arena.bench.load.http import Connection, Listening, request
from arena.bench.load.percentiles import percentiles
from arena.bench.load.rows import Row, as_line
from arena.bench.load.stamps import TOKEN, age, stamp
from arena.bench.load.talk import driver
from arena.cli import app
from arena.providers.base import Target
from arena.providers.http import Client
from arena.terms import Message, Role


def test_a_token_tells_its_age():
    before = time.monotonic()
    token = f"{stamp()} "
    assert len(token) == TOKEN
    after = time.monotonic()
    assert -0.0001 <= age(token, after) <= after - before + 0.0001
    assert age(token, after + 60) == pytest.approx(age(token, after) + 60, abs=0.0001)


def test_percentiles_are_values_that_occurred():
    assert percentiles(each / 1000 for each in range(1, 101)) == {"p50": 50, "p95": 95, "p99": 99}
    assert all(math.isnan(value) for value in percentiles([]).values())


def test_a_reader_puts_tokens_together_that_frames_have_cut():
    ages, frames = Ages(), Ages()
    follower = Follower(ages, frames, "battle", "cookie")
    text = f"{stamp()} {stamp()} "
    for side, piece in (("a", text[:3]), ("b", text[:7]), ("a", text[3:]), ("b", text[7:])):
        follower.hear(f'id: 1\nevent: delta\ndata: {{"side":"{side}","text":"{piece}"}}'.encode())
    follower.hear(b"event: turn_ready\ndata: {}")
    assert (len(ages.noted), follower.characters, follower.ready) == (4, 4 * TOKEN, True)
    assert ages.between(0, time.monotonic() + 1)["p99"] < 60_000


async def test_the_witness_notes_the_age_of_every_token_until_the_upstream_ends(tmp_path, monkeypatch):
    variables = witness.install(tmp_path)
    monkeypatch.setenv(witness.FILE, variables[witness.FILE])
    with driver("load.upstream", "50") as upstream:
        target = Target(witness.DIALECT, f"http://127.0.0.1:{upstream.hear()}/v1", "bench", private=True)
        async with Client() as client:
            heard = []
            async for chunk in witness.Witness(client).stream(target, [Message(Role.USER, "Hello")]):
                heard.append(chunk.text)
                if len(heard) == 20:
                    upstream.tell("end")
    tokens = [text for text in heard if text]
    assert len(tokens) >= 20
    assert len(witness.notes(tmp_path, 0, math.inf)) == len(tokens)


async def test_a_connection_asks_again_and_a_stream_is_heard_to_its_end():
    heard = []
    with driver("load.upstream", "50") as upstream:
        port = upstream.hear()
        listening = await Listening.open(port, request("POST", "/v1/chat/completions", b"{}"), heard.append)
        while len(heard) < 10:
            await asyncio.sleep(0.01)
        upstream.tell("end")
        await listening.ended
    assert heard[-1].endswith(b"data: [DONE]")

    async def twice(reader, writer):
        for number in range(2):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(
                b'HTTP/1.1 200 OK\r\nETag: "x"\r\nSet-Cookie: c=%d; Path=/\r\nContent-Length: 2\r\n\r\n' % number
            )
            writer.write(b"hi")
        writer.close()

    async with await asyncio.start_server(twice, "127.0.0.1", 0) as server:
        connection = await Connection.open(server.sockets[0].getsockname()[1])
        answers = [await connection.ask(request("GET", "/")) for _ in range(2)]
        connection.close()
    assert [(each.status, each.body, each.etag, each.cookie) for each in answers] == [
        (200, b"hi", '"x"', "c=0"),
        (200, b"hi", '"x"', "c=1"),
    ]


def test_a_frame_is_late_by_what_goes_beyond_its_interval():
    frames = Ages()
    frames.wait(1.0, 1.05)
    frames.wait(2.0, 2.4)
    assert [round(late, 3) for _, late in frames.noted] == [0.0, 0.3]


def test_a_line_shows_the_bound_that_is_wanted():
    assert "≥ 4,000" in as_line(Row("sqlite", "votes", 5000.0, "/s", 4_000))
    assert "≤ 50" in as_line(Row("sqlite", "added", 4.0, "ms", 50))
    assert Row("sqlite", "nothing", math.nan, "ms").record()["value"] is None


@pytest.mark.heavy
@pytest.mark.timeout(600)
def test_the_whole_run_has_a_row_for_everything_and_loses_nothing():
    command = ["bench", "load", "--battles", "3", "--seconds", "1", "--votes", "200", "--json"]
    found = CliRunner().invoke(app, command)
    assert found.exit_code == 0, found.output
    told = {row["work"]: row for row in json.loads(found.output)}
    assert len(told) == 13
    assert "3 ended well" in told["3 battles: the server's processor"]["note"]
    assert "200 × 200" in told["votes over HTTP, 128 connections"]["note"]
    assert {row["database"] for row in told.values()} == set(rows.VOTES) - {"postgresql"}
