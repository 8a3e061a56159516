"""Rates on texts that were written by somebody who had not read the detectors."""

import json
from collections import Counter
from pathlib import Path

from arena.domain.privacy.personal_data import found

FOLDER = Path(__file__).parent
LEAST = 71 / 190
"""Share of planted texts that are found, at least."""


def texts(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()]


def test_planted_personal_data_are_found():
    planted = texts("planted")
    missed = Counter(text["kind"] for text in planted if found(text["text"]) is None)
    assert len(planted) >= 80
    assert sum(text["language"].startswith("zh") for text in planted) >= len(planted) / 3
    assert 1 - missed.total() / len(planted) >= LEAST, missed


def test_of_clean_texts_at_most_one_percent_are_touched():
    clean = texts("clean")
    touched = [text["text"] for text in clean if found(text["text"]) is not None]
    assert len(touched) <= 0.01 * len(clean), touched
