from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from arena.usecases.exchange.imported_votes import ColumnNames
from tests.paths import ROOT

SAMPLE = ROOT / "tests" / "fixtures" / "llmfao_200.csv"
COLUMNS = ColumnNames("left", "right", "winner", "worker")


def all_votes() -> Path:
    """The file with all votes of the sample's source; skips the test if it is not there."""
    path = Path(os.environ.get("ARENA_TEST_LLMFAO") or ROOT.parent / "shared" / "data" / "llmfao_votes.csv")
    if not path.is_file():
        pytest.skip("the 8,931 votes of LLMFAO are not here; ARENA_TEST_LLMFAO may say where they are")
    return path


def own_row(**changes) -> dict:
    """A row of the arena's own format."""
    row = {
        "format": "arena-vote",
        "version": 1,
        "id": "one",
        "number": 1,
        "a": "red-7b",
        "b": "blue-7b",
        "outcome": "a",
        "voter": "somebody",
        "language": "en",
        "category": None,
        "turns": 2,
        "seconds": 3.5,
        "created_at": "2026-01-01",
        "counted": True,
        "reason": None,
    }
    return {**row, **changes}


def battle_row(**changes) -> dict:
    """A row of Chatbot Arena's battles."""
    row = {
        "question_id": "q1",
        "model_a": "red-7b",
        "model_b": "blue-7b",
        "winner": "model_a",
        "judge": "arena_user_1",
        "conversation_a": [{"role": "user", "content": 'Say ] and " and {'}],
        "turn": 1,
        "anony": True,
        "language": "English",
        "tstamp": 1682351591.13,
    }
    return {**row, **changes}


def write(path: Path, content: str | bytes | list) -> Path:
    """Text, bytes, or rows as JSON lines."""
    if isinstance(content, list):
        content = "".join(json.dumps(row) + "\n" for row in content)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def feedback_row(number: int = 1, **changes) -> dict:
    """A feedback as Open WebUI exports it; `changes` that are no field of it are fields of its `data`."""
    data = {"rating": 1, "model_id": "red-7b", "sibling_model_ids": ["blue-7b"], "reason": None, "comment": "fine"}
    row = {
        "id": f"00000000-0000-4000-8000-{number:012}",
        "user_id": "somebody",
        "version": 0,
        "type": "rating",
        "data": data,
        "meta": {"arena": True, "chat_id": "c1", "message_id": "m1", "message_index": 2, "base_models": {}},
        "snapshot": {"chat": {"title": "Say ] and , and {", "chat": {"messages": []}}},
        "created_at": 1_735_689_600 + number,
        "updated_at": 1_735_689_600 + number,
    }
    for name, value in changes.items():
        (row if name in row else data)[name] = value
    return row


def export(rows: list[dict]) -> str:
    """Feedback as Open WebUI writes it: newest change first, all on one line."""
    return json.dumps(sorted(rows, key=lambda row: row["updated_at"], reverse=True), separators=(",", ":"))
