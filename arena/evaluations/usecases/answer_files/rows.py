"""Parsers of rows with answers: own rows, tables with a column for each model, Arena-Hard and MT-bench.

Arena-Hard 2 has the prompt among its messages; Arena-Hard 0.1 and MT-bench have the id of the question alone, so that
the file of questions has to come along (lmarena/arena-hard-auto, `gen_answer.py`; lm-sys/FastChat).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, Final, cast

from arena.adapters.row_files.rows import Unusable, mapping, shown
from arena.domain.errors import Invalid
from arena.evaluations.usecases.answer_files.entries import Entry, FileAnswer, Line, message_text, require_text
from arena.evaluations.usecases.answer_files.usual_heads import fact_columns
from arena.evaluations.usecases.sets.formats.fields import Fields, Row, Unused, list_of, require, text

PROMPTS: Final = ("prompt", "question")
"""Columns with the text of a question."""
_GRADER: Final = "grader reason"
_RESULTS: Final = frozenset(
    {"status", "score", "named scores", _GRADER, "comment", "comments", "pass", "cost", "latency", "tokens", "rating"}
)
"""Names of columns of results, as promptfoo and spreadsheets of scores have them."""
_RESULT: Final = re.compile(r"(?i:pass|fail|error|true|false)|[01]?\.\d+|\{.*\}", re.DOTALL)
_MARK: Final = re.compile(r"\[(?:PASS|FAIL|ERROR)\] (?:\(-?\d+\.\d+\) )?")
"""Mark that promptfoo writes before an answer in tables of earlier versions."""
_LOOKED_AT: Final = 200
"""First rows of a table that tell which columns hold answers."""
FACTS: Final = frozenset({"id", "question_id", *PROMPTS, "area", "category", "task", "reference", "hint", "key"})
"""Columns of a table that are not models."""
_NATIVE: Final = (FACTS - {"key"}) | {"model", "answer", "answers"}
"""Fields of an own row that are used."""


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


def own_rows(rows: Iterable[Row], unused: Unused) -> Iterator[Line]:
    """Parse own rows; `unused` gets the fields that hold something and are not used."""

    def parse(row: Mapping[str, object]) -> Entry:
        unused.note(row, _NATIVE)
        return native(row)

    return parse_rows(rows, parse)


def alpaca(row: Mapping[str, object]) -> Entry:
    """A row of AlpacaEval's `model_outputs.json`: instruction, output and generator."""
    return Entry(None, [require(row, "instruction")], [FileAnswer(require(row, "generator"), [require(row, "output")])])


def models_of(header: Iterable[str]) -> list[str]:
    """The columns of a table that can be models by their names: not about questions, and not promptfoo's results.

    promptfoo writes a column `[provider] prompt` for each model, which its columns of results follow.
    """
    names = [name for name in header if name and name.casefold() not in FACTS]
    if any(name.casefold() == _GRADER for name in names):
        return [name for name in names if name.startswith("[")]
    return names


def wide_rows(header: list[str], rows: Iterable[Row]) -> Iterator[Line]:
    """Parse a table whose columns are models, except those about the question.

    Raises:
        Invalid: There is no column for the question, or fewer than two for models.
    """
    header, rows = _with_question(*_with_facts(header, rows))
    iterator = iter(rows)
    first = list(islice(iterator, _LOOKED_AT))
    cells = [cast("dict[str, object]", row) for _, row in first if isinstance(row, dict)]
    named = models_of(header)
    others = {name: reason for name in named if (reason := _no_answers(name, header.count(name), cells))}
    models = [name for name in named if name not in others]
    if not set(PROMPTS) & set(header) or len(models) < 2:
        if others and set(PROMPTS) & set(header):
            left_out = "; ".join(f"{shown(name)} is no model: {reason}" for name, reason in others.items())
            sentence = f"fewer than two columns look like answers of a model; {left_out}."
            raise Invalid(sentence, rule="answer_columns")
        raise Invalid(
            "a table of finished answers has a column question and one for each of two or more models, or the columns "
            "question, model and answer; questions alone are answered by the models that --model names.",
            rule="answer_columns",
        )

    is_marked = {name: all(_MARK.match(cell) for row in cells if (cell := str(row.get(name, "")))) for name in models}

    def parse(row: Mapping[str, Any]) -> Entry:
        texts = {name: _MARK.sub("", row[name]) if is_marked[name] else row[name] for name in models if row.get(name)}
        return _entry(row, [FileAnswer(name, [cell]) for name, cell in texts.items() if text(cell) is not None])

    for name, reason in others.items():
        yield 1, Unusable(f"column {shown(name)} is no model: {reason}", rule="column", value=shown(name))
    yield from parse_rows(chain(first, iterator), parse)


def _with_facts(header: list[str], rows: Iterable[Row]) -> tuple[list[str], Iterable[Row]]:
    """A table with the names of the facts of questions in place of their usual heads."""
    fields = fact_columns(header, FACTS)

    def renamed(row: object) -> object:
        if not isinstance(row, dict):
            return row
        return {fields.get(name, name): cell for name, cell in cast("dict[str, object]", row).items()}

    return [fields.get(name, name) for name in header], ((line, renamed(row)) for line, row in rows)


def _with_question(header: list[str], rows: Iterable[Row]) -> tuple[list[str], Iterable[Row]]:
    """A table of promptfoo with one variable as one whose first column is the question; any other as it is."""
    is_promptfoo = any(name.casefold() == _GRADER for name in header) and len(header) > 1 and header[1].startswith("[")
    if not is_promptfoo or set(PROMPTS) & set(header):
        return header, rows
    variable = header[0]

    def renamed(row: object) -> object:
        if not isinstance(row, dict):
            return row
        cells = cast("dict[str, object]", row)
        return {**cells, PROMPTS[1]: cells[variable]}

    return [PROMPTS[1], *header[1:]], ((line, renamed(row)) for line, row in rows)


def _no_answers(name: str, number: int, rows: Sequence[Mapping[str, object]]) -> str:
    """The reason why a column of a table holds no answers of a model, or nothing.

    Whole numbers, words such as yes, and one text for all questions are answers too, if perhaps bad ones; shares, marks
    and objects hardly are.
    """
    texts = [cell for row in rows if (cell := str(row.get(name) or "").strip())]
    if number > 1:
        return "the header has it more than once"
    if rows and not texts:
        return "its cells are empty"
    if name.casefold() in _RESULTS:
        return "its name is that of a result"
    if texts and all(map(_RESULT.fullmatch, texts)):
        return f"its cells are results such as {shown(texts[0])}"
    return ""


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
        raise Unusable("question: missing", rule="missing", column="prompt")
    return Entry(name, [] if prompt is None else [require_text(prompt, "question")], answers, facts)
