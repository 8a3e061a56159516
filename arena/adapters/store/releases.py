"""Queries about releases: which voted battles their voters let everybody read, and what was released."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import exists, select

from arena.adapters.store import takedowns, voters
from arena.adapters.store.conversations import current
from arena.adapters.store.tables import BattleRow, EndpointRow, ExclusionRow, ReleaseRow, TurnRow, VoteRow
from arena.domain.terms import Side, TurnState

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

_LEFT = EndpointRow.__table__.alias("left")
_RIGHT = EndpointRow.__table__.alias("right")
_PIECE = 500


@dataclass(frozen=True, slots=True)
class Consent:
    """Conditions of a release: the lowest version of the terms that allows it, and the time of the newest votes."""

    terms: int
    until: datetime


def consented(session: Session, consent: Consent) -> list[str]:
    """The battles that may be released, in the order of their ids."""
    return list(session.scalars(_battles(consent)))


def of_battles(session: Session, battles: Sequence[str]) -> Iterator[tuple[BattleRow, VoteRow, str, str]]:
    """Each of these battles with its vote and both names.

    Left out are those with a turn without answers or with images, and those whose texts were taken down.
    """
    query = (
        select(BattleRow, VoteRow, _LEFT.c.name, _RIGHT.c.name)
        .join(VoteRow, VoteRow.battle_id == BattleRow.id)
        .join(_LEFT, _LEFT.c.id == VoteRow.endpoint_a_id)
        .join(_RIGHT, _RIGHT.c.id == VoteRow.endpoint_b_id)
        .order_by(BattleRow.id)
    )
    blocked = takedowns.all_blocked(session)
    for start in range(0, len(battles), _PIECE):
        for battle, vote, a, b in session.execute(query.where(BattleRow.id.in_(battles[start : start + _PIECE]))):
            if all(map(_fit, battle.turns)) and takedowns.digest(battle) not in blocked:
                yield battle, vote, a, b


def named(session: Session, name: str) -> ReleaseRow | None:
    """The release of this name."""
    return session.get(ReleaseRow, name)


def all_releases(session: Session) -> Sequence[ReleaseRow]:
    """Every release, in the order of building."""
    return session.scalars(select(ReleaseRow).order_by(ReleaseRow.built_at, ReleaseRow.name)).all()


def _battles(consent: Consent) -> Select[str]:
    return (
        select(BattleRow.id)
        .join(VoteRow, VoteRow.battle_id == BattleRow.id)
        .join(_LEFT, _LEFT.c.id == VoteRow.endpoint_a_id)
        .join(_RIGHT, _RIGHT.c.id == VoteRow.endpoint_b_id)
        .where(_LEFT.c.listed, _RIGHT.c.listed, ~BattleRow.withdrawn, voters.agreed(consent.terms))
        .where(VoteRow.created_at <= consent.until, VoteRow.not_counted.is_(None))
        .where(~exists().where(ExclusionRow.vote_number == VoteRow.number))
        .order_by(BattleRow.id)
    )


def _fit(turn: TurnRow) -> bool:
    """Whether both sides have answered and all that was asked is text."""
    return turn.state is TurnState.READY and not turn.images and len(current(turn)) == len(Side)
