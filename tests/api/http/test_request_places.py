"""Many requests of one neighbourhood wait for each other, and nobody else waits for them."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from fastapi.responses import PlainTextResponse, StreamingResponse

from arena.api.http import request_places
from arena.api.http.request_places import AT_WORK, OPEN, RequestPlaces
from tests.api.conftest import ORIGIN

pytestmark = pytest.mark.sqlite

ATTACKER, NEIGHBOUR, VISITOR, OTHER = "198.51.100.7", "198.51.100.8", "203.0.113.5", "2001:db8::1"


def client(app, address: str) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app, client=(address, 1)), base_url=ORIGIN, timeout=60)


class Waiting:
    """An application whose answers come once `go` is set."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.working = self.most = 0

    async def __call__(self, scope, receive, send) -> None:
        self.working += 1
        self.most = max(self.most, self.working)
        await self.go.wait()
        self.working -= 1
        await PlainTextResponse("here")(scope, receive, send)


class Streams:
    """An application whose answers have a head at once, and an end once `go` is set."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.begun = 0

    async def __call__(self, scope, receive, send) -> None:
        async def pieces():
            self.begun += 1
            yield b"here"
            await self.go.wait()

        await StreamingResponse(pieces())(scope, receive, send)


@asynccontextmanager
async def flood(app, address: str, count: int):
    async with client(app, address) as attacker:
        tasks = [asyncio.create_task(attacker.get("/api/v1/status")) for _ in range(count)]
        await asyncio.sleep(0)
        yield tasks
        await asyncio.gather(*tasks)


@pytest.mark.parametrize("count", [200, pytest.param(1_000, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("flooder", [ATTACKER, OTHER])
async def test_an_honest_request_waits_for_no_more_than_the_places_of_a_flood(app, flooder, count):
    async with flood(app, flooder, count) as requests, client(app, VISITOR) as visitor:
        assert (await visitor.get("/api/v1/status")).status_code == 200
        before = sum(request.done() for request in requests)
    assert before <= 2 * AT_WORK
    assert {request.result().status_code for request in requests} == {200}


async def test_requests_of_a_neighbourhood_are_worked_on_few_at_a_time_and_all_answered(monkeypatch):
    monkeypatch.setattr(request_places, "HOLD", 60)
    waiting = Waiting()
    places = RequestPlaces(waiting)
    async with flood(places, ATTACKER, AT_WORK) as first, flood(places, NEIGHBOUR, AT_WORK) as second:
        await asyncio.sleep(0.05)
        assert waiting.working == AT_WORK
        waiting.go.set()
    assert waiting.most == AT_WORK
    assert [request.result().text for request in (*first, *second)] == ["here"] * 2 * AT_WORK


async def test_open_streams_hold_no_place():
    streams = Streams()
    async with flood(RequestPlaces(streams), ATTACKER, 4 * AT_WORK):
        async with asyncio.timeout(30):
            while streams.begun < 4 * AT_WORK:
                await asyncio.sleep(0.01)
        streams.go.set()


async def test_who_waits_for_something_else_gives_the_place_back(monkeypatch):
    monkeypatch.setattr(request_places, "HOLD", 0.01)
    waiting = Waiting()
    async with flood(RequestPlaces(waiting), ATTACKER, 3 * AT_WORK):
        async with asyncio.timeout(30):
            while waiting.working < 3 * AT_WORK:
                await asyncio.sleep(0.01)
        waiting.go.set()


async def test_more_open_requests_than_the_bound_are_refused_until_others_end():
    waiting = Waiting()
    places = RequestPlaces(waiting, most_open=3)
    async with flood(places, ATTACKER, 3), client(places, NEIGHBOUR) as attacker, client(places, VISITOR) as visitor:
        refused = await attacker.get("/")
        assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
        assert refused.headers["retry-after"]
        waiting.go.set()
        assert (await visitor.get("/")).status_code == 200
    async with client(places, ATTACKER) as attacker:
        assert (await attacker.get("/")).status_code == 200


async def test_a_request_that_is_given_up_while_it_waits_leaves_its_place_to_others():
    waiting = Waiting()
    places = RequestPlaces(waiting, at_work=1)
    async with flood(places, ATTACKER, 2) as requests, client(places, ATTACKER) as attacker:
        impatient = asyncio.create_task(attacker.get("/"))
        await asyncio.sleep(0.01)
        impatient.cancel()
        await asyncio.gather(impatient, return_exceptions=True)
        waiting.go.set()
        assert (await attacker.get("/")).status_code == 200
    assert len(requests) == 2


def test_the_proxy_bounds_open_requests_alike():
    configuration = Path("deploy/nginx/default.conf.template").read_text(encoding="utf-8")
    assert f"limit_conn requests {OPEN};" in configuration
