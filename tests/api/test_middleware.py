"""Odd paths, queries and cookies: none reaches a database that would fail over it."""

from __future__ import annotations

import json
import re
from itertools import product

import httpx2
import pytest

from arena.api.http.voter_cookie import Cookies
from arena.serving.composition import whole_app
from arena.usecases.endpoints.ownership import OwnerRules
from tests.api.conftest import ORIGIN, openapi_paths

KEY = "k" * 40
JSON = {"Content-Type": "application/json"}
CONTROL = ("%00", "a%00b", "%0a", "%7F", "%C2%85", "%1b%5b2J")
ODD = ("%FF", "%ED%A0%80", "%F4%90%80%80", "%EF%BF%BF", "..%2f..%2f", "%25%30%30", "%E2%80%AE", "'", "%5C", "9" * 40)
"""Text without control characters; every request with it is answered without an internal error."""

pytestmark = pytest.mark.both_databases


@pytest.fixture
async def asked(runtime):
    """Ask with the voter's cookie or without, and with the operator's key."""
    app = whole_app(runtime, Cookies(b"a secret of the tests"), rules=OwnerRules(operator_key=KEY))
    options = {
        "transport": httpx2.ASGITransport(app, raise_app_exceptions=False),
        "base_url": ORIGIN,
        "headers": {"Authorization": f"Bearer {KEY}"},
    }
    async with httpx2.AsyncClient(**options) as voter, httpx2.AsyncClient(**options) as nobody:
        await voter.post("/api/v1/battles", json={"prompt": "Hello"})

        async def ask(method: str, path: str, *, known: bool, **how) -> httpx2.Response:
            client = voter if known else nobody
            answer = await client.request(method, path, **how)
            nobody.cookies.clear()
            return answer

        yield ask, [(method.upper(), path) for path, methods in openapi_paths(app).items() for method in methods]


async def test_a_control_character_in_a_path_leads_nowhere_on_any_database(asked):
    ask, operations = asked
    paths = [(method, path) for method, path in operations if "{" in path]
    assert len(paths) > 40
    for number, ((method, path), odd) in enumerate(product(paths, CONTROL)):
        answer = await ask(method, re.sub(r"\{\w+\}", odd, path), known=bool(number % 2))
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), (method, path, odd)
    for path in (
        "/%00",
        "/shared%00",
        "/api/v1/models/red-7b%00",
        "/log/%00",
        "/arena/%0a/core.js",
        "/api%00/v1/models",
    ):
        assert (await ask("GET", path, known=False)).status_code == 404, path


async def test_an_odd_path_is_never_an_error_of_the_arena_s_own(asked):
    ask, operations = asked
    paths = [(method, path) for method, path in operations if "{" in path]
    for number, ((method, path), odd) in enumerate(product(paths, ODD)):
        answer = await ask(method, re.sub(r"\{\w+\}", odd, path), known=bool(number % 2))
        assert answer.status_code < 500, (method, path, odd, answer.text)


async def test_odd_queries_cookies_and_texts_are_never_an_error_of_the_arena_s_own(asked):
    ask, operations = asked
    for number, ((method, path), odd) in enumerate(product(operations, ("%00", "%FF", "%ED%A0%80"))):
        if "stream" in path or method != "GET":
            continue
        query = "&".join(
            f"{name}={odd}" for name in ("category", "language", "status", "after", "search", "area", "set")
        )
        answer = await ask(method, re.sub(r"\{\w+\}", "1", path) + f"?{query}", known=bool(number % 2))
        assert answer.status_code < 500, (path, odd, answer.text)
    for text in ("\x00", "a\x00b", "\ud800", "\uffff"):
        for path, body in (
            ("battles", {"prompt": text}),
            ("battles", {"prompt": "Hello", "images": [text]}),
            ("chats", {"prompt": "Hello", "models": [text]}),
            ("owners", {"name": text, "contact": text}),
            ("annotate/1/items/1", {"said": {"outcome": text}}),
        ):
            answer = await ask(
                "PUT" if "annotate" in path else "POST",
                f"/api/v1/{path}",
                known=True,
                content=json.dumps(body),
                headers=JSON,
            )
            assert answer.status_code < 500, (path, body, answer.text)
    for cookie in ("arena_voter=\x00.\x00", 'arena_voter="\\000.x"', "arena_voter=%00.%00"):
        answer = await ask("GET", "/api/v1/battles/1", known=False, headers={"Cookie": cookie})
        assert answer.status_code == 404
