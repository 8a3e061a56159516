"""The check of the small servers notices what the real API would not say."""

from __future__ import annotations

import json

import pytest
from fastapi import FastAPI

from arena_frontend.api_reader import ask

from . import fake_api, fake_owners
from .contract import PROBLEM, answers, faults
from .fake_api import FakeArena
from .fake_owners import FakeOwners

JSON = "application/json"
STATUS = {"endpoints": 3, "votes": 0, "accepting": True, "terms": 0, "board": False}
REFUSED = {"type": "about:blank", "title": "No.", "status": 404, "code": "battle_not_found"}
BATTLE = "/api/v1/battles/one"


@pytest.mark.parametrize(
    ("method", "path", "status", "kind", "body"),
    [
        ("GET", "/api/v1/status", 200, JSON, STATUS),
        ("GET", BATTLE, 404, PROBLEM, REFUSED),
        ("DELETE", "/api/v1/me", 204, "", None),
        ("GET", f"{BATTLE}/stream", 200, "text/event-stream", 'event: delta\ndata: {"side": "a", "text": "x"}\n\n'),
    ],
)
def test_an_answer_of_the_contract_is_no_fault(method: str, path: str, status: int, kind: str, body: object) -> None:
    assert faults(method, path, status, kind, written(body)) == []


@pytest.mark.parametrize(
    ("method", "path", "status", "kind", "body"),
    [
        ("GET", "/api/v1/statuses", 200, JSON, STATUS),
        ("PUT", "/api/v1/status", 200, JSON, STATUS),
        ("GET", "/api/v1/status", 201, JSON, STATUS),
        ("GET", "/api/v1/status", 200, JSON, STATUS | {"votes": "many"}),
        ("GET", "/api/v1/status", 200, JSON, {}),
        ("GET", "/api/v1/status", 200, "text/plain", STATUS),
        ("GET", BATTLE, 404, PROBLEM, REFUSED | {"code": "invented"}),
        ("GET", BATTLE, 404, PROBLEM, REFUSED | {"code": "chat_not_found"}),
        ("DELETE", "/api/v1/me", 204, JSON, {}),
        ("GET", f"{BATTLE}/stream", 200, "text/event-stream", "event: delta\ndata: {}\n\n"),
        ("GET", f"{BATTLE}/stream", 200, "text/event-stream", "event: invented\ndata: {}\n\n"),
    ],
)
def test_an_answer_outside_the_contract_is_a_fault(
    method: str, path: str, status: int, kind: str, body: object
) -> None:
    assert faults(method, path, status, kind, written(body)) != []


def test_the_longest_path_without_blanks_is_the_one_meant() -> None:
    assert answers("GET", "/api/v1/leaderboard/style") is not answers("GET", "/api/v1/leaderboard")
    assert answers("GET", "/api/v1/models/quiet/newcomer") == answers("GET", "/api/v1/models/heron")


@pytest.mark.parametrize(
    "app", [fake_api.create(FakeArena()), fake_owners.create(FakeOwners())], ids=["voters", "owners"]
)
async def test_a_small_server_answers_what_every_page_reads(app: FastAPI) -> None:
    """Else the pages, which are mounted behind it, ask themselves until Python's stack is full."""
    status, _, _ = await ask(app, "/api/v1/site")
    assert status == 200


def written(body: object) -> bytes:
    return body.encode() if isinstance(body, str) else b"" if body is None else json.dumps(body).encode()
