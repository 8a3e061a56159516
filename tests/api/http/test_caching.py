"""What depends on who asks is kept by no cache, and what does not is sent once to whoever has it."""

from __future__ import annotations

import re

import httpx2
import pytest
from fastapi.routing import APIRoute

from arena.api import dependencies
from arena.api.http.voter_cookie import Cookies
from arena.serving.composition import whole_app
from arena.usecases.endpoints.ownership import OwnerRules
from tests.api.conftest import OPERATOR_KEY, ORIGIN

CONFIDENTIAL = re.compile(r"no-store|private")


@pytest.fixture
def app(runtime, tmp_path):
    (tmp_path / "files").mkdir()
    rules = OwnerRules(operator_key=OPERATOR_KEY)
    return whole_app(runtime, Cookies(b"a secret of the tests"), rules=rules, files=tmp_path / "files")


@pytest.fixture
async def client(app):
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=ORIGIN) as client:
        yield client


def depends_on_who_asks(dependant) -> bool:
    """Whether a route reads a cookie or a key."""
    reading = {dependencies._holder, dependencies._newcomer, dependencies._owner}
    return (
        dependant.call in reading
        or getattr(dependant.call, "__name__", "") in {"_operator", "check_role", "record_act"}
        or any(map(depends_on_who_asks, dependant.dependencies))
    )


def routes(app) -> list[APIRoute]:
    found, waiting = [], list(app.routes)
    while waiting:
        route = waiting.pop()
        waiting += getattr(route, "routes", None) or []
        found += [route] if isinstance(route, APIRoute) and "GET" in (route.methods or ()) else []
    return found


async def voted(client) -> str:
    """The id of a battle that this client has voted on."""
    battle = (await client.post("/api/v1/battles", json={"prompt": "Hello"})).json()["id"]
    async with client.stream("GET", f"/api/v1/battles/{battle}/stream") as stream:
        async for line in stream.aiter_lines():
            if line.startswith("event: turn_ready"):
                break
    reveal = await client.post(f"/api/v1/battles/{battle}/vote", json={"outcome": "a"})
    assert reveal.status_code == 200, reveal.text
    return battle


@pytest.mark.parametrize("answer", ["reveal", "crowd", "reasoning", "remarks"])
async def test_what_follows_a_vote_is_stored_by_no_cache(client, answer):
    battle = await voted(client)
    found = await client.get(f"/api/v1/battles/{battle}/{answer}")
    assert (found.status_code, found.headers["cache-control"]) == (200, "no-store")


@pytest.mark.timeout(300)
async def test_every_route_whose_answer_depends_on_who_asks_is_kept_by_no_shared_cache(app, client):
    battle, seen = await voted(client), []
    values = {"battle_id": battle, "name": "red-7b", "endpoint_id": "1", "number": "1"}
    for route in routes(app):
        if not depends_on_who_asks(route.dependant) or route.path.endswith("stream"):
            continue
        path = re.sub(r"\{(\w+)[^}]*\}", lambda found: values.get(found[1], "1"), route.path)
        for headers in ({}, {"Authorization": f"Bearer {OPERATOR_KEY}"}):
            found = await client.get(path, headers=headers)
            assert CONFIDENTIAL.search(found.headers.get("cache-control", "")), (
                path,
                found.status_code,
                dict(found.headers),
            )
            seen.append(found.status_code)
    assert seen.count(200) > 20
    assert len(seen) > 60


async def test_every_answer_of_the_api_says_how_it_may_be_kept(app, client):
    for route in routes(app):
        if "{" not in route.path and not route.path.endswith("stream"):
            found = await client.get(route.path)
            assert found.headers.get("cache-control") or not route.path.startswith("/api/"), route.path


async def test_a_public_file_is_sent_once_to_whoever_has_it(client, tmp_path):
    (tmp_path / "files" / "votes.csv").write_text("a,b\n" * 1_000)
    first = await client.get("/files/votes.csv")
    again = await client.get("/files/votes.csv", headers={"If-None-Match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert {again.headers[name] == first.headers[name] for name in ("etag", "cache-control")} == {True}
    assert (await client.get("/files/votes.csv", headers={"If-None-Match": "*"})).status_code == 304
    (tmp_path / "files" / "votes.csv").write_text("other,file\n")
    changed = await client.get("/files/votes.csv", headers={"If-None-Match": first.headers["etag"]})
    assert (changed.status_code, changed.text) == (200, "other,file\n")
