"""Requests while the arena is still being built: pages are served, calls wait."""

import asyncio

import httpx2
import pytest
from fastapi.responses import PlainTextResponse

from arena.api.http.server import Startup
from tests.api.conftest import ORIGIN

pytestmark = pytest.mark.sqlite


@pytest.fixture
async def startup():
    return Startup(PlainTextResponse("a page"))


@pytest.fixture
async def visitor(startup):
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(startup), base_url=ORIGIN) as visitor:
        yield visitor


async def test_a_page_does_not_wait_for_the_arena(visitor):
    assert (await visitor.get("/leaderboard")).text == "a page"


@pytest.mark.parametrize("path", ["/api/v1/status", "/healthz", "/readyz"])
async def test_a_call_waits_for_the_arena_and_is_answered_by_it(visitor, startup, app, path):
    call = asyncio.create_task(visitor.get(path))
    await asyncio.sleep(0.05)
    assert not call.done()
    startup.arena.set_result(app)
    assert (await call).status_code == 200


async def test_a_file_of_the_log_waits_for_the_arena_and_is_no_page(visitor, startup, app):
    call = asyncio.create_task(visitor.get("/log/checkpoint"))
    await asyncio.sleep(0.05)
    startup.arena.set_result(app)
    assert (await call).status_code == 404


async def test_who_gives_up_waiting_leaves_the_others_waiting(visitor, startup, app):
    impatient, patient = (asyncio.create_task(visitor.get("/healthz")) for _ in range(2))
    await asyncio.sleep(0.05)
    impatient.cancel()
    await asyncio.sleep(0)
    startup.arena.set_result(app)
    assert (await patient).text == "ok"


async def test_a_call_to_an_arena_that_cannot_be_built_is_told_to_come_again(visitor, startup):
    call = asyncio.create_task(visitor.get("/api/v1/status"))
    await asyncio.sleep(0.05)
    startup.arena.cancel()
    for answer in (await call, await visitor.get("/api/v1/status")):
        assert (answer.status_code, answer.json()["code"]) == (503, "shutting_down")
        assert answer.headers["retry-after"] == "1"


async def test_pages_of_a_running_arena_come_with_all_that_it_adds(visitor, startup, app):
    app.state.pages = startup.pages
    startup.arena.set_result(app)
    page = await visitor.get("/")
    assert page.text == "a page"
    assert page.headers["x-request-id"]


async def test_an_error_around_a_running_arena_ends_its_turns_first(runtime, app):
    turns = []

    async def fail() -> None:
        async with app.router.lifespan_context(app):
            turns.append(runtime.spawn(asyncio.sleep(3_600)))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert runtime.closing
    assert turns[0].cancelled()
