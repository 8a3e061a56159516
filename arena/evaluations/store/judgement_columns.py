"""Judgements of an evaluation as columns, for the reports on its judges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sqlalchemy import BigInteger, ColumnElement, and_, case, cast, func, select

from arena.adapters.store.engine.integer_columns import index_in, integers
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.terms import Outcome
from arena.evaluations.store.tables.judgements import JudgementRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

    Codes = NDArray[np.int64]

_NAMES = "by", "question", "turn", "first", "second", "swapped", "outcome", "strong", "scores"


class Judging(NamedTuple):
    """Counts of the judgements of one judge by one version of a rubric; `priced` ones `cost` that many US dollars."""

    rubric: str
    version: int
    judge: str
    judge_id: int
    judgements: int
    unreadable: int
    scored: int
    tokens: int
    priced: int
    cost: float


@dataclass(frozen=True, slots=True, eq=False)
class JudgementColumns:
    """The n judgements of an evaluation, in order.

    Attributes:
        by: int64 [n], index in `judgings`.
        question, turn, first, second: int64 [n], as in `JudgementRow`.
        swapped: bool [n], whether the second answer was shown first.
        outcome: int64 [n], index in `Outcome`, -1 without one.
        strong: bool [n].
        scores: int64 [n], index in `score_texts`.
        judgings: The judges, each once for a version of a rubric.
        score_texts: The distinct texts of scores, the empty one for none.
    """

    by: Codes
    question: Codes
    turn: Codes
    first: Codes
    second: Codes
    swapped: NDArray[np.bool_]
    outcome: Codes
    strong: NDArray[np.bool_]
    scores: Codes
    judgings: tuple[Judging, ...]
    score_texts: tuple[str, ...]


def read_columns(session: Session, evaluation_id: int) -> JudgementColumns:
    """Read all judgements of an evaluation."""
    judgings, row = _judgings(session, evaluation_id), JudgementRow
    score_texts = _score_texts(session, evaluation_id) if any(judging.scored for judging in judgings) else ("",)
    fields = (
        _judging_index(judgings),
        *(row.question_id, row.turn, row.first_id, row.second_id),
        case((row.swapped, 1), else_=0),
        case({outcome.value: code for code, outcome in enumerate(Outcome)}, value=row.outcome, else_=-1),
        case((row.strong, 1), else_=0),
        index_in(func.coalesce(row.scores, ""), score_texts),
    )
    query = select(*(cast(field, BigInteger) for field in fields)).where(row.evaluation_id == evaluation_id)
    result = integers(session, query.order_by(row.number), _NAMES)
    swapped, strong = (result.pop(name).astype(np.bool_) for name in ("swapped", "strong"))
    return JudgementColumns(**result, swapped=swapped, strong=strong, judgings=judgings, score_texts=score_texts)


def _judgings(session: Session, evaluation_id: int) -> tuple[Judging, ...]:
    row = JudgementRow
    unreadable = case((row.outcome.is_(None) & row.scores.is_(None), 1), else_=0)
    sums = func.count(), func.sum(unreadable), func.count(row.scores), func.sum(row.tokens), func.count(row.cost)
    columns = row.rubric, row.rubric_version, EndpointRow.name, row.judge_id
    query = select(*columns, *sums, func.coalesce(func.sum(row.cost), 0.0))
    rows = query.join(EndpointRow, EndpointRow.id == row.judge_id).where(row.evaluation_id == evaluation_id)
    return tuple(sorted(Judging(*entry) for entry in session.execute(rows.group_by(*columns))))


def _score_texts(session: Session, evaluation_id: int) -> tuple[str, ...]:
    """The distinct texts of scores, in the collation of the database."""
    text = func.coalesce(JudgementRow.scores, "")
    query = select(text).where(JudgementRow.evaluation_id == evaluation_id).distinct().order_by(text)
    return tuple(session.scalars(query))


def _judging_index(judgings: Sequence[Judging]) -> ColumnElement[int]:
    """The index in `judgings` of a judgement."""
    row = JudgementRow
    conditions = (
        and_(row.judge_id == judging.judge_id, row.rubric == judging.rubric, row.rubric_version == judging.version)
        for judging in judgings
    )
    return case(*((condition, number) for number, condition in enumerate(conditions)), (row.number < 0, -1), else_=-1)
