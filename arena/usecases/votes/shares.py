"""Acts on share links: make a voted battle public, withdraw it, read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError

from arena.adapters.store import conversations, votes
from arena.adapters.store import shares as stored
from arena.adapters.store.engine.transactions import read_transaction, write_transaction
from arena.adapters.store.tables.shares import ShareRow
from arena.domain.errors import BattleNotFound, NotListable, NotVoted, ShareBlocked
from arena.domain.schemas.battles import TurnView
from arena.domain.schemas.shares import SharedView, ShareView
from arena.domain.terms import TurnState

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables.conversations import BattleRow, TurnRow
    from arena.domain.terms import Voter


async def share(database: Database, voter: Voter, battle_id: str, token: str, now: datetime) -> ShareView:
    """Create the link of a voted battle, or return the existing one; `token` is used for a new link.

    Raises:
        BattleNotFound: Unknown, or another voter's.
        NotVoted: There is no vote yet.
        ShareBlocked: The operator has taken the same questions and answers down.
    """
    try:
        return await database.write(_share, voter, battle_id, token, now)
    except IntegrityError:
        # Another request was faster; the second attempt finds its link.
        return await database.write(_share, voter, battle_id, token, now)


@write_transaction
def withdraw(session: Session, voter: Voter, battle_id: str) -> None:
    """Withdraw the link, which is then no longer found.

    Raises:
        BattleNotFound: Unknown, or another voter's.
    """
    conversations.owned(session, conversations.BATTLES, battle_id, voter.key)
    stored.withdraw(session, battle_id)


@write_transaction
def put_on_list(session: Session, voter: Voter, battle_id: str, now: datetime) -> ShareView:
    """List a shared battle on the page of its two models, which its voter agrees to.

    Raises:
        BattleNotFound: Unknown, another voter's, or without a link.
        NotListable: It has images, its vote does not count, or its link was withdrawn before, reported or taken down.
    """
    battle, row = _own_share(session, voter, battle_id)
    stored.put_on_list(row, battle, now)
    session.flush()
    if any(turn.images for turn in battle.turns) or not stored.is_listed(session, row):
        raise NotListable
    return _view(row)


@write_transaction
def take_off_list(session: Session, voter: Voter, battle_id: str) -> ShareView:
    """Take a battle off the page of its two models; its link still works.

    Raises:
        BattleNotFound: Unknown, another voter's, or without a link.
    """
    _, row = _own_share(session, voter, battle_id)
    row.listed_at = row.pair = None
    return _view(row)


@read_transaction
def shared(session: Session, token: str) -> SharedView:
    """The battle as anybody with the link sees it.

    Raises:
        BattleNotFound: There is no such link, or it was withdrawn or taken down.
    """
    battle = stored.battle(session, token)
    vote = votes.of_battle(session, battle.id) if battle else None
    if battle is None or vote is None or stored.is_blocked(session, stored.digest(battle)):
        raise BattleNotFound
    return SharedView(
        turns=[_turn(turn) for turn in battle.turns],
        kind=battle.kind,
        images=sum(len(turn.images or ()) for turn in battle.turns),
        reveal=votes.reveal(session, vote),
        voted_at=vote.created_at,
    )


def _share(session: Session, voter: Voter, battle_id: str, token: str, now: datetime) -> ShareView:
    battle = conversations.owned(session, conversations.BATTLES, battle_id, voter.key)
    if votes.of_battle(session, battle_id) is None:
        raise NotVoted
    if stored.is_blocked(session, stored.digest(battle)):
        raise ShareBlocked
    row = stored.of_battle(session, battle_id)
    if row is None:
        row = ShareRow(token=token, battle_id=battle_id, created_at=now)
        session.add(row)
        session.flush()
    return _view(row)


def _own_share(session: Session, voter: Voter, battle_id: str) -> tuple[BattleRow, ShareRow]:
    battle = conversations.owned(session, conversations.BATTLES, battle_id, voter.key)
    row = stored.of_battle(session, battle_id)
    if row is None:
        raise BattleNotFound
    return battle, row


def _view(row: ShareRow) -> ShareView:
    return ShareView(token=row.token, created_at=row.created_at, listed=row.listed_at is not None)


def _turn(turn: TurnRow) -> TurnView:
    replies = conversations.current(turn)
    return TurnView(
        number=turn.number,
        prompt=turn.prompt,
        state=TurnState.READY,
        answers={reply.side: reply.text for reply in replies},
        cut=conversations.cut_sides(replies),
    )
