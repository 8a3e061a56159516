import random
from typing import Any

import pytest
from fastapi import Request

from arena.api.http.clients import ClientAddress, client_of, forwarded, network
from arena.domain.terms import Client


async def nothing(*_) -> Any:
    return {}


async def seen(hops, lines, client=("10.0.0.1", 4000)):
    results = {}

    async def app(scope, receive, send):
        results["client"] = scope["client"]

    scope = {"type": "http", "headers": [(b"x-forwarded-for", line.encode()) for line in lines], "client": client}
    await ClientAddress(app, hops)(scope, nothing, nothing)
    return results["client"][0]


async def test_without_a_trusted_proxy_the_header_is_not_read():
    assert await seen(0, ["203.0.113.9"]) == "10.0.0.1"


@pytest.mark.parametrize(
    ("hops", "lines", "client"),
    [
        (1, ["198.51.100.7"], "198.51.100.7"),
        (1, ["1.2.3.4, 198.51.100.7"], "198.51.100.7"),
        (1, ["1.2.3.4", "198.51.100.7"], "198.51.100.7"),
        (2, ["6.6.6.6, 198.51.100.7, 10.0.0.3"], "198.51.100.7"),
        (1, ["198.51.100.7:50123"], "198.51.100.7"),
        (1, ["[2001:db8::7]:443"], "2001:db8::7"),
        (1, ["2001:db8::7"], "2001:db8::7"),
        (1, ["::ffff:198.51.100.7"], "198.51.100.7"),
    ],
)
async def test_the_outermost_trusted_proxy_says_who_called_it(hops, lines, client):
    assert await seen(hops, lines) == client


@pytest.mark.parametrize(("hops", "lines"), [(1, []), (2, ["198.51.100.7"]), (1, ["unknown"]), (1, [""]), (1, ["a b"])])
async def test_a_header_that_says_nothing_leaves_the_socket_s_address(hops, lines):
    assert await seen(hops, lines) == "10.0.0.1"


async def test_ten_thousand_forged_headers_from_one_socket_are_one_address():
    rng = random.Random(5)
    forged = (
        ", ".join(f"{rng.randrange(256)}.{rng.randrange(256)}.{rng.randrange(256)}.1" for _ in range(rng.randrange(4)))
        for _ in range(10_000)
    )
    addresses = {await seen(1, [line] * (line != "") + ["198.51.100.7"]) for line in forged}
    assert addresses == {"198.51.100.7"}


def test_a_header_of_a_million_entries_is_read_from_its_end():
    assert forwarded(["1.1.1.1," * 1_000_000 + "198.51.100.7"], 1) == "198.51.100.7"


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("198.51.100.7", "198.51.100.0/24"),
        ("198.51.100.250", "198.51.100.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
        ("::ffff:198.51.100.7", "198.51.100.0/24"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_one_school_or_household_is_counted_together(address, counted):
    assert network(address) == counted


@pytest.mark.parametrize(
    ("headers", "kind"),
    [
        ({}, Client.PROGRAM),
        ({"user-agent": "python-httpx2/1"}, Client.PROGRAM),
        ({"user-agent": "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0"}, Client.DESKTOP),
        ({"user-agent": "Mozilla/5.0 (iPhone) AppleWebKit/605 Mobile/15E148 Safari/604"}, Client.PHONE),
        ({"user-agent": "Mozilla/5.0 (Linux; Android 16) Chrome/150", "sec-ch-ua-mobile": "?1"}, Client.PHONE),
    ],
)
def test_the_kind_of_a_client_is_what_its_headers_say(headers, kind):
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    assert client_of(Request({"type": "http", "headers": raw})) is kind
