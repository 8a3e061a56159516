from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import count

import httpx2
import pytest
from fastapi import FastAPI

from arena.adapters.store.engine.joined_writes import JoinedWrites
from arena.api.http import problems
from arena.api.http.server import Server, Startup, listen
from arena.api.http.voter_cookie import Cookies
from arena.serving.composition import whole_app
from arena.usecases.battles.runtime import Runtime
from arena.usecases.endpoints.ownership import OwnerRules
from tests.conftest import ORIGIN

OPERATOR_KEY = "k" * 40
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
def acts_are_one_transaction(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In every test: what an operator's act writes is one transaction, so that a recorded act was done as a whole."""
    later: list[str] = []
    write = JoinedWrites.write

    async def noted(self, work, *args, **rest):
        if self.joined:
            later.append(work.__qualname__)
        return await write(self, work, *args, **rest)

    monkeypatch.setattr(JoinedWrites, "write", noted)
    yield
    assert not later


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
def operated_app(runtime: Runtime) -> FastAPI:
    """The application of an arena with an operator."""
    return whole_app(runtime, Cookies(b"a secret of the tests"), rules=OwnerRules(operator_key=OPERATOR_KEY))


@pytest.fixture
async def operator(operated_app: FastAPI) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of `/api/v1` that sends the operator's key."""
    transport, headers = httpx2.ASGITransport(operated_app), {"Authorization": f"Bearer {OPERATOR_KEY}"}
    async with httpx2.AsyncClient(transport=transport, base_url=f"{ORIGIN}/api/v1", headers=headers) as client:
        yield client


async def until(condition: Callable[[], bool]) -> None:
    """Poll a condition until it is true."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.02)


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
