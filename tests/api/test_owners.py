"""Owners over HTTP: sign up, be known by a key, change it, give it up."""

from __future__ import annotations

import asyncio

import httpx2
import pytest

from arena.api.app import create_app
from arena.api.voter import Cookies
from arena.endpoints import OwnerRules
from tests.api.conftest import ORIGIN

NEWCOMER = {"name": "Acme Labs", "contact": "models@acme.example"}


@pytest.fixture
def under(stage):
    """A client of an arena with these rules."""

    def under(**rules) -> httpx2.AsyncClient:
        app = create_app(stage, Cookies(b"a secret of the tests"), rules=OwnerRules(**rules))
        return httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=ORIGIN)

    return under


@pytest.fixture
async def key(client) -> str:
    return (await client.post("/api/v1/owners", json=NEWCOMER)).json()["key"]


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


async def test_signing_up_gives_a_key_once_and_the_key_knows_its_owner(client):
    signed_up = await client.post("/api/v1/owners", json=NEWCOMER)
    assert signed_up.status_code == 201
    assert signed_up.headers["Cache-Control"] == "no-store"
    made = signed_up.json()
    me = await client.get("/api/v1/owners/me", headers=bearer(made["key"]))
    assert me.headers["Cache-Control"] == "no-store"
    assert me.json() | {"key_made_at": "…"} == {
        "id": made["id"],
        "name": "Acme Labs",
        "contact": "models@acme.example",
        "key_made_at": "…",
        "endpoints": [],
    }
    assert made["key"] not in me.text
