from __future__ import annotations

import json

import httpx2
import pytest

ORIGIN = "http://arena.test"


@pytest.fixture
async def client(app):
    """A browser's tab: keeps its cookie."""
    transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        yield client


def events(text: str) -> list[tuple[str, dict]]:
    """Parse a whole stream into (event, data)."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "event" in fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


@pytest.fixture
def finish(client):
    """Open a battle and follow it to its end."""

    async def finish(prompt: str = "Hello") -> str:
        battle_id = (await client.post("/api/v1/battles", json={"prompt": prompt})).json()["id"]
        await client.get(f"/api/v1/battles/{battle_id}/stream")
        return battle_id

    return finish
