"""How often people prefer the longer answer; each judgement counts, as in LLMEval's table 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from arena.domain.errors import Conflict
from arena.domain.terms import Outcome
from arena.evaluations.domain.judges.outcomes import by_sum, pair_scores
from arena.evaluations.domain.judges.statistics import length_table
from arena.evaluations.domain.people.protocols import SKIP
from arena.evaluations.domain.schemas.judges import LengthView
from arena.evaluations.store import annotation_columns
from arena.evaluations.store import evaluations as stored

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

    from arena.evaluations.store.tables.evaluations import EvaluationRow
    from arena.evaluations.usecases.reports.columns import ReportColumns

    Codes = NDArray[np.int64]
    Pairs = tuple[Codes, Codes, Codes, Codes]
    """Question, two models and outcome of judged pairs, [pairs] each."""


def lengths_of(session: Session, row: EvaluationRow, log: ReportColumns) -> list[LengthView]:
    """Wins of the longer answer by all judgements; scores are compared for each two answers to a question by a person.

    Pairs with an answer without a text are left out; while texts are in files there are no rows.
    """
    question, is_pair = annotation_columns.item_columns(session, row.id)["question"], log.second >= 0
    try:
        length = _lengths(session, row.id, len(log.models), int(question.max(initial=0)))
    except Conflict:
        return []
    index, first, second, outcome = (_outcomes if is_pair.any() else _scored_pairs)(log, question)
    longer_by = length[first, index] - length[second, index]
    is_measured = ~np.isnan(longer_by)
    if not is_measured.any():
        return []
    rows = length_table(outcome[is_measured], longer_by[is_measured].astype(np.int64))
    return [LengthView.model_validate(line) for line in rows]


def _outcomes(log: ReportColumns, question: Codes) -> Pairs:
    mask = log.is_judged & ~log.repeat
    code = {word.value: number for number, word in enumerate(Outcome)}
    item = log.item[mask]
    outcome = np.array([code.get(value, -1) for value in log.values], np.int64)[log.code[mask]]
    return question[item], log.first[item].astype(np.int64), log.second[item].astype(np.int64), outcome


def _scored_pairs(log: ReportColumns, question: Codes) -> Pairs:
    """Scores as outcomes: the answer with the higher sum wins."""
    mask = log.is_judged & ~log.repeat
    item, span = log.item[mask], int(question.max(initial=0)) + 1
    words = ["" if value == SKIP else value for value in log.values]
    turn = log.person[mask].astype(np.int64) * span + question[item]
    if not len(turn):
        empty = np.zeros(0, np.int64)
        return empty, empty, empty, empty
    pairs = pair_scores(turn, log.first[item].astype(np.int64), log.code[mask].astype(np.int64), words, by_sum)
    return pairs.item % span, pairs.first, pairs.second, pairs.outcome


def _lengths(session: Session, evaluation_id: int, models: int, last_question: int) -> NDArray[np.float64]:
    """Characters of each model's answers by the id of the question, [models, ids]; nan without a text."""
    place = {model.id: number for number, model in enumerate(stored.models(session, evaluation_id))}
    length = np.full((models, last_question + 1), np.nan)
    for model, question, turns in stored.answer_lengths(session, evaluation_id):
        if question <= last_question and sum(turns):
            length[place[model], question] = sum(turns)
    return length
