"""Pages that are still being made: who comes early waits, and nobody is left with an error for good."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator

import httpx2
import pytest

from arena_frontend.api_reader import ApiReader
from arena_frontend.asgi import Site
from arena_frontend.bundle import Bundle
from arena_frontend.finished_pages import Finish, Pages
from arena_frontend.responses import StaticResponse
from arena_frontend.template_pages import TemplatePages

PAGE = StaticResponse.make(b"<html>", "text/html", "no-cache")


def made(language: str, path: str, _address: str, _board: object, _face: object) -> StaticResponse:
    assert (language, path) == ("en", "/")
    return PAGE


@pytest.fixture
def ready() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


TEMPLATES = TemplatePages(Bundle.load(), "", ApiReader())


def slow(ready: threading.Event) -> Callable[[], Finish]:
    def make() -> Finish:
        ready.wait()
        return made

    return make


async def test_whoever_comes_early_waits_for_the_page_and_everything_else_is_there(ready: threading.Event) -> None:
    gate = Site(Pages(slow(ready)), TEMPLATES, {})
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=gate), base_url="http://arena") as client:
        early = [asyncio.create_task(client.get("/")) for _ in range(3)]
        assert (await client.get("/robots.txt")).status_code == 200
        assert (await client.get("/nothing")).status_code == 404
        assert not any(task.done() for task in early)
        ready.set()
        assert [answer.text for answer in await asyncio.gather(*early)] == ["<html>"] * 3


async def test_a_visitor_who_leaves_takes_nothing_from_the_others(ready: threading.Event) -> None:
    pages = Pages(slow(ready))
    leaving, staying = (asyncio.create_task(pages.find("en", "/")) for _ in range(2))
    await asyncio.sleep(0)
    leaving.cancel()
    await asyncio.wait([leaving])
    ready.set()
    assert await staying is PAGE


async def test_whoever_waited_long_is_told_to_come_back(ready: threading.Event) -> None:
    gate = Site(Pages(slow(ready), patience=0.01, pause=7), TEMPLATES, {})
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=gate), base_url="http://arena") as client:
        answer = await client.get("/")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "7")
        assert answer.headers["cache-control"] == "no-store"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        ready.set()
        while (await client.get("/")).status_code == 503:
            await asyncio.sleep(0.01)


async def test_what_fails_is_said_and_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    tries = iter([OSError("no memory"), OSError("no memory"), None])

    def make() -> Finish:
        if error := next(tries):
            raise error
        return made

    assert await Pages(make, pause=0).find("en", "/") is PAGE
    assert caplog.text.count("OSError: no memory") == 2
