"""Preferred and other answers of voted battles, for training, from voters who allow the release of conversations."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.adapters.store import decisions
from arena.adapters.store import releases as stored
from arena.adapters.store.engine.transactions import read_transaction
from arena.adapters.store.releases import BEGINNING, Period
from arena.domain.preference_pairs import WRITTEN, pair_line
from arena.domain.terms import Outcome
from arena.usecases.releases.conversations import turns_of
from arena.usecases.releases.periods import DELAY
from arena.usecases.releases.selection import personal_kind
from arena_trust.integrity.weights_in_force import WeightsInForce

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.tables.conversations import BattleRow, VoteRow

UNWEIGHTED: Final = "weight_0"
"""Reason of a vote that the gate, or an operator, gives no weight."""


@read_transaction
def export_pairs(session: Session, write: Callable[[bytes], object], terms: int, now: datetime) -> Counter[str]:
    """Write a line for each vote for one of both answers; returns how many were `WRITTEN`, and left out by reason.

    The votes are those that a release may have: counted, on listed models, not withdrawn, at least `DELAY` old, of
    voters who have agreed to the version `terms` of the terms or a later one, without images and without personal data
    that is recognised. A pair tells neither the voter nor the time; its weight is the vote's by the decisions so far.
    """
    counts: Counter[str] = Counter()
    for line, fate in _pairs(session, Period(BEGINNING, now - DELAY), terms):
        write(line)
        counts[fate] += 1
    return counts


def _pairs(session: Session, period: Period, terms: int) -> Iterator[tuple[bytes, str]]:
    """Each vote's line and its fate; no line for one that is left out."""
    weights = WeightsInForce()
    decisions.apply(session, weights, decisions.last(session))
    for battle, vote, *names in stored.of_battles(session, stored.consented(session, terms, period)):
        weight = _weight(weights, vote.number)
        fate = _reason(battle, vote, weight)
        yield (b"" if fate else _line(battle, vote, names, weight)), fate or WRITTEN


def _weight(weights: WeightsInForce, number: int) -> float:
    column = weights.weights(np.array([number], np.int64))
    return 1.0 if column is None else float(column[0])


def _reason(battle: BattleRow, vote: VoteRow, weight: float) -> str | None:
    """Why a vote gives no pair, if so; texts are searched last, since that takes longest."""
    if vote.outcome not in {Outcome.A, Outcome.B}:
        return vote.outcome
    return UNWEIGHTED if weight == 0 else personal_kind(turns_of(battle))


def _line(battle: BattleRow, vote: VoteRow, names: list[str], weight: float) -> bytes:
    turns = turns_of(battle)
    a, b = (names[0], [turn.a for turn in turns]), (names[1], [turn.b for turn in turns])
    chosen, rejected = (a, b) if vote.outcome == Outcome.A else (b, a)
    return pair_line([turn.prompt for turn in turns], chosen, rejected, weight)
