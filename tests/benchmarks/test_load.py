"""The benchmark of load: its clock in a token, its upstream, its readers and its table."""

from __future__ import annotations

import asyncio
import json
import math
import time

import pytest
from typer.testing import CliRunner

from arena.api.http.clients import network
from arena_providers.transport.sse import Event
from benchmarks.commands import app
from benchmarks.load import report
from benchmarks.load import upstream as upstream_program
from benchmarks.load.battle_load import Ages, Follower
from benchmarks.load.battles import token_cost
from benchmarks.load.http import Connection, EventStream, as_visitor, request
from benchmarks.load.timestamps import TOKEN, age, stamp
from benchmarks.processes import driver
from benchmarks.results import percentiles


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
        follower.hear(Event(f'{{"side":"{side}","text":"{piece}"}}', "delta"))
    follower.hear(Event("{}", "turn_ready"))
    assert (len(ages.samples), follower.characters, follower.ready) == (2, 4 * TOKEN, True)
    assert ages.between(0, time.monotonic() + 1)["p99"] < 60_000


def test_the_later_of_two_tokens_that_are_shown_together_counts():
    ages = Ages()
    first, now = stamp(), time.monotonic()
    while (second := stamp()) == first:
        pass
    ages.note(now + 1, f"{first} ", f"{second} ")
    ((_, sample),) = ages.samples
    assert sample == age(second, now + 1) < age(first, now + 1)


def test_only_what_goes_beyond_one_frame_counts_as_added():
    ages = Ages()
    ages.samples = [(1.0, 0.07), (1.0, 0.13)]
    assert ages.between(0, 2, beyond=0.1) == {"p50": 0.0, "p95": pytest.approx(30), "p99": pytest.approx(30)}


@pytest.mark.process
async def test_a_connection_asks_again_and_a_stream_is_heard_to_its_end():
    heard = []
    with driver(upstream_program, "50") as upstream:
        port = upstream.report()
        stream = await EventStream.open(port, request("POST", "/v1/chat/completions", b"{}"), heard.append)
        while len(heard) < 10:
            await asyncio.sleep(0.01)
        upstream.send("end")
        await stream.ended
    assert heard[-1].data == "[DONE]"

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


async def test_a_connection_knows_that_an_answer_was_its_last():
    async def once(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi")
        writer.close()

    async with await asyncio.start_server(once, "127.0.0.1", 0) as server:
        connection = await Connection.open(server.sockets[0].getsockname()[1])
        assert (await connection.ask(request("GET", "/"))).body == b"hi"
        assert connection.closing
        with pytest.raises(ConnectionError):
            await connection.ask(request("GET", "/"))


def test_a_frame_is_late_by_what_goes_beyond_its_interval():
    frames = Ages()
    frames.wait(1.0, 1.05)
    frames.wait(2.0, 2.4)
    assert [round(late, 3) for _, late in frames.samples] == [0.0, 0.3]


def test_the_cost_of_a_token_is_that_of_tokens_that_reached_a_reader():
    assert token_cost(cpu=0.5, start=1_000, end=11_000) == pytest.approx(50)
    assert token_cost(cpu=0.5, start=1_000, end=1_000) == 500_000


def test_visitors_of_the_proxy_are_of_many_neighbourhoods():
    found = {network(as_visitor(number)["local_addr"][0]) for number in range(1_000)}
    assert len(found) == 1_000


def test_every_status_of_requests_is_noted():
    figures = {"per_second": 5.0, "p50": 1.0, "p99": 2.0, "cpu_ms": 0.5, "statuses": {"200": 3, "503": 1}}
    row = report.of_requests("postgresql", "reads", figures, "≥ 3000")
    assert (row.value, row.note) == (5.0, "3 × 200, 1 × 503")
    assert row.figures == {"p50": 1.0, "p99": 2.0, "cpu_ms": 0.5}


@pytest.mark.heavy
@pytest.mark.timeout(600)
def test_the_whole_run_has_a_row_for_everything_and_loses_nothing():
    command = ["load", "--battles", "3", "--seconds", "1", "--votes", "200", "--json"]
    found = CliRunner().invoke(app, command)
    assert found.exit_code == 0, found.output
    told = {row["work"]: row for row in json.loads(found.output)["rows"]}
    served = told["3 battles: server CPU"]
    names = ("token_us", "bare_us", "processor_percent", "open_seconds", "added_p95_ms", "late_p95_ms")
    assert (served["battles"], all(served[name] >= 0 for name in names)) == (3, True)
    assert len(told) == 13
    assert "3 ended well" in served["note"]
    assert told["votes over HTTP, 160 connections"]["note"] == "200 × 200"
    assert {row["case"] for row in told.values()} == {"sqlite"}


def test_several_processes_are_refused_without_a_database_that_they_share():
    found = CliRunner().invoke(app, ["load", "--processes", "2"])
    assert (found.exit_code, "--postgres" in found.output) == (2, True)
