"""Parts of the owners' page, which the server renders for whoever has signed in: read without a browser."""

from __future__ import annotations

import json

import pytest
from fastapi import FastAPI

from arena.domain.schemas.discovery import DiscoveryView
from arena_frontend.api_reader import ask

from .fake_owners import FakeOwners, create

PART = "/api/v1/owners/part"


@pytest.fixture
def owners() -> FakeOwners:
    owners = FakeOwners(signed_up=True)
    owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron-7b")
    return owners


@pytest.fixture
def app(owners: FakeOwners, pages) -> FastAPI:
    app = create(owners)
    app.mount("/", pages)
    return app


async def part(
    app: FastAPI, view: str = "", key: str = "arena_0001_first", sent: object = None
) -> tuple[int, dict[str, str], str]:
    bearer, body = f"Bearer {key}" if key else "", json.dumps(sent).encode() if sent else b""
    status, headers, answer = await ask(app, f"{PART}?view={view}", bearer=bearer, body=body)
    return status, headers, answer.decode()


async def test_a_part_is_for_the_key_that_came_with_the_request_and_is_kept_nowhere(app):
    status, headers, body = await part(app)
    assert (status, headers["cache-control"]) == (200, "private, no-store")
    assert "Heron" in body
    for key in ("", "arena_0009_other"):
        status, headers, body = await part(app, key=key)
        assert (status, headers["cache-control"]) == (401, "private, no-store")
        assert json.loads(body)["code"] == "bad_api_key"


async def test_a_part_is_no_document_of_its_own(app):
    _, _, body = await part(app)
    assert "<html" not in body
    assert "<script" not in body


@pytest.mark.parametrize(
    "view", ["nothing", "endpoint", "endpoint-x", "webhook-1", "../x", "-1", "models", "gate-1.2x"]
)
async def test_a_view_that_is_none_is_not_found(app, view):
    assert (await part(app, view))[0] == 404


async def test_a_part_is_in_the_language_of_its_page_and_sets_no_cookie(app):
    status, headers, body = await part(app, "&lang=zh")
    assert (status, "set-cookie" in headers) == (200, False)
    assert "你的模型" in body


async def test_a_part_of_what_was_posted_is_made_of_what_the_api_answers_to_it(app, owners):
    owners.offered = DiscoveryView(url="https://proxy.example/v1", models=[], gone=["plover"], twins=[], remarks=[])
    sent = {"url": "https://proxy.example"}
    status, _, body = await part(app, "models", sent=sent)
    assert (status, owners.asked[-1][2]) == (200, sent)
    assert "plover is registered" in body
    assert (await part(app, "models", key="", sent=sent))[0] == 401
    assert (await part(app, sent=sent))[0] == 404


async def test_markup_in_what_an_owner_has_typed_stays_text(app, owners):
    owners.endpoints[1] |= {
        "name": "<b>x</b>",
        "wire_model": "<i>",
        "licence": '"><script>',
        "pending": {"link": "<u>"},
    }
    for view in ("", "endpoint-1"):
        _, _, body = await part(app, view)
        assert not any(tag in body for tag in ("<b>x", "<i>", "<script", "<u>"))
        assert "&lt;b&gt;x" in body
