"""Reader of question files, without a database: questions, and refused rows with the reasons."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeVar, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from arena.adapters.row_files.limits import TEXT_ROWS
from arena.adapters.row_files.row_file import open_rows
from arena.adapters.row_files.rows import Refusal, Unusable, shown
from arena.domain.errors import Invalid, Param
from arena.domain.schemas.questions import PlannedPlaceView, QuestionView, SetFactsView
from arena.domain.terms import LANGUAGES, JsonObject, QuestionFormat
from arena.evaluations.usecases.sets.formats import PLANNED, contents, facts_of
from arena.evaluations.usecases.sets.refusals import no_question

T = TypeVar("T")

UNSTATED: Final = "unstated"
"""Licence of a set whose file names none, which should not be public."""
_RULES: Final = {
    "missing": "missing",
    "blank": "missing",
    "line": "line",
    "unstorable": "characters",
    "key": "key",
}
"""Rules of reasons for the error types of questions; another one is of a wrong form."""
_SAMPLE: Final = 50
_SHORTENED: Final = 40


@dataclass(frozen=True, slots=True)
class ReadSet:
    """The questions of one or several files, in order, and the refused rows.

    `same_text` has file and line of each question whose text another one has too, under another id; `unused` the
    columns of tables that were not used; `places` file and line of each question by its id.
    """

    facts: SetFactsView
    questions: list[QuestionView]
    refused: list[Refusal]
    same_text: list[tuple[str, int]]
    unused: list[str]
    places: Mapping[str, tuple[str, int]]


def read_set(
    paths: Sequence[Path],
    overrides: Mapping[str, str | None],
    *,
    format: QuestionFormat | None = None,
    columns: Mapping[str, str] | None = None,
    strict: bool = False,
    limit: int = sys.maxsize,
) -> ReadSet:
    """Read files as one set of at most `limit` rows; `overrides` replace facts of the files.

    Raises:
        Invalid: A file cannot be read, there is no question, there are more rows, or, with `strict`, a row is refused.
    """
    reader, unused = _Reader(strict), dict[str, None]()
    for path in paths:
        with open_rows(path, TEXT_ROWS) as source:
            result = contents(source, format, columns or {})
            reader.facts = {**facts_of(result.format), **result.facts, **reader.facts}
            reader.add_rows(
                path.name, bounded(result.rows, path, limit), renaming=result.format is not QuestionFormat.ARENA
            )
            unused |= dict.fromkeys(result.unused)
            if result.format is QuestionFormat.ARENA:
                reader.facts.setdefault("language", "")
    facts = {name: value for name, value in overrides.items() if value is not None}
    if not reader.questions:
        raise no_question(paths[0], reader.refused, [*unused])
    set_facts = facts_of_set(reader.facts | facts, reader.questions, paths[0])
    return ReadSet(set_facts, reader.questions, reader.refused, reader.same_text(), [*unused], reader.places)


class _Repeated(Unusable):
    """A row repeats an earlier one, of this file and line."""

    def __init__(self, file: str, line: int) -> None:
        super().__init__(file, line)
        self.file, self.line = file, line


@dataclass(slots=True)
class _Reader:
    strict: bool
    facts: JsonObject = field(default_factory=JsonObject)
    questions: list[QuestionView] = field(default_factory=list[QuestionView])
    refused: list[Refusal] = field(default_factory=list[Refusal])
    by_id: dict[str, QuestionView] = field(default_factory=dict[str, QuestionView])
    places: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    """File and line of each question by its id."""
    contents: dict[str, dict[bytes, tuple[str, int]]] = field(default_factory=dict[str, dict[bytes, tuple[str, int]]])
    """Places of the questions of each repeated id, by their digests."""
    numbers: dict[str, int] = field(default_factory=dict[str, int])
    """The last number that was appended to an id."""

    def add_rows(self, file: str, rows: Iterator[tuple[int, object]], *, renaming: bool) -> None:
        for line, fields in rows:
            try:
                question = self._split_node(fields)
                if question is not None:
                    self._add(question_of(question), (file, line), renaming=renaming)
            except _Repeated as error:
                self._refuse(_repeat(file, line, error))
            except Unusable as error:
                self._refuse(Refusal(file, line, str(error), params=error.params or None))

    def same_text(self) -> list[tuple[str, int]]:
        """File and line of each question whose text another one has too."""
        texts = {question.id: _text(question) for question in self.questions}
        number = Counter(texts.values())
        return [self.places[name] for name, text in texts.items() if number[text] > 1]

    def _refuse(self, refusal: Refusal) -> None:
        if self.strict:
            raise Invalid(str(refusal))
        self.refused.append(refusal)

    def _split_node(self, fields: object) -> object:
        """The question's fields; a node of a tree of tasks goes to the plan, None if it has no question."""
        row = cast("JsonObject", fields) if isinstance(fields, dict) else {}
        if PLANNED not in row:
            return cast("object", fields)
        place = {level: row.get(level) for level in ("area", "category", "task")}
        try:
            PlannedPlaceView.model_validate(place)
        except ValidationError as error:
            raise _unusable(error) from None
        self.facts.setdefault("plan", []).append(place)
        return row[PLANNED]

    def _add(self, question: QuestionView, place: tuple[str, int], *, renaming: bool) -> None:
        """Add a question; with `renaming` a repeated id gets a number appended."""
        if question.id in self.by_id:
            question = self._renumber(question, place, renaming=renaming)
        self.by_id[question.id] = question
        self.places[question.id] = place
        self.questions.append(question)

    def _renumber(self, question: QuestionView, place: tuple[str, int], *, renaming: bool) -> QuestionView:
        """The question under the next free id; the numbers of an id only grow, so that a file takes linear time.

        Raises:
            Unusable: An earlier question of this id is the same, or it must keep its id.
        """
        if question.id not in self.contents:
            self.contents[question.id] = {_digest(self.by_id[question.id]): self.places[question.id]}
        contents, digest = self.contents[question.id], _digest(question)
        if digest in contents:
            raise _Repeated(*contents[digest])
        if not renaming:
            problem = f"id: an earlier question has it too: {shown(question.id)}"
            raise Unusable(problem, rule="id", value=shown(question.id))
        contents[digest] = place
        stem = question.id[:_SHORTENED]
        number = self.numbers.get(stem, 1) + 1
        while f"{stem}#{number}" in self.by_id:
            number += 1
        self.numbers[stem] = number
        return question.model_copy(update={"id": f"{stem}#{number}"})


