from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from arena.usecases.exchange.imported_votes import ColumnNames
from tests.paths import ROOT

CUT = ROOT / "tests" / "fixtures" / "llmfao_200.csv"
COLUMNS = ColumnNames("left", "right", "winner", "worker")


def whole() -> Path:
    """All votes of the cut's source, where they are at hand."""
    path = Path(os.environ.get("ARENA_TEST_LLMFAO") or ROOT.parent / "shared" / "data" / "llmfao_votes.csv")
    if not path.is_file():
        pytest.skip("the 8,931 votes of LLMFAO are not here; ARENA_TEST_LLMFAO may say where they are")
    return path


def own(**changes) -> dict:
    """A row of our own format."""
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


def battle(**changes) -> dict:
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
