"""Rates of personal data found and of clean texts touched, on texts written as people write to chat models.

`planted` and `clean` are by somebody who had not read the detectors, and were committed before these were extended;
`other_spellings` and `lookalikes` are by those who extended them.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from arena.domain.privacy.personal_data import find_kind

FOLDER = Path(__file__).parent
LEAST = 0.95
"""Share of planted texts that are found, at least."""


def texts(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("name", ["planted", "other_spellings"])
def test_planted_personal_data_are_found(name):
    planted = texts(name)
    missed = Counter(text["kind"] for text in planted if find_kind(text["text"]) is None)
    assert len(planted) >= 80
    assert sum(text["language"].startswith("zh") for text in planted) >= len(planted) / 3
    assert 1 - missed.total() / len(planted) >= LEAST, missed


@pytest.mark.parametrize("name", ["clean", "lookalikes"])
def test_of_clean_texts_at_most_one_percent_are_touched(name):
    clean = texts(name)
    touched = [text["text"] for text in clean if find_kind(text["text"]) is not None]
    assert len(touched) <= 0.01 * len(clean), touched
