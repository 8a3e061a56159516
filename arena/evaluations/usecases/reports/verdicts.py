"""Verdicts: whether the cheaper of two models is not worse by more than a margin that was set before.

The margin M, in points, is the share 1 / (1 + 10^(M/400)) of comparisons that a model M points below another wins. A
model is *not worse* where the judgements, divided by their design effect, are 20 times as likely by a uniform mixture
of shares as by this share, and its own share is higher; it is *worse* where the same holds for 1/2 from below
(`duels`). Shares that the mixture does not exclude are an interval, so each statement errs at any look in at most 5 %.

Costs are those of the same questions by both models: tokens as counted, by the prices that the endpoints had when they
were asked; for answers of a log of calls, the costs that it has. Without prices and counts there are no costs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, Final

from arena.evaluations.domain.schemas.evaluation_reports import VerdictView
from arena.evaluations.domain.terms import VerdictState
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases.reports.columns import EVEN
from arena.evaluations.usecases.reports.duels import is_excluded, times_to_exclude
from arena.evaluations.usecases.reports.needs import Judgements, Needs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

    from sqlalchemy.orm import Session

    from arena.evaluations.domain.schemas.evaluation_reports import DuelView
    from arena.evaluations.store.tables.answers import EvaluationAnswerRow
    from arena.evaluations.store.tables.evaluations import EvaluationRow

_ANSWERS: Final = 1_000
"""Number of answers to which costs refer."""
_MILLION: Final = 1e6
_ROUNDING: Final = 1e-9
_POINTS: Final = 400 / math.log(10)


@dataclass(slots=True)
class ModelExpenses:
    """Dollars and seconds of the answers of a model, by question; `days` are those of the prices.

    `from_files` tells that the answers came from files, and the model was not asked.
    """

    cost: dict[int, float] = field(default_factory=dict[int, float])
    seconds: dict[int, float] = field(default_factory=dict[int, float])
    days: set[date] = field(default_factory=set["date"])
    answers: int = 0
    failed: int = 0
    from_files: bool = False

    def add(self, answer: EvaluationAnswerRow) -> None:
        """Add an answer, or a failure, which counts as such alone."""
        self.answers += 1
        if answer.fault is not None:
            self.failed += 1
            return
        if answer.milliseconds:
            self.seconds[answer.question_id] = answer.milliseconds / 1_000
        cost = _cost(answer)
        if cost is not None:
            self.cost[answer.question_id] = cost
            self.days.add(answer.created_at.date())

    def beside(self, other: ModelExpenses) -> tuple[float | None, float | None]:
        """Cost of 1,000 answers, and seconds of one, over the questions that both models have answered."""
        cost = _over(fmean, self.cost, self.cost.keys() & other.cost.keys())
        seconds = _over(median, self.seconds, self.seconds.keys() & other.seconds.keys())
        return None if cost is None else _ANSWERS * cost, seconds


def verdicts_of(
    session: Session, row: EvaluationRow, duels: Sequence[DuelView], *, by_people: bool
) -> list[VerdictView]:
    """A verdict on each pair of `duels`; `by_people` tells whether people judged, and not models alone."""
    models = stored.models(session, row.id)
    names = {model.id: model.name for model in models}
    expenses = {model.name: ModelExpenses(from_files=model.endpoint_id is None) for model in models}
    for answer in stored.answers_without_texts(session, row.id):
        expenses[names[answer.model_id]].add(answer)
    return [verdict_of(duel, row.margin, expenses, by_people=by_people) for duel in duels]


def verdict_of(duel: DuelView, margin: float, expenses: Mapping[str, ModelExpenses], *, by_people: bool) -> VerdictView:
    """The verdict on a duel for one model against the other.

    It is for the cheaper one, or without costs for the one that was asked beside finished answers, or else the second.
    """
    is_first = _is_first_in_question(expenses[duel.first], expenses[duel.second])
    names = (duel.first, duel.second) if is_first else (duel.second, duel.first)
    share = duel.share if is_first else 1 - duel.share
    low, high = (duel.low, duel.high) if is_first else (1 - duel.high, 1 - duel.low)
    state, needs = _judged(duel, share, 1 / (1 + 10 ** (margin / 400)))
    return VerdictView(
        model=names[0],
        against=names[1],
        state=state,
        margin=margin,
        share=share,
        low=low,
        high=high,
        points=_points(share),
        points_low=_points(low),
        points_high=_points(high),
        more=needs.judgements,
        more_questions=None if duel.missing_questions else needs.questions,
        missing_questions=duel.missing_questions,
        by_people=by_people,
        **_savings(expenses[names[0]], expenses[names[1]]),
    )


def _cost(answer: EvaluationAnswerRow) -> float | None:
    """Dollars of an answer: those that a log of calls has, or counted tokens by the prices of its endpoint."""
    if (logged := answer.settings.get("cost")) is not None:
        return logged
    price_in, price_out = answer.settings.get("price_in"), answer.settings.get("price_out")
    if answer.tokens is None or answer.sent is None or price_in is None or price_out is None:
        return None
    return (answer.sent * price_in + (answer.tokens - answer.sent) * price_out) / _MILLION


def _is_first_in_question(first: ModelExpenses, second: ModelExpenses) -> bool:
    (cost, _), (other, _) = first.beside(second), second.beside(first)
    if cost is None or other is None or cost == other:
        return second.from_files and not first.from_files
    return cost < other


def _judged(duel: DuelView, share: float, bound: float) -> tuple[VerdictState, Needs]:
    """The state of a duel, and what is missing for another than an open one at the same share."""
    if share > bound and is_excluded(bound, share, duel.independent, duel.items):
        return VerdictState.NOT_WORSE, Needs(0)
    if duel.significant and share < EVEN:
        return VerdictState.WORSE, Needs(0)
    judgements = Judgements(duel.judgements, duel.items, duel.questions, duel.between)
    chances = ([bound] if share > bound else []) + ([EVEN] if share < EVEN else [])
    times = min((times_to_exclude(chance, share, duel.independent) for chance in chances), default=math.inf)
    return VerdictState.OPEN, judgements.needs(times)


def _points(share: float) -> float | None:
    """The difference in points at which a model wins this share; None at 0 and 1, and next to them by rounding."""
    return _POINTS * math.log(share / (1 - share)) if _ROUNDING < share < 1 - _ROUNDING else None


def _savings(expenses: ModelExpenses, other: ModelExpenses) -> dict[str, Any]:
    (cost, seconds), (cost_against, seconds_against) = expenses.beside(other), other.beside(expenses)
    return {
        "cheaper": _saved(cost, cost_against),
        "cost": cost,
        "cost_against": cost_against,
        "priced_on": None if cost is None else max(expenses.days | other.days),
        "faster": _saved(seconds, seconds_against),
        "seconds": seconds,
        "seconds_against": seconds_against,
        "answers": expenses.answers,
        "failed": expenses.failed,
        "answers_against": other.answers,
        "failed_against": other.failed,
    }


def _saved(value: float | None, other: float | None) -> float | None:
    """The part of the other's expense that is saved, negative if it is more."""
    return None if value is None or not other else 1 - value / other


def _over(mean: Callable[[Iterable[float]], float], values: Mapping[int, float], keys: Iterable[int]) -> float | None:
    chosen = [values[key] for key in keys]
    return mean(chosen) if chosen else None
