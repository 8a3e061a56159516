"""Judged pairs of an evaluation as columns: the input of a report on judges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.terms import Outcome
from arena.evaluations.domain.judges.merging import merge, settled
from arena.evaluations.store import annotations as stored_annotations
from arena.evaluations.store import evaluations as stored
from arena.evaluations.store import judgements
from arena.evaluations.usecases.definition import questions_of
from arena.evaluations.usecases.judges.judged_scores import pairs_of_scores
from arena.evaluations.usecases.reports.columns import places

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

    from arena.domain.schemas import QuestionView
    from arena.evaluations.domain.judges.merging import Merged
    from arena.evaluations.store.judgements import JudgementColumns, Judging
    from arena.evaluations.store.tables import EvaluationModelRow, EvaluationRow

    Codes = NDArray[np.int64]

CODES: Final = {str(outcome): code for code, outcome in enumerate(Outcome)}


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The pairs of an evaluation that any judge has judged, [pairs] each.

    Attributes:
        first: Index of the first model.
        second: Index of the second.
        later: Whether it is a turn after the first.
        area: Index in `areas`.
        longer_by: Length of the first model's answers up to this turn minus the second's, in characters.
        people: Code of what more than half of the annotators said, -1 where nobody did or none has the majority.
        models: Names of the models.
        areas: Names of the areas.
    """

    first: Codes
    second: Codes
    later: NDArray[np.bool_]
    area: Codes
    longer_by: Codes
    people: Codes
    models: tuple[str, ...]
    areas: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The word of one judge by one version of a rubric: in sums, about each pair, and row by row.

    Attributes:
        by: Who, by which rubric, and the sums.
        merged: The pairs after both orders.
        preferred: bool [preferred], whether the first shown was preferred, of all pairs of answers with a better one.
        single: Whether it judged answers alone.
        model: int64 [n], index of the model that was judged alone.
        score: int64 [n], index in `words`.
        words: Different texts of scores; the empty one has none.
    """

    by: Judging
    merged: Merged
    preferred: NDArray[np.bool_]
    single: bool
    model: Codes
    score: Codes
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """The rows of questions and models in the order in which they are numbered here, and the most turns."""

    questions: dict[int, QuestionView]
    models: tuple[EvaluationModelRow, ...]
    turns: int

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Bounds of question, turn, first and second model; together these number a pair."""
        return max(1, len(self.questions)), self.turns, len(self.models), len(self.models)

    def of_questions(self, rows: Codes) -> Codes:
        return places(list(self.questions), rows).astype(np.int64)

    def of_models(self, rows: Codes) -> Codes:
        return places([each.id for each in self.models], rows).astype(np.int64)

    def numbers(self, question: Codes, turn: Codes, first: Codes, second: Codes) -> Codes:
        """Numbers of pairs, from places, with turns from 0."""
        return np.ravel_multi_index((question, turn, first, second), self.shape).astype(np.int64)


def read_pairs(session: Session, row: EvaluationRow, rule: str) -> tuple[list[Judged], Pairs]:
    """The words of all judges, those of single answers by the pairs that scores make by a rule, and these pairs."""
    said = judgements.read_columns(session, row.id)
    asked, models = questions_of(session, row.set_id), tuple(stored.models(session, row.id))
    at = _Places(asked, models, max((len(each.turns) for each in asked.values()), default=1))
    question, turn = at.of_questions(said.question), said.turn - 1
    first, second = at.of_models(said.first), at.of_models(said.second)
    columns = question, turn, first, second
    told = [_told(said, number, columns, at, rule) for number in range(len(said.judgings))]
    known = np.unique(np.concatenate([np.zeros(0, np.int64), *(each.pair for each in told)]))
    judged = [_judged(said, number, each, first, known) for number, each in enumerate(told)]
    return judged, _pairs(session, row, at, known)


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """Rows of one judge, the numbers of its pairs, and their outcomes; one for both orders if answers stood alone."""

    rows: Codes
    single: bool
    pair: Codes
    outcome: Codes


