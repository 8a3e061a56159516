"""Acts on remarks: reasons and stars for each side, given after the vote; no rating reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError

from arena.adapters.store import conversations, votes
from arena.adapters.store.engine.transactions import read_transaction
from arena.adapters.store.tables.conversations import RemarkRow
from arena.domain.errors import AlreadyRemarked, Invalid, NotVoted
from arena.domain.schemas.votes import RemarksView, RemarkView
from arena.domain.terms import Criterion, Reason, Side

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.domain.terms import Voter


async def remark(database: Database, voter: Voter, battle_id: str, remarks: RemarksView, now: datetime) -> RemarksView:
    """Add remarks to a vote; the same ones again change nothing.

    Raises:
        BattleNotFound: Unknown, or another voter's.
        NotVoted: There is no vote yet.
        Invalid: There is no reason and no star.
        AlreadyRemarked: A side has other remarks already.
    """
    parts = {side: _in_order(part) for side in Side if (part := getattr(remarks, side)) is not None}
    if not any(part.reasons or part.stars for part in parts.values()):
        raise Invalid(rule="remarks")
    try:
        return await database.write(_remark, voter, battle_id, parts, now)
    except IntegrityError:
        # Another request for the same vote was faster; the second attempt finds its rows.
        return await database.write(_remark, voter, battle_id, parts, now)


@read_transaction
def remarked(session: Session, voter: Voter, battle_id: str) -> RemarksView:
    """The remarks of this voter on this battle.

    Raises:
        BattleNotFound: Unknown, or another voter's.
        NotVoted: There is no vote yet.
    """
    return RemarksView(**_stored(session, _vote(session, voter, battle_id)))


def _in_order(remark: RemarkView) -> RemarkView:
    """The remark in canonical order and without repeats, so that equal remarks compare equal."""
    return RemarkView(
        reasons=[reason for reason in Reason if reason in remark.reasons],
        stars={criterion: remark.stars[criterion] for criterion in Criterion if criterion in remark.stars},
    )


def _remark(
    session: Session, voter: Voter, battle_id: str, parts: dict[Side, RemarkView], now: datetime
) -> RemarksView:
    number = _vote(session, voter, battle_id)
    stored = _stored(session, number)
    for side, part in parts.items():
        if stored.get(side, part) != part:
            raise AlreadyRemarked
        if side not in stored and (part.reasons or part.stars):
            session.add(_row(number, side, part, now))
            stored[side] = part
    session.flush()
    return RemarksView(**stored)


def _vote(session: Session, voter: Voter, battle_id: str) -> int:
    conversations.owned(session, conversations.BATTLES, battle_id, voter.key)
    vote = votes.of_battle(session, battle_id)
    if vote is None:
        raise NotVoted
    return vote.number


def _stored(session: Session, number: int) -> dict[Side, RemarkView]:
    return {
        row.side: RemarkView(
            reasons=[Reason(word) for word in row.reasons],
            stars={Criterion(word): stars for word, stars in row.stars.items()},
        )
        for row in votes.remarks_of(session, number)
    }


def _row(number: int, side: Side, part: RemarkView, now: datetime) -> RemarkRow:
    return RemarkRow(vote_number=number, side=side, reasons=list(part.reasons), stars={**part.stars}, created_at=now)
