"""Votes that are taken before routing, and those that are not: nobody can tell them apart."""

from __future__ import annotations

import httpx2
import pytest

from arena.api.routes import votes
from tests.api.conftest import ORIGIN

API = "/api/v1/battles"
JSON = {"content-type": "application/json"}
PLAIN = b'{"outcome": "a"}'
REQUESTS = {
    "plain": (PLAIN, JSON),
    "with a key": (PLAIN, JSON | {"idempotency-key": "once"}),
    "spaced": (b' \n{ "outcome" : "tie" } ', JSON),
    "charset": (PLAIN, {"content-type": "application/json; charset=utf-8"}),
    "another type": (PLAIN, {"content-type": "text/plain"}),
    "no type": (PLAIN, {}),
    "unknown field": (b'{"outcome": "a", "more": 1}', JSON),
    "twice": (b'{"outcome": "a", "outcome": "b"}', JSON),
    "no outcome": (b"{}", JSON),
    "wrong outcome": (b'{"outcome": "c"}', JSON),
    "no json": (b"{", JSON),
    "nothing": (b"", JSON),
    "not utf-8": (b"\xff\xfe", JSON),
    "too deep": (b"[" * 50 + b"]" * 50, JSON),
    "too large": (b" " * 70_000 + PLAIN, JSON),
    "empty key": (PLAIN, JSON | {"idempotency-key": ""}),
    "long key": (PLAIN, JSON | {"idempotency-key": "x" * 256}),
}


@pytest.fixture
def routed(monkeypatch):
    """Let every vote take the way through the routes."""

    def passing():
        async def pass_on(self, scope, receive, send):
            await self.app(scope, receive, send)

        monkeypatch.setattr(votes.Ballots, "__call__", pass_on)

    return passing


def told(answer: httpx2.Response) -> tuple[int, bytes, dict[str, str]]:
    """All that a caller learns, but for what is drawn anew for each request."""
    return answer.status_code, answer.content, {k: v for k, v in answer.headers.items() if k != "x-request-id"}


@pytest.mark.sqlite
@pytest.mark.parametrize("what", REQUESTS)
async def test_every_vote_and_refusal_is_the_routes_own(client, finish, routed, what):
    (body, headers), battles = REQUESTS[what], [await finish(), await finish()]
    taken = [await client.post(f"{API}/{battles[0]}/vote", content=body, headers=headers) for _ in range(2)]
    routed()
    headers = headers | ({"idempotency-key": "another"} if headers.get("idempotency-key") == "once" else {})
    after = [await client.post(f"{API}/{battles[1]}/vote", content=body, headers=headers) for _ in range(2)]
    names = [{answer.content.count(name) for name in (b"red-7b", b"blue-7b")} for answer in (*taken, *after)]
    assert names[:2] == names[2:]
    if b"red-7b" not in taken[0].content:
        assert [told(answer) for answer in taken] == [told(answer) for answer in after]
    else:
        assert [(told(a)[0], told(a)[2]) for a in taken] == [(told(a)[0], told(a)[2]) for a in after]


@pytest.mark.sqlite
async def test_a_plain_vote_does_not_reach_the_routes(app, client, finish, monkeypatch):
    battle_id = await finish()

    async def nothing(*_):
        raise AssertionError("the vote was routed")

    monkeypatch.setattr(type(app.router), "__call__", nothing)
    answer = await client.post(f"{API}/{battle_id}/vote", json={"outcome": "a"})
    assert (answer.status_code, answer.json()["outcome"]) == (200, "a")


@pytest.mark.sqlite
async def test_a_vote_in_pieces_a_foreign_one_and_one_on_nothing_are_answered_as_ever(app, client, finish):
    battle_id = await finish()

    async def pieces():
        yield PLAIN[:5]
        yield PLAIN[5:]

    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=ORIGIN) as stranger:
        foreign = await stranger.post(f"{API}/{battle_id}/vote", json={"outcome": "a"})
        unknown = await stranger.post(f"{API}/nothing/vote", json={"outcome": "a"})
    assert foreign.status_code == unknown.status_code == 404
    assert foreign.content == unknown.content
    answer = await client.post(f"{API}/{battle_id}/vote", content=pieces(), headers=JSON)
    assert (answer.status_code, answer.json()["outcome"]) == (200, "a")
