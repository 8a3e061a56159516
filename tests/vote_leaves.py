"""Leaves of the transparency log for votes that a test has inserted directly, as `cast_vote` would write them."""

from __future__ import annotations

import secrets
from datetime import UTC

from sqlalchemy import exists, select
from sqlalchemy.orm import aliased

from arena.adapters.store import log_leaves
from arena.adapters.store.tables.conversations import BattleRow, VoteRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.adapters.store.tables.transparency import LeafRow
from arena_trust.tlog.leaves import NONCE, CommittedVote, vote_leaf


def add_leaves(session, after: int = 0) -> None:
    """Append the leaf of every vote numbered above `after` that has none."""
    a, b = aliased(EndpointRow), aliased(EndpointRow)
    query = (
        select(VoteRow, a, b, BattleRow.probability)
        .join(a, a.id == VoteRow.endpoint_a_id)
        .join(b, b.id == VoteRow.endpoint_b_id)
        .outerjoin(BattleRow, BattleRow.id == VoteRow.battle_id)
        .where(VoteRow.number > after, ~exists().where(LeafRow.vote_number == VoteRow.number))
        .order_by(VoteRow.number)
    )
    rows = []
    for vote, left, right, chance in session.execute(query):
        nonce, listed = secrets.token_bytes(NONCE), left.listed and right.listed
        committed = CommittedVote(
            number=vote.number,
            day=vote.created_at.astimezone(UTC).date(),
            a=left.name,
            b=right.name,
            outcome=vote.outcome,
            reason=vote.not_counted,
            language=vote.language,
            turns=vote.turns,
            style=vote.style,
            chance=chance,
        )
        rows.append((vote.number, vote_leaf(committed, nonce, listed=listed), nonce, listed))
    if rows:
        log_leaves.add_votes(session, rows)