def _told(
    said: JudgementColumns, number: int, columns: tuple[Codes, Codes, Codes, Codes], at: _Places, rule: str
) -> _Told:
    rows = np.flatnonzero(said.by == number)
    question, turn, first, second = (each[rows] for each in columns)
    if not (first == second).any():
        return _Told(rows, False, at.numbers(question, turn, first, second), said.outcome[rows])
    pair = pairs_of_scores(
        question * at.turns + turn, first, said.scores[rows], said.words, said.judgings[number].rubric, rule
    )
    asked, turns = np.divmod(pair.asked, at.turns)
    return _Told(rows, True, at.numbers(asked, turns, pair.first, pair.second), pair.outcome)


def _judged(said: JudgementColumns, number: int, told: _Told, first: Codes, known: Codes) -> Judged:
    swapped, strong = said.swapped[told.rows], said.strong[told.rows]
    place = np.searchsorted(known, told.pair)
    if told.single:
        outcome = np.full(len(known), -1, np.int64)
        outcome[place] = told.outcome
        merged, preferred = settled(outcome), np.zeros(0, np.bool_)
    else:
        merged = merge(place, swapped, told.outcome, strong, len(known))
        better = (told.outcome == CODES[Outcome.A]) | (told.outcome == CODES[Outcome.B])
        preferred = ((told.outcome == CODES[Outcome.B]) == swapped)[better]
    return Judged(
        by=said.judgings[number],
        merged=merged,
        preferred=preferred,
        single=told.single,
        model=first[told.rows],
        score=said.scores[told.rows],
        words=said.words,
    )


def _pairs(session: Session, row: EvaluationRow, at: _Places, known: Codes) -> Pairs:
    question, turn, first, second = (each.astype(np.int64) for each in np.unravel_index(known, at.shape))
    areas = tuple(dict.fromkeys(each.area or "" for each in at.questions.values()))
    area = _column(areas.index(each.area or "") for each in at.questions.values())
    length = _lengths(session, row.id, at)
    return Pairs(
        first=first,
        second=second,
        later=turn > 0,
        area=area[question],
        longer_by=length[first, question, turn] - length[second, question, turn],
        people=_majorities(session, row.id, at, known),
        models=tuple(each.name for each in at.models),
        areas=areas,
    )


def _column(values: Iterable[int]) -> Codes:
    return np.fromiter(values, np.int64)


def _lengths(session: Session, evaluation_id: int, at: _Places) -> Codes:
    """Characters of a model's answers up to each turn, [models, questions, turns]."""
    models = {each.id: place for place, each in enumerate(at.models)}
    asked = {number: place for place, number in enumerate(at.questions)}
    length = np.zeros((len(models), max(1, len(asked)), at.turns), np.int64)
    for model, question, lengths in stored.answer_lengths(session, evaluation_id):
        length[models[model], asked[question], : len(lengths)] = lengths[: at.turns]
    return length.cumsum(axis=2)


def _majorities(session: Session, evaluation_id: int, at: _Places, known: Codes) -> Codes:
    """The word of more than half of the people on each pair of whole conversations, else -1."""
    items, said = stored.item_columns(session, evaluation_id), stored_annotations.read_columns(session, evaluation_id)
    code = _column(CODES.get(value, -1) for value in said.values)[said.value]
    counted = (code >= 0) & ~said.repeat
    cells = places(items["item"], said.item[counted]) * len(CODES) + code[counted]
    counts = np.bincount(cells, minlength=len(items["item"]) * len(CODES)).reshape(-1, len(CODES))
    word = np.where(2 * counts.max(axis=1) > counts.sum(axis=1), counts.argmax(axis=1), -1)
    pair = items["second"] > 0
    question = at.of_questions(items["question"][pair])
    turns = _column(len(each.turns) for each in at.questions.values())
    models = at.of_models(items["first"][pair]), at.of_models(items["second"][pair])
    number = at.numbers(question, turns[question] - 1, *models)
    place = np.minimum(np.searchsorted(known, number), max(0, len(known) - 1))
    people = np.full(len(known), -1, np.int64)
    met = known[place] == number if len(known) else np.zeros(len(number), np.bool_)
    people[place[met]] = word[pair][met]
    return people
