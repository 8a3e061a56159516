"""Work of judges: who may judge, and which answers are left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.adapters.store import budgets, endpoints
from arena.adapters.store.tables import EndpointRow
from arena.domain.errors import Invalid
from arena.domain.terms import EndpointState, Use
from arena.evaluations.domain.people import protocol
from arena.evaluations.domain.terms import ScoredBy
from arena.evaluations.store import evaluations as stored
from arena.evaluations.store import judgements
from arena.evaluations.store.judgements import JudgedPair
from arena.evaluations.usecases.definition import found
from arena.evaluations.usecases.generation import ModelRun
from arena.evaluations.usecases.judges.judging_material import Material, NewJudging, material_of, prompt_of
from arena.evaluations.usecases.judges.judging_pairs import meets, to_judge

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from sqlalchemy.orm import Session

    from arena.calls.capped_calls import Dialogue
    from arena.evaluations.store.tables import EvaluationModelRow

_PRICED: Final = 1_000_000
"""Tokens that a price is for."""


@dataclass(slots=True)
class Work:
    """The pairs that one judge has still to judge, its prices per token in and out, and what it may still cost."""

    judge_id: int
    run: ModelRun
    pairs: Sequence[JudgedPair]
    prices: tuple[float, float] | None
    budget: float | None
    spent: float = 0.0

    def cost(self, talk: Dialogue) -> float | None:
        """US dollars of a judgement; None without prices."""
        if self.prices is None:
            return None
        return talk.sent * self.prices[0] + (talk.tokens - talk.sent) * self.prices[1]


def plan_judging(session: Session, name: str, new: NewJudging, day: date) -> tuple[Material, list[Work]]:
    """Work that each judge has left on a day; nobody is asked before all of it is clear.

    Raises:
        EvaluationNotFound: There is none of this name.
        Invalid: A judge, the rubric, its language, a right answer or the baseline is missing.
    """
    row = found(session, name)
    if protocol(row.protocol).scored_by is not ScoredBy.PEOPLE:
        raise Invalid(f"{name} is by {row.protocol}; judges compare answers to open questions.")
    material = material_of(session, row, new)
    models = {each.id: each for each in stored.models(session, row.id)}
    if new.baseline is not None and new.baseline not in {each.name for each in models.values()}:
        raise Invalid(f"The baseline {new.baseline} has no answers here; it is one of the models of {name}.")
    judges = [_judge(session, each, new.budget, day) for each in dict.fromkeys(new.judges)]
    wanted = [each for each in to_judge(row, material, list(models.values())) if meets(each, models, new.baseline)]
    for pair in wanted:
        prompt_of(material, pair)
    return material, [_work(session, material, each, wanted, models, new.budget) for each in judges]


def _judge(session: Session, name: str, budget: float | None, day: date) -> EndpointRow:
    row = endpoints.by_name(session, name)
    if row is None:
        raise Invalid(f"There is no endpoint {name!r} to judge.")
    if row.state is not EndpointState.ACTIVE:
        raise Invalid(f"{name} is {row.state}, so it cannot judge.")
    if not budgets.is_allowed(session, row, Use.JUDGING):
        raise Invalid(f"{name} has no leave to judge; its owner has to give it: arena endpoints use {name} judging.")
    if budgets.use_spent(session, row.id, Use.JUDGING, day):
        raise Invalid(f"{name} has no calls left for judging today (UTC).")
    if budget is not None and _prices(row) is None:
        raise Invalid(f"{name} has no prices, so nobody can keep it within a budget.")
    return row


def _prices(row: EndpointRow) -> tuple[float, float] | None:
    if row.price_in is None or row.price_out is None:
        return None
    return row.price_in / _PRICED, row.price_out / _PRICED


def _work(
    session: Session,
    material: Material,
    judge: EndpointRow,
    wanted: list[JudgedPair],
    models: dict[int, EvaluationModelRow],
    budget: float | None,
) -> Work:
    own = {each.id for each in models.values() if _related(session, judge, each)}
    mine = [pair for pair in wanted if not own & {pair.first_id, pair.second_id}]
    done = judgements.judged(
        session, material.evaluation_id, judge.id, material.rubric.name, material.rubric.version
    ).intersection(mine)
    left = [pair for pair in mine if pair not in done]
    return Work(judge.id, ModelRun(judge.name, len(done), 0, len(left)), left, _prices(judge), budget)


def _related(session: Session, judge: EndpointRow, model: EvaluationModelRow) -> bool:
    """Whether a model is the judge itself, another version of it, or of its owner."""
    row = session.get(EndpointRow, model.endpoint_id) if model.endpoint_id is not None else None
    if row is None:
        return model.name == judge.name
    return row.owner_id == judge.owner_id or (row.family or row.name) == (judge.family or judge.name)
