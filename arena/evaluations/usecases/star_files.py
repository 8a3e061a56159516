"""Converter of LLMEval's published stars to rows of the importer.

LLMEval-1 has a row for each criterion of an answer, LLMEval-2 a dialogue with all its stars. Other rows are unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, cast

from arena.adapters.row_files.rows import Unusable, shown
from arena.domain.terms import JsonObject

Row = tuple[int, object]

PUBLISHED: Final = "published"
"""The annotator of stars in a file without annotators."""
_CRITERIA: Final = {"logicality": "logic", "explanation correctness": "explanation"}
"""Names of LLMEval's criteria that differ here."""

_Key = tuple[str, str, str]
"""Question, model and annotator of an answer's stars."""


_NO_TEAM: Final = frozenset({"", "-1"})
"""Types of users that name no team: LLMEval-1's published file has -1 in every row."""


def plain_rows(rows: Iterable[Row], annotator: str) -> Iterator[Row]:
    """Published stars as rows of answers and annotations, those of LLMEval-2 by this annotator."""
    parts: dict[_Key, tuple[int, JsonObject]] = {}
    for line, value in rows:
        row = cast("JsonObject", value) if isinstance(value, dict) else {}
        if {"question_uuid", "llm_name", "metric"} <= row.keys():
            yield from _join(line, row, parts)
        elif {"question_uuid", "llm_name", "dialog"} <= row.keys():
            yield from _dialogue(line, row, annotator)
        else:
            yield line, value
    for (question, model, person), (line, stars) in parts.items():
        yield line, {"question": question, "model": model, "annotator": person, **stars}


def _join(line: int, row: Mapping[str, object], parts: dict[_Key, tuple[int, dict[str, object]]]) -> Iterator[Row]:
    """Add one star to those of its answer; yield an Unusable if another one differs."""
    key = str(row["question_uuid"]), str(row["llm_name"]), str(row.get("user_id", PUBLISHED))
    criterion, score = _criterion(row["metric"]), row.get("score")
    kind = str(row.get("user_type") or "").strip()
    team: dict[str, object] = {} if kind in _NO_TEAM else {"team": kind}
    previous = parts.setdefault(key, (line, team))[1].setdefault(criterion, score)
    if previous != score:
        answer = f"{key[1]} on {key[0]}"
        yield (
            line,
            Unusable(f"{criterion}: {key[2]} gave {answer} {shown(previous)} before and {shown(score)} now"),
        )


def _dialogue(line: int, row: Mapping[str, object], annotator: str) -> Iterator[Row]:
    facts = {"question": row["question_uuid"], "model": row["llm_name"]}
    messages = cast("list[Any]", row["dialog"] if isinstance(row["dialog"], list) else [])
    objects = [cast("dict[str, object]", message) for message in messages if isinstance(message, dict)]
    # A few published answers are true instead of "True".
    yield (
        line,
        {**facts, "answers": [str(message.get("content")) for message in objects if message.get("role") == "llm"]},
    )
    if "stars" in row:
        stars = cast("JsonObject", row["stars"] if isinstance(row["stars"], dict) else {})
        yield line, {**facts, "annotator": annotator, **{_criterion(name): score for name, score in stars.items()}}


def _criterion(name: object) -> str:
    key = str(name).strip().casefold()
    return _CRITERIA.get(key, key)
