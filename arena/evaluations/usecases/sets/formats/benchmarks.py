"""Benchmarks as JSON: MT-bench, Arena-Hard, AlignBench, HumanRankEval and LLMEval-2."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from arena.adapters.row_files.rows import Unusable, mapping, shown
from arena.domain.terms import JsonObject
from arena.evaluations.usecases.sets.formats.fields import (
    Fields,
    Row,
    list_of,
    name_by_content,
    parse_rows,
    require,
    text,
)

RANKED: Final = 4
LEAST_VOTES: Final = 5
LEAST_VOTERS: Final = 40
LONGEST_PAIR: Final = 4_000
"""HumanRankEval's bounds: answers of a question, votes of an answer and of these answers, characters of a pair."""
_NUMBERED: Final = re.compile(r"_\d+\Z|\A[^_]*\Z")
"""The number at the end of an id, or a whole id without an underscore."""
_SUFFIX: Final = re.compile(r"(?i:[_ -](?:data|human|gpt|score)){1,9}\Z")
"""Suffixes in the name of a file that are not part of its subject."""


def mt_bench(row: JsonObject) -> Fields:
    """A row of MT-bench: id, category, turns, and the references of the turns if there are any."""
    references: list[object] = row["reference"] if isinstance(row.get("reference"), list) else []
    texts = [reference for reference in references if isinstance(reference, str)]
    return {
        "id": require(row, "question_id"),
        "turns": [_turn(turn) for turn in list_of(row, "turns")],
        "category": text(row.get("category")),
        "reference": "\n\n".join(texts),
    }


def arena_hard(row: dict[str, object]) -> Fields:
    """A row of Arena-Hard: v2 has a prompt and a subcategory, v0.1 turns and a cluster."""
    if "prompt" in row:
        turns, task = [require(row, "prompt")], row.get("subcategory")
    else:
        turns, task = [_turn(turn) for turn in list_of(row, "turns")], row.get("cluster")
    name = text(row.get("uid")) or require(row, "question_id")
    return {"id": name, "turns": turns, "category": text(row.get("category")), "task": text(task)}


def align_bench(row: dict[str, object]) -> Fields:
    """A row of AlignBench: id, category, subcategory, question, reference; its evidences become the hint."""
    evidences = map(mapping, list_of(row, "evidences") if row.get("evidences") else [])
    quotes = [[text(entry.get(field)) for field in ("quote", "url")] for entry in evidences]
    return {
        "id": require(row, "question_id"),
        "turns": [require(row, "question")],
        "area": text(row.get("category")),
        "category": text(row.get("subcategory")),
        "reference": text(row.get("reference")),
        "hint": "\n\n".join("\n".join(filter(None, quote)) for quote in quotes),
    }


def human_rank_eval(row: dict[str, object], topic: str) -> Fields:
    """A row of HumanRankEval: a question and its answers with the votes that people gave them.

    Its rules (section 3.3): answers have five votes or more, question and answer up to 4,000 characters together; of
    answers with equal texts or votes only the first is used. The four with the most votes are used, if these have 40
    votes together.
    """
    question, answers, texts = require(row, "question"), dict[float, str](), set[str]()
    for answer in map(mapping, list_of(row, "answers")):
        text, votes = require(answer, "text"), _votes(answer)
        if votes >= LEAST_VOTES and len(question) + len(text) <= LONGEST_PAIR and text not in texts:
            texts.add(answers.setdefault(votes, text))
    ranking = sorted(answers, reverse=True)[:RANKED]
    if len(ranking) < RANKED or sum(ranking) < LEAST_VOTERS:
        raise Unusable(
            f"answers: {len(ranking)} of {RANKED} that can be ranked, with {sum(ranking):g} of {LEAST_VOTERS} votes",
            rule="form",
            column="answers",
        )
    return {
        "id": name_by_content(topic, question),
        "turns": [question],
        "category": topic,
        "answers": [{"text": text, "votes": votes} for votes, text in answers.items() if votes in ranking],
    }


def _votes(answer: dict[str, object]) -> float:
    try:
        return float(require(answer, "votes"))
    except ValueError:
        problem = f"votes: not a number: {shown(answer['votes'])}"
        raise Unusable(problem, rule="form", column="votes") from None


def _turn(turn: object) -> str:
    value = turn if isinstance(turn, str) else mapping(turn).get("content")
    if not isinstance(value, str):
        raise Unusable(f"turns: not a text: {shown(value)}", rule="form", column="turns")
    return value


def questions(rows: Iterable[Row], subject: str) -> Iterator[Row]:
    """Parse LLMEval-2: each question once, from the first model's dialogue.

    Its id names the area (`Law_12`), or else `subject`, the name of the file.
    """
    seen: set[str] = set()

    def parse(row: dict[str, object]) -> Fields | None:
        name = require(row, "question_uuid")
        if name in seen:
            return None
        fields = _fields(row, name, subject)
        seen.add(name)
        return fields

    return parse_rows(rows, parse)


def _fields(row: JsonObject, name: str, subject: str) -> Fields:
    dialog = [mapping(message) for message in list_of(row, "dialog")]
    return {
        "id": name,
        "turns": [require(message, "content") for message in dialog if message.get("role") == "user"],
        "area": (_NUMBERED.sub("", name) or _SUFFIX.sub("", subject)).replace("_", " "),
        "category": "objective" if row.get("type") == "A" else "subjective",
        "hint": text(row.get("hint")),
    }
