"""Parts of the owners' page, which the server renders for whoever has signed in: read without a browser."""

from __future__ import annotations

import json
import re

import pytest
from fastapi import FastAPI

from arena.domain.schemas.discovery import DiscoveryView
from arena_frontend.api_reader import ask

from .fake_owners import OPERATOR_KEY, FakeOwners

pytestmark = pytest.mark.owners
PART = "/api/v1/owners/part"


@pytest.fixture
def owners() -> FakeOwners:
    owners = FakeOwners(signed_up=True)
    owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron-7b")
    return owners


@pytest.fixture
def app(app: FastAPI, pages) -> FastAPI:
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
    assert (status, owners.requests[-1][2]) == (200, sent)
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


async def test_the_api_counts_whoever_asks_for_a_part_and_not_this_machine(app, pages, monkeypatch):
    monkeypatch.setattr(pages, "_branding", None)  # which would be asked for too, of this machine
    hosts = list[str]()

    async def counting(scope, receive, send):
        hosts.append(scope["client"][0])
        await app(scope, receive, send)

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        pass

    asked = {"type": "http", "method": "GET", "path": "/api/v1/operator/part", "query_string": b"view="}
    wrong = [(b"authorization", b"Bearer wrong")]
    await pages({**asked, "headers": wrong, "client": ("203.0.113.9", 5), "app": counting}, receive, send)
    assert hosts == ["203.0.113.9"]


async def test_no_number_of_acts_is_too_large_to_be_read(app):
    for acts in ("9" * 5000, "٣", "-1", "x"):
        status, _, _ = await ask(app, f"/api/v1/operator/part?view=&acts={acts}", bearer=f"Bearer {OPERATOR_KEY}")
        assert status == 200


async def test_a_model_of_a_batch_is_read_once_however_often_it_is_named(app):
    _, _, body = await part(app, "progress-0." + ".".join(["1"] * 100))
    assert body.count('id="progress-1"') == 1


@pytest.mark.parametrize(
    ("stated", "confirmed", "acts"),
    [(False, False, ["confirm", "refuse"]), (True, False, ["back"]), (True, True, ["back"])],
)
async def test_a_statement_on_the_same_weights_has_the_acts_that_are_open_to_this_owner(
    app, owners, stated, confirmed, acts
):
    endpoint = owners.endpoints[1]
    other = {"model": "other 7b/x", "stated": stated, "confirmed": confirmed}
    endpoint |= {"state": "active", "listed": True, "same_as": [other]}
    _, _, body = await part(app, "endpoint-1")
    row = body.split('id="same-as-list"')[1].split("</li>")[0]
    assert re.findall(r'data-name="(\w+)"', row) == acts
    methods = {"confirm": "PUT", "refuse": "DELETE", "back": "DELETE"}
    sent = [f"{methods[act]} /endpoints/1/same-as/other%207b/x" for act in acts]
    assert re.findall(r'data-send="([^"]+)"', row) == sent
    endpoint["state"] = "pending"
    assert "same-as-list" not in (await part(app, "endpoint-1"))[2]
