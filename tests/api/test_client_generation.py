"""A client generated from openapi.json opens a battle and votes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.generator import GENERATOR, PYTHON, is_available, run
from tests.processes import Process

pytestmark = pytest.mark.process

VOTER = """
import json, sys, time
from generated import Client
from generated.api.battles import get_battle, open_battle
from generated.api.votes import cast_vote
from generated.models import OpenRequest, Outcome, VoteRequest

with Client(base_url=sys.argv[1], timeout=60) as client:
    battle = open_battle.sync(client=client, body=OpenRequest(prompt="What is a river?"))
    while get_battle.sync(battle.id, client=client).turns[-1].state == "running":
        time.sleep(0.1)
    print(json.dumps(cast_vote.sync(battle.id, client=client, body=VoteRequest(outcome=Outcome.TIE)).to_dict()))
"""


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Process]:
    """The arena as a process, with its practice models."""
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_DEMO": "on", "ARENA_RELEASE_RATE": "100000"}
    door = Process(tmp_path, "serve", "--no-worker", **settings)
    yield door.start()
    door.remove()


USED = ("/api/v1/battles", "/api/v1/battles/{battle_id}", "/api/v1/battles/{battle_id}/vote")
REFERENCE = re.compile(r'"#/components/schemas/(\w+)"')


def part(contract: dict[str, Any]) -> dict[str, Any]:
    """A contract with the paths that the client uses and what they refer to."""
    schemas = contract["components"]["schemas"]
    paths = {path: contract["paths"][path] for path in USED}
    parts: dict[str, Any] = {}
    names = set(REFERENCE.findall(json.dumps(paths)))
    while names:
        name = names.pop()
        parts[name] = schemas[name]
        names |= set(REFERENCE.findall(json.dumps(schemas[name]))) - parts.keys()
    return {**contract, "paths": paths, "components": {**contract["components"], "schemas": parts}}


@pytest.fixture(params=["used", pytest.param("whole", marks=pytest.mark.heavy)])
def generated(request: pytest.FixtureRequest, arena: Process, tmp_path: Path) -> Path:
    """A folder in which the client is a package, written from a part of the contract or all of it."""
    if not is_available(tmp_path):
        pytest.skip("openapi-python-client is not at hand: uv run python -m tests.api.generator")
    contract = arena.get("/api/v1/openapi.json").json()
    (tmp_path / "openapi.json").write_text(json.dumps(contract if request.param == "whole" else part(contract)))
    # Nobody reads the client: its formatting would take half of the time.
    (tmp_path / "generator.yml").write_text("post_hooks: []")
    order = ("generate", "--path", "openapi.json", "--output-path", "generated", "--meta", "none")
    order += ("--config", "generator.yml")
    result = run(*GENERATOR, *order, where=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    # The generator skips JSON lines and images, and would drop one of two schemas with the same name.
    output = result.stdout + result.stderr
    unread = [line for line in output.splitlines() if "Cannot parse" in line]
    assert all(re.search("Unsupported content_type (application/jsonl|image/)", line) for line in unread), output
    assert "Unable to" not in output, output
    return tmp_path


@pytest.mark.sqlite
def test_a_generated_client_opens_a_battle_and_votes(generated: Path, arena: Process) -> None:
    (generated / "voter.py").write_text(VOTER)
    voted = run(*PYTHON, "voter.py", arena.url, where=generated)
    assert voted.returncode == 0, voted.stderr
    assert json.loads(voted.stdout)["outcome"] == "tie"
