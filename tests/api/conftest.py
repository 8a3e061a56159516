from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import count

import httpx2
import pytest
from fastapi import FastAPI

from arena.api.http import problems
from arena.api.http.server import Server, Startup, listen

ORIGIN = "http://arena.test"
PATIENCE = 120


class PortServer(Server):
    """The arena's own server, and the port on which it listens."""

    port: int = 0


@asynccontextmanager
async def serving(app: FastAPI) -> AsyncIterator[PortServer]:
    """The arena's own server, whose `port` is free, until the end of the block."""
    startup = Startup(app)
    startup.arena.set_result(app)
    with listen("127.0.0.1", 0) as listener:
        server = PortServer(startup, [listener], grace=0)
        task = asyncio.create_task(server.run_until_stopped())
        server.port = listener.getsockname()[1]
        yield server
        server.stop()
        await asyncio.wait_for(task, PATIENCE)


@pytest.fixture(autouse=True)
def errors_are_declared(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever a test is about: openapi.json names each error that a route raises in it, by status and code."""
    unnamed: list[tuple[str, str, str]] = []
    answer = problems._ours

    def noted(request, error):
        paths, path = openapi_paths(request.app), getattr(request.scope.get("route"), "path", "")
        # A route knows its path without the prefix under which it was included, and with its converters.
        path = path.replace(":path}", "}")
        operation = (paths.get(f"/api/v1{path}") or paths[path])[request.method.lower()]
        if error.code not in codes(operation, error.status):
            unnamed.append((request.method, path, error.code))
        return answer(request, error)

    monkeypatch.setattr(problems, "_ours", noted)
    yield
    assert not unnamed


PATHS_BY_ROUTES: dict[frozenset[str], dict] = {}
DESCRIBING = threading.Lock()


def openapi_paths(app: FastAPI) -> dict:
    """The paths of its openapi.json, written once for all apps with the same routes."""
    routes = frozenset(getattr(route, "path", "") for route in app.routes)
    with DESCRIBING:  # errors are handled in threads
        if routes not in PATHS_BY_ROUTES:
            PATHS_BY_ROUTES[routes] = app.openapi()["paths"]
    return PATHS_BY_ROUTES[routes]


def codes(operation: dict, status: int) -> set[str]:
    """What a call may be refused with by this status."""
    content = operation["responses"].get(str(status), {}).get("content", {})
    schema = content.get("application/problem+json", {}).get("schema")
    return set(schema["allOf"][1]["properties"]["code"]["enum"]) if schema else set()


@pytest.fixture
async def client(app):
    """A browser's tab: keeps its cookie."""
    transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        yield client


def events(text: str) -> list[tuple[str, dict]]:
    """Parse a whole stream into (event, data)."""
    pairs = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "event" in fields:
            pairs.append((fields["event"], json.loads(fields["data"])))
    return pairs


@pytest.fixture
def finish(client):
    """Open a battle and follow it to its end; without a prompt it is a new one, so that its vote counts."""
    numbers = count(1)

    async def finish(prompt: str = "") -> str:
        body = {"prompt": prompt or f"Hello {next(numbers)}"}
        battle_id = (await client.post("/api/v1/battles", json=body)).json()["id"]
        await client.get(f"/api/v1/battles/{battle_id}/stream")
        return battle_id

    return finish
