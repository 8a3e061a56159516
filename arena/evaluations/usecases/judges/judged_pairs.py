"""Judged pairs of an evaluation as columns: the input of a report on judges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.terms import Outcome
from arena.evaluations.domain.annotators.agreement import same_pairs
from arena.evaluations.domain.judges.outcomes import (
    RULES,
    MergedOutcomes,
    by_sum,
    merge_orders,
    pair_scores,
    single_order,
)
from arena.evaluations.domain.judges.rubric import VerdictForm, rubric
from arena.evaluations.domain.judges.statistics import LABELS, labels_of
from arena.evaluations.domain.terms import Level
from arena.evaluations.store import annotation_columns, judgement_columns
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases.definition import questions_of
from arena.evaluations.usecases.reports.report_columns import places

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

    from arena.domain.schemas.questions import QuestionView
    from arena.evaluations.store.judgement_columns import JudgementColumns, Judging
    from arena.evaluations.store.tables.evaluations import EvaluationModelRow, EvaluationRow

    Codes = NDArray[np.int64]

CODES: Final = {str(outcome): code for code, outcome in enumerate(Outcome)}


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPairs:
    """The pairs of an evaluation that any judge has judged, [pairs] each.

    Attributes:
        first: Index in `models` of the first model.
        second: Index of the second model.
        is_later: Whether it is a turn after the first.
        is_last: Whether it is the last turn, which people judge.
        area: Index in `areas`.
        longer_by: Length of the first model's answers up to this turn minus the second's, in characters.
        people: Label of the majority of annotators, -1 without one.
        agreement: Share of pairs of annotators with the same label, both ties being one; nan below two annotators.
        models: Names of the models.
        areas: Names of the areas.
    """

    first: Codes
    second: Codes
    is_later: NDArray[np.bool_]
    is_last: NDArray[np.bool_]
    area: Codes
    longer_by: Codes
    people: Codes
    agreement: NDArray[np.float64]
    models: tuple[str, ...]
    areas: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class JudgeOutcomes:
    """Judgements of one judge by one version of a rubric: sums, outcomes of pairs, and single scores.

    Attributes:
        by: The judge, the rubric and its sums.
        merged: The pairs after both orders.
        first_wins: bool [decided judgements], whether the answer shown first won.
        is_single: Whether it judged single answers.
        model: int64 [n], index of the model of a single answer.
        score: int64 [n], index in `score_texts`.
        score_texts: The distinct texts of scores, the empty one for none.
        judgements: int64 [models], judgements about each model.
        unreadable: int64 [models], those of them without a readable verdict.
        outcomes: int64 [outcomes], number of judgements of pairs with each outcome.
    """

    by: Judging
    merged: MergedOutcomes
    first_wins: NDArray[np.bool_]
    is_single: bool
    model: Codes
    score: Codes
    score_texts: tuple[str, ...]
    judgements: Codes
    unreadable: Codes
    outcomes: Codes


@dataclass(frozen=True, slots=True, eq=False)
class _Numbering:
    """Numbering of questions, models and pairs; `turns` is the highest number of turns."""

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
        return places([model.id for model in self.models], rows).astype(np.int64)

    def of_pairs(self, question: Codes, turn: Codes, first: Codes, second: Codes) -> Codes:
        """Numbers of pairs from those of question, turn (from 0) and models."""
        return np.ravel_multi_index((question, turn, first, second), self.shape).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class _JudgeRows:
    """Rows of one judge, the numbers of its pairs, and their outcomes; single answers have one row for each pair."""

    rows: Codes
    is_single: bool
    pair: Codes
    outcome: Codes


def read_pairs(
    session: Session, row: EvaluationRow, rule: str, by: Level = Level.AREA
) -> tuple[list[JudgeOutcomes], JudgedPairs]:
    """The outcomes of all judges and the pairs; scores of single answers are compared by the rule.

    `by` is the level of the tree of tasks whose names are the areas.
    """
    columns = judgement_columns.read_columns(session, row.id)
    questions, models = questions_of(session, row.set_id), tuple(stored.models(session, row.id))
    numbering = _Numbering(questions, models, max((len(question.turns) for question in questions.values()), default=1))
    judges = [_rows_of(columns, number, numbering, rule) for number in range(len(columns.judgings))]
    pairs = np.unique(np.concatenate([np.zeros(0, np.int64), *(judge.pair for judge in judges)]))
    outcomes = [_outcomes(columns, number, judge, numbering, pairs) for number, judge in enumerate(judges)]
    return outcomes, _pairs(session, row, numbering, pairs, by)


def _rows_of(columns: JudgementColumns, number: int, numbering: _Numbering, rule: str) -> _JudgeRows:
    rows = np.flatnonzero(columns.by == number)
    question, turn = numbering.of_questions(columns.question[rows]), columns.turn[rows] - 1
    first, second = numbering.of_models(columns.first[rows]), numbering.of_models(columns.second[rows])
    if not (first == second).any():
        return _JudgeRows(rows, False, numbering.of_pairs(question, turn, first, second), columns.outcome[rows])
    form = rubric(columns.judgings[number].rubric).form
    compare = RULES[rule] if form is VerdictForm.SCORE else by_sum
    pair = pair_scores(question * numbering.turns + turn, first, columns.scores[rows], columns.score_texts, compare)
    question, turn = np.divmod(pair.item, numbering.turns)
    return _JudgeRows(rows, True, numbering.of_pairs(question, turn, pair.first, pair.second), pair.outcome)


def _outcomes(
    columns: JudgementColumns, number: int, judge: _JudgeRows, numbering: _Numbering, pairs: Codes
) -> JudgeOutcomes:
    swapped, strong = columns.swapped[judge.rows], columns.strong[judge.rows]
    place = np.searchsorted(pairs, judge.pair)
    if judge.is_single:
        outcome = np.full(len(pairs), -1, np.int64)
        outcome[place] = judge.outcome
        pair_outcomes, first_wins = single_order(outcome), np.zeros(0, np.bool_)
    else:
        pair_outcomes = merge_orders(place, swapped, judge.outcome, strong, len(pairs))
        has_winner = (judge.outcome == CODES[Outcome.A]) | (judge.outcome == CODES[Outcome.B])
        first_wins = ((judge.outcome == CODES[Outcome.B]) == swapped)[has_winner]
    first, second = (numbering.of_models(column[judge.rows]) for column in (columns.first, columns.second))
    outcomes, scores = columns.outcome[judge.rows], columns.scores[judge.rows]
    judged_models = [first] if judge.is_single else [first, second]
    is_unreadable = (outcomes < 0) & ~np.array([bool(text) for text in columns.score_texts])[scores]
    return JudgeOutcomes(
        by=columns.judgings[number],
        merged=pair_outcomes,
        first_wins=first_wins,
        is_single=judge.is_single,
        model=first,
        score=scores,
        score_texts=columns.score_texts,
        judgements=np.bincount(np.concatenate(judged_models), minlength=len(numbering.models)),
        unreadable=np.bincount(
            np.concatenate([model[is_unreadable] for model in judged_models]), minlength=len(numbering.models)
        ),
        outcomes=np.bincount(outcomes[outcomes >= 0], minlength=len(CODES)),
    )


def _pairs(session: Session, row: EvaluationRow, numbering: _Numbering, pairs: Codes, by: Level) -> JudgedPairs:
    question, turn, first, second = (column.astype(np.int64) for column in np.unravel_index(pairs, numbering.shape))
    names = [getattr(question, by) or "" for question in numbering.questions.values()]
    areas = tuple(dict.fromkeys(names))
    length, turns = (
        _lengths(session, row.id, numbering),
        _column(len(question.turns) for question in numbering.questions.values()),
    )
    people, agreement = _people(session, row.id, numbering, pairs)
    return JudgedPairs(
        first=first,
        second=second,
        is_later=turn > 0,
        is_last=turn == turns[question] - 1,
        area=_column(map(areas.index, names))[question],
        longer_by=length[first, question, turn] - length[second, question, turn],
        people=people,
        agreement=agreement,
        models=tuple(model.name for model in numbering.models),
        areas=areas,
    )


def _column(values: Iterable[int]) -> Codes:
    return np.fromiter(values, np.int64)


def _lengths(session: Session, evaluation_id: int, numbering: _Numbering) -> Codes:
    """Characters of each model's answers up to each turn, [models, questions, turns]."""
    models = {model.id: place for place, model in enumerate(numbering.models)}
    questions = {number: place for place, number in enumerate(numbering.questions)}
    length = np.zeros((len(models), max(1, len(questions)), numbering.turns), np.int64)
    for model, question, lengths in stored.answer_lengths(session, evaluation_id):
        length[models[model], questions[question], : len(lengths)] = lengths[: numbering.turns]
    return length.cumsum(axis=2)


