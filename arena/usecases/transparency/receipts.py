"""Receipts: proofs for voters that their votes are in the log.

A receipt has the vote and the nonce that opens its leaf, so it proves to anybody who sees it how its voter voted.
"""

from __future__ import annotations

import asyncio
import json
from datetime import UTC
from functools import lru_cache
from typing import TYPE_CHECKING

from arena.adapters.store import checkpoints, conversations, endpoints, log_leaves, votes
from arena.adapters.store.checkpoints import Purpose
from arena.domain.errors import NotLogged, NotVoted
from arena_trust.tlog.checkpoints import Proof
from arena_trust.tlog.hashing import Unsound
from arena_trust.tlog.keys import VerifierKey
from arena_trust.tlog.leaves import CommittedVote
from arena_trust.tlog.notes import SignedNote
from arena_trust.tlog.proofs import inclusion_proof
from arena_trust.tlog.tiles import subtrees

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.adapters.log_files import LogFiles
    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables.checkpoints import CheckpointRow
    from arena.adapters.store.tables.conversations import VoteRow
    from arena.adapters.store.tables.transparency import LeafRow
    from arena.domain.terms import Voter
    from arena_trust.tlog.proofs import Subtrees


async def receipt(database: Database, files: LogFiles, voter: Voter, battle_id: str) -> str:
    """The proof of a voter's vote as the text of a `.tlog-proof`, with an extra line that opens the leaf.

    Raises:
        BattleNotFound: Unknown, or another voter's.
        NotVoted: There is no vote yet.
        NotLogged: The vote is not in a signed log yet.
    """
    index, newest, extra = await database.read(_vote_leaf, voter, battle_id)

    def path() -> list[bytes]:
        return inclusion_proof(_reader(files, newest.size, newest.note), index, newest.size)

    try:
        return str(Proof(index, await asyncio.to_thread(path), newest.note, extra))
    except Unsound:
        # The log's files come through a shared folder, perhaps a moment later.
        raise NotLogged from None


@lru_cache(4)
def _reader(files: LogFiles, size: int, note: str) -> Subtrees:
    """A reader of one size of a log, kept for further receipts, since what it reads never changes.

    Raises:
        Unsound: The key that signed `note` is not published yet.
    """
    SignedNote.parse(note).signed_by([VerifierKey.parse(files.key())])
    return subtrees(files.read, size)


def _vote_leaf(session: Session, voter: Voter, battle_id: str) -> tuple[int, CheckpointRow, bytes]:
    battle = conversations.owned(session, conversations.BATTLES, battle_id, voter.key)
    vote = votes.of_battle(session, battle_id)
    if vote is None:
        raise NotVoted
    leaf, key = log_leaves.of_vote(session, vote.number), checkpoints.current_key(session, Purpose.CHECKPOINT)
    newest = checkpoints.newest(session, key.name) if key else None
    if leaf is None or newest is None or leaf.number > newest.last_leaf:
        raise NotLogged
    return (
        checkpoints.index_of(session, newest.origin, leaf.number),
        newest,
        _opening(session, vote, leaf, battle.probability),
    )


def _opening(session: Session, vote: VoteRow, leaf: LeafRow, chance: float) -> bytes:
    """JSON of the leaf's text, its nonce and the canonical vote; of the text alone if the nonce is erased."""
    names = endpoints.by_id(session, (vote.endpoint_a_id, vote.endpoint_b_id))
    commitment = CommittedVote(
        number=vote.number,
        day=vote.created_at.astimezone(UTC).date(),
        a=names[vote.endpoint_a_id].name,
        b=names[vote.endpoint_b_id].name,
        outcome=vote.outcome,
        reason=vote.not_counted,
        language=vote.language,
        turns=vote.turns,
        style=vote.style,
        chance=chance,
    )
    opening = {"nonce": leaf.nonce.hex(), "vote": commitment.canonical.decode()} if leaf.nonce else {}
    return json.dumps({"leaf": leaf.data.decode(), **opening}, ensure_ascii=False, separators=(",", ":")).encode()
