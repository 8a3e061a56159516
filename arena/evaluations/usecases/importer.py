"""Import of answers and finished annotations from files, so that a published evaluation can be recomputed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from shlex import quote
from typing import Final, cast

from sqlalchemy.orm import Session

from arena.adapters.row_files.limits import TEXT_ROWS
from arena.adapters.row_files.row_file import open_rows
from arena.adapters.row_files.rows import BadRow, Unusable, mapping, shown
from arena.adapters.store import questions
from arena.adapters.store.engine import Database
from arena.adapters.store.engine.short_transactions import BATCH_ROWS, batches
from arena.domain.errors import Conflict, Invalid
from arena.domain.schemas.questions import QuestionView
from arena.domain.terms import JsonObject, Side
from arena.evaluations.domain.people.designs import is_disputed
from arena.evaluations.domain.people.protocols import form_of, protocol, stored_value, swap_sides
from arena.evaluations.domain.schemas.operated_evaluations import TEAM, TEAM_LIMIT
from arena.evaluations.domain.terms import EvaluationState, ScoredBy
from arena.evaluations.store import annotations, annotators, assignments, imported_judgements
from arena.evaluations.store import evaluations as stored
from arena.evaluations.store.tables.annotations import AnnotationRow
from arena.evaluations.store.tables.evaluations import EvaluationRow
from arena.evaluations.usecases.answer_files.usual_heads import with_fields
from arena.evaluations.usecases.definition import MOST_ATTEMPTS, locked_evaluation
from arena.evaluations.usecases.sets.formats.fields import Unused
from arena.evaluations.usecases.star_files import PUBLISHED, plain_rows
from arena_trust.amounts import amount

_SKIPPED: Final = frozenset({"format", "fault", "withdrawn"})
"""Fields of rows of an exported file that are not imported: its facts, failed answers, withdrawn annotations."""
_TRUTHS: Final = {
    **dict.fromkeys(("true", "yes", "1", "1.0"), True),
    **dict.fromkeys(("false", "no", "0", "0.0"), False),
}
"""Words for true and false, in lower case."""
_LONGEST: Final = 2**31
_DIGITS: Final = len(str(_LONGEST))
_FACTS: Final = frozenset(
    {"kind", "question", "annotator", "team", "hints", "model", *Side, "milliseconds", "swapped", "attempt", "item"}
)
"""Fields of an annotation that are not its value."""
_ANSWER: Final = frozenset({"kind", "question", "model", "answer", "answers", "settings", "tokens", "milliseconds"})
"""Fields of an answer, those included that an export has and an import does not need."""


@dataclass(slots=True)
class ImportResult:
    """Numbers of added answers and annotations and of duplicates, the refused rows, and columns of answers not used."""

    answers: int = 0
    annotations: int = 0
    duplicates: int = 0
    refused: list[BadRow] = field(default_factory=list[BadRow])
    unused: list[str] = field(default_factory=list[str])

    def add(self, further: ImportResult) -> None:
        """Add the result of further rows."""
        self.answers += further.answers
        self.annotations += further.annotations
        self.duplicates += further.duplicates
        self.refused += further.refused
        self.unused = list(dict.fromkeys([*self.unused, *further.unused]))


async def import_file(
    database: Database,
    name: str,
    path: Path,
    now: datetime,
    *,
    new_models: bool = False,
    strict: bool = False,
    annotator: str = PUBLISHED,
    team: str = "",
) -> ImportResult:
    """Add the answers and annotations of a file in short transactions; with `new_models` also those of new models.

    After an error, or if the process is killed, the same import adds the rest. With `strict` there is one transaction.
    `annotator` and `team` are used for rows that do not name them.

    Raises:
        EvaluationNotFound: There is none of this name.
        Conflict: It is closed, or open while the file has answers.
        Invalid: The file cannot be read, lacks a column, or, with `strict`, a row is refused; then nothing is added.
    """
    with open_rows(path, TEXT_ROWS) as file:
        raw = list(plain_rows(file.rows(), annotator))
    rows = list(with_fields(raw, is_judged=True))
    _check_columns(path, _names(rows), _names(raw))
    result, options = ImportResult(), {"new_models": new_models, "strict": strict}
    async for part in batches(len(rows), whole=strict):
        try:
            result.add(await database.write(_import, name, rows[part], now, team=_team(team), **options))
        except _NothingNew as error:
            result.add(error.result)
    return result


def _check_columns(path: Path, fields: Collection[str], columns: Collection[str]) -> None:
    """Refuse a file of which no row has a question, or none has a model, before every row is refused for it."""
    if not fields or not _SKIPPED.isdisjoint(fields):
        return
    needed = ("question", "model") if {*Side}.isdisjoint(fields) else ("question",)
    if absent := [name for name in needed if name not in fields]:
        raise Invalid(f"{path}: no column {absent[0]}; there are: {', '.join(map(shown, columns))}.")


def _names(rows: Iterable[tuple[int, object]]) -> list[str]:
    """The names of all fields of these rows, in order."""
    return list(dict.fromkeys(name for _, row in rows if isinstance(row, dict) for name in cast("JsonObject", row)))


class _NothingNew(Exception):
    """Rows of which none was added, so that their transaction ends without a write, and without an act."""

    def __init__(self, result: ImportResult) -> None:
        super().__init__()
        self.result = result


def _import(
    session: Session,
    name: str,
    rows: list[tuple[int, object]],
    now: datetime,
    *,
    new_models: bool,
    strict: bool,
    team: str,
) -> ImportResult:
    row = locked_evaluation(session, name)
    if row.state is EvaluationState.CLOSED:
        raise Conflict(f"{name} is closed: nothing can be added to it.")
    importer = _Importer(session, row, now, new_models=new_models, team=team)
    for start in range(0, len(rows), BATCH_ROWS):
        part = rows[start : start + BATCH_ROWS]
        importer.prepare(fields for _, fields in part)
        for line, fields in part:
            try:
                importer.add_row(fields)
            except (Unusable, Invalid) as error:
                refusal = BadRow(line, str(error))
                if strict:
                    raise Invalid(f"{refusal}.") from None
                importer.result.refused.append(refusal)
        importer.write()
    importer.finish()
    if not importer.result.answers + importer.result.annotations:
        raise _NothingNew(importer.result)
    return importer.result


class _Importer:
    """Importer of the rows of one transaction, which reads no more of the evaluation than they need."""

    def __init__(self, session: Session, row: EvaluationRow, now: datetime, *, new_models: bool, team: str) -> None:
        self.result, self._team = ImportResult(), team
        self._session, self._row, self._now, self._new_models = session, row, now, new_models
        self._protocol = protocol(row.protocol)
        self._numbers = stored.question_ids(session, row.set_id)
        self._questions: dict[int, QuestionView] = {}
        self._models = {model.name: model.id for model in stored.models(session, row.id)}
        self._people = annotators.labels(session, row.id)
        self._items: dict[int, dict[tuple[int, int | None], int]] = {}
        self._last_item = stored.last_item(session, row.id)
        self._values: dict[int, dict[tuple[int, int], str]] = {}
        self._answers: dict[tuple[int, int], list[str]] = {}
        self._annotations: list[dict[str, object]] = []
        self._unused = Unused()

    def prepare(self, rows: Iterable[object]) -> None:
        """Read what these rows need, in a statement for each kind of row in the database."""
        lines = list[tuple[int, Mapping[str, object]]]()
        for row in rows:
            fields = cast("Mapping[str, object]", row if isinstance(row, Mapping) else {})
            if len(matches := self._matches(fields.get("question"))) == 1:
                lines.append((matches[0], fields))
        numbers = {number for number, _ in lines} - self._questions.keys()
        for number, question in questions.by_rows(self._session, numbers).items():
            self._questions[number] = QuestionView.model_validate(question.body)
        self._items |= stored.items_by_models(self._session, self._row.id, numbers)
        items = {self._items[number].get(self._key(fields), 0) for number, fields in lines} - {0} - self._values.keys()
        self._values |= annotations.last_values(self._session, items)

    def _matches(self, question: object) -> list[int]:
        """The questions that a row names by id, or by their text if none has this id."""
        name = str(question).strip()
        if name in self._numbers:
            return [self._numbers[name]]
        return self._texts.get(name, []) if isinstance(question, str) else []

    @cached_property
    def _texts(self) -> Mapping[str, list[int]]:
        """The questions by their texts, which are read only for a row whose question is no id."""
        return stored.questions_by_text(self._session, self._row.set_id)

    def _no_match(self, question: object, count: int) -> Unusable:
        """The reason of a row whose question is missing, is none of the set, or is several of it."""
        if question is None:
            return Unusable("question: missing")
        ids = (
            f"`arena questions export {quote(questions.by_id(self._session, self._row.set_id).name)} FILE` has the ids"
        )
        if count:
            return Unusable(f"question: the text of {amount(count, 'question')} of the set: {shown(question)}; {ids}")
        return Unusable(f"question: neither an id nor a question of the set: {shown(question)}; {ids}")

    def _key(self, fields: Mapping[str, object]) -> tuple[int, int | None]:
        """The models of a row as an item has them; 0 for one that is not known yet."""
        sides = Side if self._protocol.pairwise else ("model",)
        first, *others = sorted(self._models.get(str(fields.get(side) or "").strip(), 0) for side in sides)
        return first, others[0] if others else None

    def add_row(self, row: object) -> None:
        """Add one row.

        Raises:
            Unusable: It is not a valid answer or annotation.
        """
        fields = mapping(row)
        if not _SKIPPED.isdisjoint(fields):
            return
        question = fields.get("question")
        matches = self._matches(question)
        if len(matches) != 1:
            raise self._no_match(question, len(matches))
        (number,) = matches
        if "answer" in fields or "answers" in fields:
            self._unused.note(fields, _ANSWER)
            self._answer(number, fields)
        else:
            self._annotation(number, fields)

    def write(self) -> None:
        """Write the answers and annotations of the rows so far."""
        facts: dict[str, object] = {
            "fault": None,
            "settings": {},
            "tokens": None,
            "milliseconds": None,
            "created_at": self._now,
        }
        answers = {key: {"texts": texts, **facts} for key, texts in self._answers.items()}
        new = len(stored.put_answers(self._session, answers))
        self.result.answers, self.result.duplicates = (
            self.result.answers + new,
            self.result.duplicates + len(self._answers) - new,
        )
        annotations.add(self._session, self._annotations)
        self._take_places()
        self.result.annotations += len(self._annotations)
        self._answers, self._annotations = {}, []

    def _take_places(self) -> None:
        """Take places for those who judge here and had none; an item they disagree about then is the reviewers'."""
        people = Counter(cast("int", row["item_id"]) for row in self._annotations if not row["attempt"])
        places = imported_judgements.end_assignments(self._session, self._annotations, self._now)
        assignments.take_places(self._session, people - places)
        if people and self._row.state is EvaluationState.OPEN:
            by_item = annotations.first_values(self._session, AnnotationRow.item_id.in_(people))
            for item in (item for item, values in by_item.items() if is_disputed(values, self._row.per_item)):
                assignments.dispute(self._session, item)

    def finish(self) -> None:
        """Keep the labels of the annotators, and tell the columns that were not used."""
        self.result.unused = [*self._unused]
        annotators.reserve_labels(self._session, self._row.id, self._people)

    def _answer(self, question: int, fields: Mapping[str, object]) -> None:
        if self._row.state is not EvaluationState.DRAFT:
            raise Conflict(f"{self._row.name} is open: its answers do not change any more.")
        if self._protocol.scored_by is not ScoredBy.PEOPLE:
            raise Unusable(f"answer: under {self._protocol.name} none comes from a file")
        texts, turns = _texts(fields), self._questions[question].turns
        if len(texts) != len(turns):
            raise Unusable(f"{len(texts)} answers to {len(turns)} turns")
        key = self._model(fields, "model"), question
        self.result.duplicates += key in self._answers
        self._answers.setdefault(key, texts)

    def _annotation(self, question: int, fields: Mapping[str, object]) -> None:
        sides = [self._model(fields, side) for side in (Side if self._protocol.pairwise else ("model",))]
        answer = {name: value for name, value in fields.items() if name not in _FACTS}
        value = stored_value(self._protocol, form_of(self._protocol, self._questions[question]), answer)
        if len(set(sides)) < len(sides):
            raise Unusable("a and b are the same model")
        person = self._person(fields.get("annotator"), fields)
        item = self._item(question, sorted(sides))
        attempt, is_reversed = _attempt(fields.get("attempt")), sides != sorted(sides)
        value = swap_sides(value) if is_reversed else value
        values = self._values.setdefault(item, {})
        if (person, attempt) in values:
            self._count_duplicate(values[person, attempt], value, fields)
            return
        values[person, attempt] = value
        self._annotations.append(
            {
                "evaluation_id": self._row.id,
                "item_id": item,
                "annotator_id": person,
                "attempt": attempt,
                "round": 0,
                "swapped": is_reversed is not _truth(fields, "swapped", default=False),
                "value": value,
                "milliseconds": _milliseconds(fields.get("milliseconds")),
                "created_at": self._now,
            }
        )

    def _count_duplicate(self, earlier: str, value: str, fields: Mapping[str, object]) -> None:
        """Count a duplicate annotation; raises Unusable if its value differs."""
        if earlier != value:
            person = shown(fields.get("annotator"))
            raise Unusable(
                f"annotator: {person} judged this before, as {earlier}, and now as {value}; the first stands"
            )
        self.result.duplicates += 1

    def _model(self, fields: Mapping[str, object], side: str) -> int:
        name = str(fields.get(side) or "").strip()
        if name in self._models:
            return self._models[name]
        if fields.get(side) is None:
            raise Unusable(f"{side}: missing")
        if not name or not self._new_models:
            raise Unusable(f"{side}: not a model of this evaluation: {shown(fields.get(side))}")
        if self._row.draw is not None:
            raise Unusable(f"{side}: pairs are drawn among the models that were there at the beginning: {shown(name)}")
        stored.add_models(self._session, self._row.id, [(name, None)])
        self._models = {model.name: model.id for model in stored.models(self._session, self._row.id)}
        return self._models[name]

    def _person(self, value: object, fields: Mapping[str, object]) -> int:
        label = str(value if value is not None else "").strip()
        if not 0 < len(label) <= 80:  # the column
            raise Unusable(f"annotator: 1 to 80 characters: {shown(value)}")
        if label not in self._people:
            facts = {
                "team": _team(fields.get("team", self._team)),
                "hints": _truth(fields, "hints", default=True),
            }
            self._people[label] = annotators.add_annotator(self._session, self._row.id, label, self._now, **facts).id
        return self._people[label]

    def _item(self, question: int, models: list[int]) -> int:
        first, second = models[0], models[1] if len(models) > 1 else None
        items = self._items[question]
        if (first, second) not in items:
            self._last_item += 1
            items[first, second] = stored.add_item(
                self._session,
                evaluation_id=self._row.id,
                number=self._last_item,
                question_id=question,
                first_id=first,
                second_id=second,
                form=form_of(self._protocol, self._questions[question]).name,
                overlap=False,
                needed=0,
            )
        return items[first, second]