def _repeat(file: str, line: int, earlier: _Repeated) -> Refusal:
    """The refusal of a row that repeats an earlier one."""
    if earlier.file == file:
        return Refusal(file, line, f"repeats line {earlier.line} and is left out", earlier.line)
    params: dict[str, Param] = {"rule": "repeats", "repeats": earlier.line, "file": earlier.file}
    return Refusal(file, line, f"repeats line {earlier.line} of {earlier.file} and is left out", params=params)


def bounded(rows: Iterable[T], path: Path, limit: int) -> Iterator[T]:
    """The rows of a file up to `limit`; raises `Invalid` for one more."""
    for count, row in enumerate(rows):
        if count >= limit:
            raise Invalid(f"{path}: more than {limit:,} rows; split the file.", rule="file_rows", limit=limit)
        yield row


def _digest(question: QuestionView) -> bytes:
    """The SHA-256 of a question without its id."""
    return sha256(question.model_dump_json(exclude={"id"}).encode()).digest()


def _text(question: QuestionView) -> tuple[object, ...]:
    """All that a model is asked, whatever spaces are between the words of its turns."""
    request = question.request.model_dump_json() if question.request else ""
    return (*(" ".join(turn.split()) for turn in question.turns), tuple(question.options), request)


def question_of(fields: object) -> QuestionView:
    """The question of a row.

    Raises:
        Unusable: It is not a valid question.
    """
    if isinstance(fields, Unusable):
        raise fields
    try:
        return QuestionView.model_validate(fields)
    except ValidationError as error:
        raise _unusable(error) from None


def _unusable(error: ValidationError) -> Unusable:
    """The first fault of a row, with its rule, column and limit."""
    fault = error.errors(include_url=False)[0]
    params: dict[str, Param] = {"column": str(next(iter(fault["loc"]), "")), "rule": _RULES.get(fault["type"], "form")}
    if isinstance(fault["input"], str) and (limit := fault.get("ctx", {}).get("max_length")):
        params |= {"rule": "longest", "limit": limit}
    return Unusable(_reason(fault), **params)


def _reason(fault: ErrorDetails) -> str:
    """The field of a validation error, and what is wrong with it."""
    place = ".".join(str(part) for part in fault["loc"])
    if not place:
        return fault["msg"]
    problem = {"missing": "missing", "extra_forbidden": "unknown field"}.get(fault["type"])
    return f"{place}: {problem}" if problem else f"{place}: {fault['msg']}: {shown(fault['input'])}"


def facts_of_set(overrides: Mapping[str, object], questions: Sequence[QuestionView], path: Path) -> SetFactsView:
    """The facts of a set: defaults from its file and questions, replaced by `overrides`.

    Raises:
        Invalid: One of them is not valid.
    """
    facts = {"name": path.name.split(".")[0], "licence": UNSTATED, "source": path.name, **overrides}
    if "language" not in facts:
        facts["language"] = _language(questions)
    try:
        return SetFactsView.model_validate(facts)
    except ValidationError as error:
        raise Invalid(f"{path}: {_reason(error.errors(include_url=False)[0])}.", rule="set_facts") from None


def _language(questions: Sequence[QuestionView]) -> str:
    """The language of the first prompts together; empty if it is not one of ours."""
    from arena.adapters.language import detect  # imports NumPy, which lists of sets do not need

    result = detect("\n".join(question.turns[0][:_SHORTENED] for question in questions[:_SAMPLE]))
    return result if result in LANGUAGES else ""
