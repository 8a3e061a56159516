"""No parameter and no field of any call reaches a database that would fail over it, whoever makes the call.

The daily run asks each call as the operator with a voter's cookie, with the values that must be refused and the least
number that is too large, on PostgreSQL, which fails over most. All values, as nobody and with each kind of key, and
SQLite are `uv run pytest -n 0 -m heavy tests/api/test_hostile_values.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.api.hostile_calls import Call, calls
from tests.api.populated import OPERATOR_KEY, WIDE, Populated, populate
from tests.processes import PATIENCE, Process

FEWEST = 1_200
"""Calls of the small run at least."""


@pytest.fixture
def arena(url: str, tmp_path: Path) -> Iterator[Process]:
    places = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_DATABASE_URL": url}
    process = Process(tmp_path, "serve", "--no-worker", **places, **WIDE)
    try:
        yield process.start()
    finally:
        process.remove()


def callers(told: Populated) -> dict[str, dict[str, str]]:
    """The headers of each kind of caller."""
    return {
        "nobody": {},
        "voter": {"Cookie": f"arena_voter={told.cookie}"},
        "owner": {"Authorization": f"Bearer {told.owner_key}"},
        "operator": {"Authorization": f"Bearer {OPERATOR_KEY}"},
    }


def status(client: httpx2.Client, call: Call, headers: dict[str, str]) -> int:
    """The status of the answer to a call, of which only the head is read: some streams do not end."""
    sent = {"Content-Type": "application/json", **headers}
    sent |= {name: value.encode("latin-1") for name, value in call.headers.items()}
    with client.stream(call.method, call.path, content=call.content, headers=sent) as answer:
        return answer.status_code


SMALL = pytest.param("postgresql", False, id="postgresql-small")
WHOLE = [pytest.param(kind, True, id=f"{kind}-whole", marks=pytest.mark.heavy) for kind in ("sqlite", "postgresql")]


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize(("url", "whole"), [SMALL, *WHOLE], indirect=["url"])
def test_what_no_database_takes_is_refused_in_every_parameter_and_field(arena: Process, *, whole: bool) -> None:
    told = populate(arena)
    contract = arena.get("/api/v1/openapi.json").json()
    made = [call for call in calls(contract, told.ids) if whole or call.is_unstorable or str(call.odd) == str(2**31)]
    kinds = callers(told)
    kinds = kinds if whole else {"operator": kinds["voter"] | kinds["operator"]}
    assert len(made) * len(kinds) >= FEWEST
    wrong = []
    with httpx2.Client(base_url=arena.url, timeout=PATIENCE) as client:
        for call in made:
            for kind, headers in kinds.items():
                answered = status(client, call, headers)
                if answered >= 500 or (call.is_unstorable and not 400 <= answered < 500):
                    wrong.append((answered, call.method, call.path[:100], call.place, str(call.odd)[:20], kind))
    assert not wrong, "\n".join(map(repr, wrong))
    log = arena.log.read_text()
    assert "ERROR" not in log
    assert "Traceback" not in log
