import json
import random
from typing import Any

import pytest
from fastapi import Request

from arena.api.http.clients import VISITOR, ClientAddress, NamedVisitor, client_of, forwarded, network
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


TOKEN = "a token that the app was started with"  # noqa: S105 - no secret
AGENT = "Mozilla/5.0 (Linux; Android 14) Mobile"


async def named(text, *, token=TOKEN, own=TOKEN) -> dict[str, Any]:
    """The scope behind the middleware, of a program that names a visitor by this header."""
    result: dict[str, Any] = {}

    async def app(scope, receive, send):
        result.update(scope)

    fields = {"token": token, "address": "203.0.113.9", "agent": AGENT, "mobile": "?1"} if text is None else text
    header = fields if isinstance(fields, str) else json.dumps(fields)
    headers = [(b"user-agent", b"python-httpx2"), (VISITOR.encode(), header.encode("latin-1", "replace"))]
    await NamedVisitor(app, own)({"type": "http", "headers": headers, "client": ("10.0.0.5", 4000)}, nothing, nothing)
    return result


async def test_a_gradio_app_with_the_token_names_its_visitor():
    scope = await named(None)
    request = Request(scope)
    assert scope["client"][0] == "203.0.113.9"
    assert request.headers.getlist("user-agent") == [AGENT]
    assert client_of(request) is Client.PHONE
    assert VISITOR not in request.headers


@pytest.mark.parametrize(
    ("text", "token", "own"),
    [
        (None, "another", TOKEN),
        (None, "", ""),
        (None, TOKEN, ""),
        (None, "ключ", TOKEN),
        ("", TOKEN, TOKEN),
        ("[1]", TOKEN, TOKEN),
        ("{" * 5_000, TOKEN, TOKEN),
        ('{"token": 7}', TOKEN, TOKEN),
        ('{"token": "\\ud800"}', TOKEN, TOKEN),
        (TOKEN, TOKEN, TOKEN),
    ],
)
async def test_without_the_token_nobody_is_believed_and_the_header_goes_no_further(text, token, own):
    scope = await named(text, token=token, own=own)
    assert scope["client"][0] == "10.0.0.5"
    assert Request(scope).headers["user-agent"] == "python-httpx2"
    assert VISITOR not in Request(scope).headers


async def test_an_address_that_is_none_changes_none():
    scope = await named({"token": TOKEN, "address": "<script>", "agent": "x"})
    assert scope["client"][0] == "10.0.0.5"