def _team(value: object) -> str:
    name = str(value or "").strip()
    if len(name) > TEAM_LIMIT or not re.match(TEAM, name):
        raise Unusable(f"team: up to {TEAM_LIMIT} letters, digits, spaces and dashes: {shown(value)}")
    return name


def _truth(fields: Mapping[str, object], field: str, *, default: bool) -> bool:
    """A field that is true or false, in CSV as a word or a number; `default` if it is missing.

    Raises:
        Unusable: It is neither.
    """
    value = fields.get(field)
    word = "" if value is None else str(value).strip().casefold()
    if word and word not in _TRUTHS:
        raise Unusable(f"{field}: neither true nor false: {shown(value)}")
    return _TRUTHS.get(word, default)


def _attempt(value: object) -> int:
    """The number of an attempt, 0 for the first; any text that is no number means the second."""
    text = str(value or 0)
    return min(int(text[:9]), MOST_ATTEMPTS - 1) if text.isdecimal() else 1


def _milliseconds(value: object) -> int | None:
    """A time from a number, in CSV its digits; None for anything else."""
    number = int(value) if isinstance(value, str) and value.isdecimal() and len(value) <= _DIGITS else value
    return number if isinstance(number, int) and 0 <= number < _LONGEST else None


def _texts(fields: Mapping[str, object]) -> list[str]:
    answers = fields.get("answers", [fields.get("answer")])
    texts = cast("list[object]", answers) if isinstance(answers, list) else [answers]
    if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
        raise Unusable("answer: a text, or a list of one text for each turn")
    return [str(text) for text in texts]
