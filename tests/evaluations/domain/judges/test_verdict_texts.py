"""Texts in all forms in which judges write, in two languages: no wrong side, and nearly all that can be read are."""

from __future__ import annotations

import re
from pathlib import Path

from arena.evaluations.domain.judges.judge_scores import score, stars
from arena.evaluations.domain.judges.verdicts import pair_verdict

CONTENT = Path(__file__).with_name("verdict_texts.txt").read_text("utf-8")
HEAD = re.compile(r"(?m)^## (pair|score|stars) (.+)\n")
CRITERIA = {"accuracy": (1, 3), "fluency": (1, 3)}


def read(form: str, text: str) -> str:
    if form == "pair":
        verdict = pair_verdict(text)
        return str(verdict.outcome) if verdict else "none"
    if form == "score":
        return str(score(text, 1, 10)).lower()
    points = stars(text, CRITERIA)
    return " ".join(str(points[name]) for name in CRITERIA) if points else "none"


def test_no_text_is_read_wrongly_and_95_of_100_readable_ones_are_read():
    _, *parts = HEAD.split(CONTENT)
    texts = [*zip(parts[::3], parts[1::3], parts[2::3], strict=True)]
    results = [(text, right, read(form, text)) for form, right, text in texts]
    assert [entry for entry in results if entry[2] not in ("none", entry[1])] == []
    readable = [entry for entry in results if entry[1] != "none"]
    assert min(len(texts), len(readable)) >= 200
    assert sum(result != "none" for _, _, result in readable) >= 0.95 * len(readable)
