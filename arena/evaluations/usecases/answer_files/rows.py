"""Parsers of rows with answers: own rows, tables with a column for each model, Arena-Hard and MT-bench.

Arena-Hard 2 has the prompt among its messages; Arena-Hard 0.1 and MT-bench have the id of the question alone, so that
the file of questions has to come along (lmarena/arena-hard-auto, `gen_answer.py`; lm-sys/FastChat).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, cast

from arena.adapters.row_files.rows import Unusable, mapping
from arena.domain.errors import Invalid
from arena.evaluations.usecases.answer_files.entries import Entry, FileAnswer, Line, message_text, require_text
from arena.evaluations.usecases.sets.formats.fields import Fields, Row, list_of, require, text

PROMPTS: Final = ("prompt", "question")
"""Columns with the text of a question."""
FACTS: Final = frozenset({"id", "question_id", *PROMPTS, "area", "category", "task", "reference", "hint", "key"})
"""Columns of a table that are not models."""


def arena_hard(row: Mapping[str, object]) -> Entry:
    """Parse a row of Arena-Hard 2, with prompt and answer in the messages."""
    messages = {
        role: [entry for entry in map(mapping, list_of(row, "messages")) if entry.get("role") == role]
        for role in ("user", "assistant")
    }
    turns = [message_text(message.get("content"), "messages") for message in messages["user"]]
    texts = [message_text(message.get("content"), "messages") for message in messages["assistant"]]
    return Entry(require(row, "uid"), turns, [FileAnswer(require(row, "model"), texts)])


def fastchat(row: Mapping[str, object]) -> Entry:
    """A row of Arena-Hard 0.1 or MT-bench: the first choice, with a text for each turn."""
    choices = list_of(row, "choices")
    turns = list_of(mapping(choices[0]), "turns") if choices else []
    texts = [message_text(turn, "choices") for turn in turns]
    return Entry(require(row, "question_id"), [], [FileAnswer(require(row, "model_id"), texts)])


def native(row: Mapping[str, object]) -> Entry:
    """A row with `model`, `answer` (or `answers`), and `question`, the text or the id of a question."""
    parts = cast("list[object]", row["answers"]) if isinstance(row.get("answers"), list) else [row.get("answer")]
    return _entry(row, [FileAnswer(require(row, "model"), [require_text(part, "answer") for part in parts])])


def models_of(header: Iterable[str]) -> list[str]:
    """The columns of a table that are not about its questions."""
    return [name for name in header if name and name.casefold() not in FACTS]


def wide_rows(header: list[str], rows: Iterable[Row]) -> Iterator[Line]:
    """Parse a table whose columns are models, except those about the question.

    Raises:
        Invalid: There is no column for the question, or fewer than two for models.
    """
    models = models_of(header)
    if not set(PROMPTS) & set(header) or len(models) < 2:
        raise Invalid(
            "a table of finished answers has a column question and one for each of two or more models, or the columns "
            "question, model and answer; questions alone are answered by the models that --model names."
        )

    def parse(row: Mapping[str, Any]) -> Entry:
        return _entry(row, [FileAnswer(name, [row[name]]) for name in models if text(row.get(name)) is not None])

    return parse_rows(rows, parse)


def parse_rows(rows: Iterable[Row], parse: Callable[[dict[str, object]], Entry]) -> Iterator[Line]:
    """Parse rows; one that cannot be parsed becomes an `Unusable`."""
    for line, row in rows:
        try:
            yield line, parse(mapping(row))
        except Unusable as error:
            yield line, error


def _entry(row: Mapping[str, object], answers: list[FileAnswer]) -> Entry:
    prompt = next((row[name] for name in PROMPTS if text(row.get(name)) is not None), None)
    facts: Fields = {name: text(row.get(name)) for name in ("area", "category", "task", "reference", "hint")}
    name = text(row.get("id")) or text(row.get("question_id"))
    if prompt is None and name is None:
        raise Unusable("question: missing")
    return Entry(name, [] if prompt is None else [require_text(prompt, "question")], answers, facts)
