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
    """The arena's server and its port."""

    port: int = 0


@asynccontextmanager
async def serving(app: FastAPI) -> AsyncIterator[PortServer]:
    """Run the arena's server on a free port."""
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
    """In every test: openapi.json lists each error that a route raises, by status and code."""
    unnamed: list[tuple[str, str, str]] = []
    answer = problems._ours

    def noted(request, error):
        paths, path = openapi_paths(request.app), getattr(request.scope.get("route"), "path", "")
        # The path of a route lacks the prefix of its router and includes converters.
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
    """The paths of openapi.json, computed once for all applications with the same routes."""
    routes = frozenset(getattr(route, "path", "") for route in app.routes)
    with DESCRIBING:  # errors are handled in threads
        if routes not in PATHS_BY_ROUTES:
            PATHS_BY_ROUTES[routes] = app.openapi()["paths"]
    return PATHS_BY_ROUTES[routes]


def codes(operation: dict, status: int) -> set[str]:
    """Codes of the problems that an operation may return with this status."""
    content = operation["responses"].get(str(status), {}).get("content", {})
    schema = content.get("application/problem+json", {}).get("schema")
    return set(schema["allOf"][1]["properties"]["code"]["enum"]) if schema else set()


@pytest.fixture
async def client(app):
    """A client that keeps its cookies."""
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
    """Open a battle and read its stream to the end; the default prompt is unique, so that the vote counts."""
    numbers = count(1)

    async def finish(prompt: str = "") -> str:
        body = {"prompt": prompt or f"Hello {next(numbers)}"}
        battle_id = (await client.post("/api/v1/battles", json=body)).json()["id"]
        await client.get(f"/api/v1/battles/{battle_id}/stream")
        return battle_id

    return finish
