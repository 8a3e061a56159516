"""History, shared links and forgetting over HTTP."""

from __future__ import annotations

import httpx2
import pytest

from arena.api.http.voter_cookie import COOKIE, Cookies
from arena.serving.composition import whole_app
from tests.api.conftest import ORIGIN


@pytest.fixture
async def voted(client, finish) -> str:
    battle_id = await finish("What is shared?")
    await client.post(f"/api/v1/battles/{battle_id}/vote", json={"outcome": "a"})
    return battle_id


async def test_somebody_without_a_cookie_has_an_empty_history_and_can_be_forgotten(client):
    assert (await client.get("/api/v1/me/battles")).json() == {"battles": [], "next": None}
    assert (await client.get("/api/v1/me/board")).json() == {"votes": 0, "needed": 10, "rows": []}
    assert (await client.delete("/api/v1/me")).status_code == 204


async def test_a_page_of_the_history_behind_an_unknown_battle_is_not_found(client):
    refused = await client.get("/api/v1/me/battles?before=nothing")
    assert (refused.status_code, refused.json()["code"]) == (404, "battle_not_found")


async def test_forgetting_drops_the_cookie_and_the_history_even_for_somebody_who_kept_the_cookie(client, voted):
    cookie = client.cookies[COOKIE]
    assert [item["id"] for item in (await client.get("/api/v1/me/battles")).json()["battles"]] == [voted]
    gone = await client.delete("/api/v1/me")
    assert (gone.status_code, "Max-Age=0" in gone.headers["set-cookie"]) == (204, True)
    assert COOKIE not in client.cookies
    client.cookies.set(COOKIE, cookie)
    assert (await client.get("/api/v1/me/battles")).json()["battles"] == []
    assert (await client.get(f"/api/v1/battles/{voted}")).status_code == 404


async def test_a_foreign_page_cannot_make_the_arena_forget_somebody(client, voted):
    refused = await client.delete("/api/v1/me", headers={"Origin": "https://evil.example"})
    assert refused.json()["code"] == "cross_origin"
    assert (await client.get(f"/api/v1/battles/{voted}")).status_code == 200


async def test_a_history_belongs_to_no_cache_and_a_page_has_a_hundred_lines_at_most(client, voted):
    assert voted
    for path in ("/api/v1/me/battles", "/api/v1/me/board"):
        assert (await client.get(path)).headers["cache-control"] == "no-store"
    assert (await client.get("/api/v1/me/battles?limit=101")).json()["code"] == "invalid"


async def test_a_link_is_open_to_everybody_until_it_is_withdrawn(app, client, voted):
    token = (await client.post(f"/api/v1/battles/{voted}/share")).json()["token"]
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=ORIGIN) as stranger:
        answer = await stranger.get(f"/api/v1/shared/{token}")
        assert answer.json()["turns"][0]["prompt"] == "What is shared?"
        assert answer.headers["x-robots-tag"] == "noindex"
        assert (await stranger.delete(f"/api/v1/battles/{voted}/share")).status_code == 404
        assert (await client.delete(f"/api/v1/battles/{voted}/share")).status_code == 204
        assert (await stranger.get(f"/api/v1/shared/{token}")).json()["code"] == "battle_not_found"


async def test_remarks_and_the_choice_of_others_are_there_after_the_vote_only(client, finish, voted):
    body = {"a": {"reasons": ["useful"], "stars": {"logic": 2}}}
    for _ in range(2):
        kept = await client.post(f"/api/v1/battles/{voted}/remarks", json=body)
        assert (kept.status_code, kept.json()["a"]) == (200, body["a"])
    assert (await client.get(f"/api/v1/battles/{voted}/remarks")).json() == kept.json()
    crowd = await client.get(f"/api/v1/battles/{voted}/crowd")
    assert crowd.json() == {"a": 0, "b": 0, "tie": 0, "both_bad": 0}
    other = await finish()
    for answer in (
        await client.post(f"/api/v1/battles/{other}/remarks", json=body),
        await client.get(f"/api/v1/battles/{other}/crowd"),
        await client.post(f"/api/v1/battles/{other}/share"),
    ):
        assert answer.json()["code"] == "not_voted"


async def test_a_page_names_the_terms_its_visitor_accepts_and_a_refusal_says_which(runtime):
    runtime.terms = 3
    app = whole_app(runtime, Cookies(b"a secret of the tests"))
    page = {"Sec-Fetch-Site": "same-origin"}
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=ORIGIN, headers=page) as client:
        refused = await client.post("/api/v1/battles", json={"prompt": "Hello"})
        assert (refused.status_code, refused.json()["code"], refused.json()["terms"]) == (403, "terms_not_accepted", 3)
        assert (await client.get("/api/v1/status")).json()["terms"] == 3
        assert (await client.post("/api/v1/battles", json={"prompt": "Hello", "terms": 3})).status_code == 201
        assert (await client.post("/api/v1/battles", json={"prompt": "Hello"})).status_code == 201


async def test_a_program_accepts_the_terms_by_calling(runtime):
    runtime.terms = 3
    app = whole_app(runtime, Cookies(b"a secret of the tests"))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=ORIGIN) as client:
        assert (await client.post("/api/v1/battles", json={"prompt": "Hello"})).status_code == 201
