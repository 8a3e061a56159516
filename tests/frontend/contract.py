"""Checks that the fake servers of the browser tests follow openapi.json of the real API.

Every answer under /api/v1 must belong to an existing operation and status, and its body must fit that status's schema,
which lists the codes of problems. Events of a stream must have the names and fields of `arena.domain.schemas`. Each
violation is recorded, and the fixture that serves the pages fails the test.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, Final

from jsonschema import Draft202012Validator
from pydantic import ValidationError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.adapters.limits import Allowance, MemoryLimits
from arena.adapters.store.engine import open_database
from arena.api.http.voter_cookie import Cookies
from arena.calls.targets import Keys
from arena.domain.http_documents import PARTS
from arena.domain.schemas.base import Wire
from arena.domain.schemas.battles import (
    BlocksEvent,
    ClosingEvent,
    DeltaEvent,
    SideDoneEvent,
    TurnFailedEvent,
    TurnReadyEvent,
)
from arena.serving.composition import whole_app
from arena.usecases.battles.runtime import Runtime
from arena.usecases.endpoints.ownership import OwnerRules
from tests.conftest import START

EVENTS: Final[dict[str, type[Wire]]] = {
    "delta": DeltaEvent,
    "blocks": BlocksEvent,
    "side_done": SideDoneEvent,
    "turn_ready": TurnReadyEvent,
    "turn_failed": TurnFailedEvent,
    "closing": ClosingEvent,
}
STREAM: Final = "text/event-stream"
PROBLEM: Final = "application/problem+json"


@cache
def contract() -> dict[str, Any]:
    """openapi.json of an arena with an operator; the database is never opened."""
    database = open_database("sqlite:///nowhere/arena.db")
    limits = MemoryLimits(Allowance(), lambda: 0.0)
    runtime = Runtime(database=database, providers={}, limits=limits, keys=Keys({}.get), now=lambda: START)
    described = whole_app(runtime, Cookies(b"a secret of the tests"), rules=OwnerRules(operator_key="k" * 40)).openapi()
    database.close()
    return described


@cache
def templates() -> list[tuple[re.Pattern[str], str]]:
    """A regular expression for every path, those with fewest parameters first; a name may contain slashes."""
    paths = sorted(contract()["paths"], key=lambda path: (path.count("{"), -len(path)))
    slashed = {path: re.sub(r"\{\w+\}", "[^/]+", path.replace("{name}", ".+")) for path in paths}
    return [(re.compile(pattern), path) for path, pattern in slashed.items()]


def answers(method: str, path: str) -> dict[str, Any] | None:
    """The documented responses for a request by status, or None for an unknown operation."""
    for pattern, template in templates():
        operation = contract()["paths"][template].get(method.lower())
        if operation and pattern.fullmatch(path):
            return operation["responses"]
    return None


@lru_cache(maxsize=4096)
def faults(method: str, path: str, status: int, kind: str, body: bytes) -> Sequence[str]:
    """Violations of the contract in an answer; most answers of a fake are those of the test before."""
    responses = answers(method, path)
    if responses is None or str(status) not in responses:
        return [f"no such operation, or {status} is not among its {sorted(responses or {})}"]
    content = responses[str(status)].get("content", {})
    if kind not in content:
        return [f"{kind} is not among {sorted(content)}"] if content or body else []
    if kind == STREAM:
        return [fault for event in body.decode().split("\n\n") for fault in event_faults(event)]
    return json_faults(content[kind]["schema"], body) if kind.endswith("json") else []


def json_faults(schema: dict[str, Any], body: bytes) -> list[str]:
    """Violations of a schema in a JSON body."""
    whole = Draft202012Validator(schema | {"components": contract()["components"]})
    return [f"{error.json_path}: {error.message[:300]}" for error in whole.iter_errors(json.loads(body))]


def event_faults(event: str) -> list[str]:
    """Violations of the contract in one event of a stream."""
    lines = dict(line.split(": ", 1) for line in event.splitlines() if not line.startswith(":"))
    if not lines:
        return []
    name, data = lines.get("event", ""), lines.get("data", "")
    try:
        EVENTS[name].model_validate_json(data, extra="forbid")
    except (KeyError, ValidationError) as error:
        return [f"{name}: {error}"]
    return []


@dataclass
class ContractCheck:
    """Wraps an application and records violations of the contract in its answers."""

    app: ASGIApp
    violations: list[str] = field(default_factory=list)
    checked_answers: int = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/api/v1") or scope["path"] in PARTS:
            await self.app(scope, receive, send)
            return
        head: Message = {}
        body = bytearray()

        async def hear(message: Message) -> None:
            if message["type"] == "http.response.start":
                head.update(message)
            else:
                body.extend(message.get("body", b""))
                if not message.get("more_body"):
                    self.judge(scope, head, bytes(body))
            await send(message)

        await self.app(scope, receive, hear)

    def judge(self, scope: Scope, head: Message, body: bytes) -> None:
        self.checked_answers += 1
        headers = {name.decode().lower(): value.decode() for name, value in head["headers"]}
        kind = headers.get("content-type", "").split(";")[0]
        answer_faults = faults(scope["method"], scope["path"], head["status"], kind, body)
        self.violations += [f"{scope['method']} {scope['path']} {head['status']}: {fault}" for fault in answer_faults]
