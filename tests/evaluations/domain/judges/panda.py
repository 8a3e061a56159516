"""PandaLM's test set: pairs judged by three people each, by PandaLM-7B and by GPT-3.5, with the judges' texts."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest

from arena.domain.terms import Outcome
from tests.rating.logs import full_data

WORDS = {"1": Outcome.A, "2": Outcome.B, "0": Outcome.TIE, "Tie": Outcome.TIE}
CODES = {Outcome.A: 0, Outcome.B: 1, Outcome.TIE: 2, None: -1}


def rows(name: str) -> list[dict[str, Any]]:
    path = full_data() / "pandalm" / name
    if not path.is_file():
        pytest.skip("the whole PandaLM test set is not here; ARENA_TEST_DATA may name its folder")
    return json.loads(path.read_text(encoding="utf-8"))


def judge_texts(judge: str, key: str) -> list[tuple[str, Outcome | None]]:
    """What the judge wrote, in the form in which PandaLM writes, and the verdict that the file has for it."""
    return [
        (
            f"{row[f'{key}_result']}\n\n### Reason: {row[f'{key}_reason']}\n\n### Reference: {row[f'{key}_reference']}",
            WORDS.get(str(row[f"{key}_result"])),
        )
        for row in rows(f"{judge}-testset-v1.json")
    ]


def majority_of_people() -> np.ndarray:
    """Codes of what at least two of three people said of each pair."""
    counts = [Counter(row[f"annotator{person}"] for person in (1, 2, 3)) for row in rows("testset-v1.json")]
    return np.array([CODES[WORDS[str(votes.most_common(1)[0][0])]] for votes in counts])


def longer_by() -> np.ndarray:
    """Length of the first answer minus that of the second; a few answers are the word true, read as a value."""
    return np.array([len(str(row["response1"])) - len(str(row["response2"])) for row in rows("testset-v1.json")])


def codes(outcomes) -> np.ndarray:
    return np.array([CODES[outcome] for outcome in outcomes])