def _people(
    session: Session, evaluation_id: int, numbering: _Numbering, pairs: Codes
) -> tuple[Codes, NDArray[np.float64]]:
    """The label of the majority of people on each pair at the last turn, else -1; and their agreement.

    Both kinds of tie are one label, as in the comparison of judges with people.
    """
    items = annotation_columns.item_columns(session, evaluation_id)
    columns = annotation_columns.read_columns(session, evaluation_id)
    code = _column(CODES.get(value, -1) for value in columns.values)[columns.value]
    is_counted = (code >= 0) & ~columns.repeat
    cells = places(items["item"], columns.item[is_counted]) * LABELS + labels_of(code[is_counted])
    counts = np.bincount(cells, minlength=len(items["item"]) * LABELS).reshape(-1, LABELS)
    outcome = np.where(2 * counts.max(axis=1) > counts.sum(axis=1), counts.argmax(axis=1), -1)
    same_label = same_pairs(counts)
    is_pair = items["second"] > 0
    question = numbering.of_questions(items["question"][is_pair])
    turns = _column(len(question.turns) for question in numbering.questions.values())
    models = numbering.of_models(items["first"][is_pair]), numbering.of_models(items["second"][is_pair])
    number = numbering.of_pairs(question, turns[question] - 1, *models)
    people, agreement = np.full(len(pairs), -1, np.int64), np.full(len(pairs), np.nan)
    if len(pairs):
        place = np.minimum(np.searchsorted(pairs, number), len(pairs) - 1)
        matches = pairs[place] == number
        people[place[matches]], agreement[place[matches]] = outcome[is_pair][matches], same_label[is_pair][matches]
    return people, agreement
