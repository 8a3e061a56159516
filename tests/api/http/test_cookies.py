"""Whatever a browser sends as a cookie, each page and each call works, and takes nobody for anybody."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from itertools import cycle
from typing import Final

import httpx2
import pytest

from arena.adapters.openid.provider import OpenIdProvider
from arena.api.http import signed_cookies
from arena.api.http.members import Entrance
from arena.api.http.signed_cookies import SignedCookie, seal
from arena.api.http.voter_cookie import Cookies
from arena.domain.terms import Access
from arena.serving.composition import whole_app
from arena.usecases.endpoints.ownership import OwnerRules
from arena_frontend.app import create_app
from arena_frontend.asgi import COOKIE as LANGUAGE
from arena_frontend.template_pages import PAGES
from tests.api.conftest import ORIGIN, openapi_paths
from tests.api.test_sign_in import HEADER, PROXY, rules
from tests.fake_provider import FakeProvider

COOKIES: Final = Cookies(b"a secret of the tests")
SIGNED: Final = [value for value in vars(signed_cookies).values() if isinstance(value, SignedCookie)]
NAMES: Final = (LANGUAGE, COOKIES.name, *(cookie.name for cookie in SIGNED))
GARBAGE: Final = (
    b"",
    b"=",
    b'"',
    b'"\\000\\012\\377"',
    b"\x00\x1b",
    b"\xff\xfe\xed\xa0\x80",
    "🦉".encode(),
    b"%00%ED%A0%80",
    b"{[,:]}@/?",
    b"....",
    b"~1~1~1.~",
    b"null",
    b"xx-\t\x0b",
    b"9" * 200,
    b"[" * 200,
    *(seal({"via": "school"}, 60, purpose, COOKIES).encode() for purpose in ("", "somebody else's")),
    *(seal({"via": "school"}, 60, cookie.purpose, COOKIES)[:-1].encode() for cookie in SIGNED),
)
"""Values of every kind, those of other purposes and cut ones among them."""
HEADERS: Final = [b"; ".join(name.encode() + b"=" + value for name in NAMES) for value in GARBAGE]
"""Of each value the header of a browser that has it in each cookie."""


@pytest.fixture(params=["visitor", "proxy"])
async def browser(runtime, request) -> AsyncIterator[httpx2.AsyncClient]:
    """A browser that keeps no cookies, of a visitor or of a member whom a proxy has signed in."""
    provider = OpenIdProvider(rules(), f"{ORIGIN}/api/v1/sign-in/school/callback", FakeProvider().transport())
    entrance = Entrance(Access.PUBLIC, ORIGIN, {"school": provider}, HEADER)
    app = whole_app(runtime, COOKIES, entrance=entrance, rules=OwnerRules(named_operators=True))
    app.state.pages = create_app()
    is_member = request.param == "proxy"
    transport = httpx2.ASGITransport(app, client=(PROXY if is_member else "203.0.113.5", 1))
    headers = {HEADER.name: "ada"} if is_member else {}
    async with httpx2.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers) as browser:
        browser.app = app  # pyright: ignore[reportAttributeAccessIssue] - its routes are walked
        yield browser
    await entrance.aclose()


async def test_each_page_is_the_same_whatever_its_cookies_hold(browser):
    kinds = cycle(HEADERS)
    for path in PAGES:
        plain = await browser.get(path)
        for _ in range(3):
            header = next(kinds)
            answer = await browser.get(path, headers={"Cookie": header})
            assert (answer.status_code, answer.text) == (plain.status_code, plain.text), (path, header)


async def test_a_broken_cookie_leaves_the_others_as_they_are(browser):
    """Also one of another program at the same host."""
    chosen = f"{LANGUAGE}=zh-TW".encode()
    for header in HEADERS:
        cookies = b"; ".join((header, header.replace(b"arena", b"other"), chosen))
        answer = await browser.get("/", headers={"Cookie": cookies})
        assert '<html lang="zh-TW"' in answer.text, header


async def test_no_call_fails_over_a_broken_cookie(browser):
    kinds = cycle(HEADERS)
    for path, methods in openapi_paths(browser.app).items():
        for method in methods:
            header = next(kinds)
            address = re.sub(r"\{\w+\}", "1", path)
            answer = await browser.request(method.upper(), address, headers={"Cookie": header})
            assert answer.status_code < 500, (method, path, header, answer.text)


async def test_a_visitor_with_broken_cookies_battles_and_gets_a_whole_one(browser):
    for header in HEADERS:
        opened = await browser.post("/api/v1/battles", json={"prompt": "Hello"}, headers={"Cookie": header})
        assert opened.status_code == 201, header
        assert HEADER.name in browser.headers or COOKIES.name in opened.cookies
        browser.cookies.clear()
