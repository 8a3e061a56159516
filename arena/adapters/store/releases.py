"""Queries about releases, and about voted battles whose voters allow their release."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from sqlalchemy import exists, func, select

from arena.adapters.store import shares, voters
from arena.adapters.store.conversations import current
from arena.adapters.store.tables.conversations import BattleRow, ExclusionRow, TurnRow, VoteRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.adapters.store.tables.operations import ReleaseRow
from arena.domain.terms import Side, TurnState

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

_LEFT = EndpointRow.__table__.alias("left")
_RIGHT = EndpointRow.__table__.alias("right")
_PIECE = 500
BEGINNING: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""A time before every vote."""


@dataclass(frozen=True, slots=True)
class Period:
    """The period of a release's votes, from `since` to before `until`."""

    since: datetime
    until: datetime

    def holds(self, moment: datetime) -> bool:
        """Whether a time is in the period."""
        return self.since <= moment < self.until


def consented(session: Session, terms: int, period: Period) -> list[str]:
    """Ids of the battles that may be released, ascending; `terms` is the lowest version that allows it."""
    return list(session.scalars(_battles(terms, period)))


def count(session: Session, terms: int, period: Period) -> int:
    """The number of battles that may be released."""
    return session.scalar(select(func.count()).select_from(_battles(terms, period).subquery())) or 0


def of_battles(session: Session, battles: Sequence[str]) -> Iterator[tuple[BattleRow, VoteRow, str, str]]:
    """Each of these battles with its vote and both names.

    Left out are battles with images, a turn without two answers, or texts that were taken down.
    """
    query = (
        select(BattleRow, VoteRow, _LEFT.c.name, _RIGHT.c.name)
        .join(VoteRow, VoteRow.battle_id == BattleRow.id)
        .join(_LEFT, _LEFT.c.id == VoteRow.endpoint_a_id)
        .join(_RIGHT, _RIGHT.c.id == VoteRow.endpoint_b_id)
        .order_by(BattleRow.id)
    )
    blocked = shares.blocked(session)
    for start in range(0, len(battles), _PIECE):
        for battle, vote, a, b in session.execute(query.where(BattleRow.id.in_(battles[start : start + _PIECE]))):
            if all(map(_is_releasable, battle.turns)) and shares.digest(battle) not in blocked:
                yield battle, vote, a, b


def named(session: Session, name: str) -> ReleaseRow | None:
    """The release of this name."""
    return session.get(ReleaseRow, name)


def released_until(session: Session) -> datetime:
    """The end of the newest published release's period; `BEGINNING` if there is none."""
    return session.scalar(select(func.max(ReleaseRow.until)).where(ReleaseRow.published_at.is_not(None))) or BEGINNING


def prompts_before(session: Session, voters: Sequence[str], moment: datetime) -> dict[str, list[str]]:
    """All prompts of each of these voters in battles with a vote before this time."""
    results: defaultdict[str, list[str]] = defaultdict(list)
    query = select(VoteRow.voter_key, TurnRow.prompt).join(TurnRow, TurnRow.battle_id == VoteRow.battle_id)
    query = query.where(VoteRow.created_at < moment).order_by(VoteRow.number, TurnRow.number)
    for start in range(0, len(voters), _PIECE):
        for voter, prompt in session.execute(query.where(VoteRow.voter_key.in_(voters[start : start + _PIECE]))):
            results[voter].append(prompt)
    return results


def all_releases(session: Session) -> Sequence[ReleaseRow]:
    """Every release, in the order of building."""
    return session.scalars(select(ReleaseRow).order_by(ReleaseRow.built_at, ReleaseRow.name)).all()


def _battles(terms: int, period: Period) -> Select[str]:
    return (
        select(BattleRow.id)
        .join(VoteRow, VoteRow.battle_id == BattleRow.id)
        .join(_LEFT, _LEFT.c.id == VoteRow.endpoint_a_id)
        .join(_RIGHT, _RIGHT.c.id == VoteRow.endpoint_b_id)
        .where(_LEFT.c.listed, _RIGHT.c.listed, ~BattleRow.withdrawn, voters.has_agreed(terms))
        .where(VoteRow.created_at >= period.since, VoteRow.created_at < period.until, VoteRow.not_counted.is_(None))
        .where(~exists().where(ExclusionRow.vote_number == VoteRow.number))
        .order_by(BattleRow.id)
    )


def _is_releasable(turn: TurnRow) -> bool:
    """Whether a turn has both answers and no images."""
    return turn.state is TurnState.READY and not turn.images and len(current(turn)) == len(Side)
