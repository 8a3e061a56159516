"""The public client: cookies and headers of its caller, and streams that break."""

from __future__ import annotations

from asyncio import timeout

import httpx2
import pytest

from arena import client as clients
from arena.client import ApiProblem, ArenaClient
from arena.domain.schemas.battles import DeltaEvent, TurnReadyEvent
from arena.domain.terms import Outcome

BATTLE = {"id": "b", "state": "open", "turns": [{"number": 1, "prompt": "Hello", "state": "running"}]}


CALLS = [
    lambda client: client.get_status(),
    lambda client: client.list_models(),
    lambda client: client.get_leaderboard(),
    lambda client: client.open_battle("Hello"),
    lambda client: client.get_battle("b"),
    lambda client: client.cast_vote("b", Outcome.TIE),
    lambda client: client.get_chat("b"),
]


class Broken(httpx2.AsyncByteStream):
    """A body that breaks after its first event."""

    def __init__(self, *events: str) -> None:
        self.events = events

    async def __aiter__(self):
        for event in self.events:
            yield event.encode()
        raise httpx2.ReadError("the connection was lost")


def event(number: int, name: str, data: str) -> str:
    return f"id: {number}\nevent: {name}\ndata: {data}\n\n"


async def test_a_caller_goes_on_as_the_same_person_and_adds_headers():
    requests: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        requests.append(request)
        return httpx2.Response(200, json=BATTLE, headers={"set-cookie": "arena_voter=one; Path=/; HttpOnly"})

    network = httpx2.MockTransport(answer)
    async with ArenaClient("http://arena/", headers={"X-More": "yes"}, transport=network) as first:
        await first.get_battle("b")
        assert first.cookies == {"arena_voter": "one"}
    async with ArenaClient("http://arena", cookies=first.cookies, transport=network) as second:
        await second.get_battle("b")
        assert second.cookies == {"arena_voter": "one"}
    assert requests[0].headers["x-more"] == "yes"
    assert str(requests[0].url) == "http://arena/api/v1/battles/b"
    assert "cookie" not in requests[0].headers
    assert requests[1].headers["cookie"] == "arena_voter=one"


async def test_a_secure_cookie_is_sent_on_where_tls_ends_at_a_proxy():
    cookies: list[str | None] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        cookies.append(request.headers.get("cookie"))
        return httpx2.Response(200, json=BATTLE, headers={"set-cookie": "__Host-arena_voter=one; Path=/; Secure"})

    async with ArenaClient("http://arena", transport=httpx2.MockTransport(answer)) as client:
        await client.get_battle("b")
        await client.get_battle("b")
    assert cookies == [None, "__Host-arena_voter=one"]


async def test_a_broken_stream_is_taken_up_after_the_last_event(monkeypatch):
    monkeypatch.setattr(clients, "RECONNECT_PAUSE", 0)
    seen: list[str | None] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request.headers.get("last-event-id"))
        if len(seen) == 1:
            return httpx2.Response(200, stream=Broken(event(7, "delta", '{"side": "a", "text": "Hel"}')))
        if len(seen) == 2:
            raise httpx2.ConnectError("nobody listens")
        rest = event(8, "delta", '{"side": "a", "text": "lo"}') + event(9, "turn_ready", '{"number": 1}')
        return httpx2.Response(200, content=rest.encode())

    async with ArenaClient("http://arena", transport=httpx2.MockTransport(answer)) as client:
        events = [item async for item in client.stream_battle("b")]
    assert [item.text for item in events if isinstance(item, DeltaEvent)] == ["Hel", "lo"]
    assert isinstance(events[-1], TurnReadyEvent)
    assert seen == [None, "7", "7"]


async def test_a_stream_that_never_began_or_stays_away_is_an_error(monkeypatch):
    monkeypatch.setattr(clients, "RECONNECT_PAUSE", 0)
    calls = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        calls.append(request)
        if len(calls) == 2:
            return httpx2.Response(200, stream=Broken())
        raise httpx2.ConnectError("nobody listens")

    async with ArenaClient("http://arena", transport=httpx2.MockTransport(answer)) as client:
        with pytest.raises(ConnectionError):
            await anext(client.stream_battle("b"))
        assert len(calls) == 1
        with pytest.raises(ConnectionError):
            await anext(client.stream_battle("b"))
    assert len(calls) == clients.RECONNECTS + 2


@pytest.mark.parametrize("body", ["", "<p>Hello</p>", ": alive\n\n", event(1, "applause", "{}")])
@pytest.mark.parametrize("is_cut", [False, True])
async def test_a_stream_that_brings_nothing_however_often_it_is_asked_for_is_an_error(monkeypatch, body, is_cut):
    """As of a proxy that answers in the arena's place, or cuts each connection as soon as it is open."""
    monkeypatch.setattr(clients, "RECONNECT_PAUSE", 0)
    calls = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        calls.append(request)
        return httpx2.Response(200, stream=Broken(body)) if is_cut else httpx2.Response(200, content=body.encode())

    async with ArenaClient("http://arena", transport=httpx2.MockTransport(answer)) as client, timeout(20):
        with pytest.raises(ConnectionError):
            await anext(client.stream_battle("b"))
    assert len(calls) == clients.RECONNECTS + 1


@pytest.mark.parametrize("content", [b"", b"<p>Hello</p>", b"null", b"1", b'"x"', b"[1]", b'{"x": 1}', b"\xff"])
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("status", [200, 500])
async def test_an_answer_of_no_arena_or_of_another_version_is_one_kind_of_error(call, content, status):
    network = httpx2.MockTransport(lambda _: httpx2.Response(status, content=content))
    async with ArenaClient("http://arena", transport=network) as client:
        with pytest.raises(ValueError if status == 200 else ApiProblem):
            await call(client)


async def test_an_event_that_this_version_does_not_know_is_passed_over():
    content = event(1, "applause", '{"loud": true}') + event(2, "turn_ready", '{"number": 1}')
    network = httpx2.MockTransport(lambda _: httpx2.Response(200, content=content))
    async with ArenaClient("http://arena", transport=network) as client:
        assert [type(item) async for item in client.stream_battle("b")] == [TurnReadyEvent]
