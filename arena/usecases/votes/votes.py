"""Acts on votes: cast, reveal again, compare with others, exclude."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError

from arena.adapters.observability import metrics
from arena.adapters.observability.evaluation_events import evaluated
from arena.adapters.store import conversations, log_leaves, shares, votes
from arena.adapters.store.engine.transactions import read_transaction
from arena.domain.errors import AlreadyExcluded, AlreadyVoted, ArenaError, BattleNotFound, NotFound, NotVoted
from arena.domain.schemas.votes import CrowdView, ReasoningView, ThoughtView
from arena.usecases.votes import batch
from arena.usecases.votes.erasure import exclude_by_row
from arena.usecases.votes.rule import PendingVote
from arena_trust.tlog.promises import Promise

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables.conversations import BattleRow
    from arena.domain.schemas.votes import RevealView
    from arena.domain.terms import Voter
    from arena.usecases.votes.ballot import Ballot
    from arena.usecases.votes.rule import CastResult
    from arena_trust.tlog.keys import Signer


async def cast_vote(database: Database, ballot: Ballot, promises: Signer | None = None) -> RevealView:
    """Append one vote to the vote log; when this returns, it is on disk and the names may be shown.

    With `promises`, the reveal has a signed promise that the vote's leaf will be in the transparency log.

    Raises:
        BattleNotFound: Unknown, or another voter's.
        TurnRunning, TurnNotReady, BattleClosed: There are no two finished answers to vote on.
        AnswersChanged: The voter judges other answers than the newest ones.
        AlreadyVoted: Carries the reveal of the first vote.
        KeyReused: The key was used before with another outcome or battle.
        StoreUnavailable: Nothing was saved.
    """
    result = await database.batch(batch.cast, ballot)
    if isinstance(result, PendingVote):
        result = await _cast_alone(database, result)
    if result.new:
        metrics.VOTES.labels(ballot.outcome, str(result.reveal.counted).lower()).inc()
        if result.reveal.counted:
            reveal = result.reveal
            evaluated("arena.vote", a=reveal.a.name, b=reveal.b.name, outcome=reveal.outcome)
    if not result.new:
        stored = await database.read(_stored_reveal, ballot.battle_id, promises if result.is_own else None)
        if not result.is_own:
            raise AlreadyVoted(stored)
        return stored
    return _with_promise(result.reveal, result.leaf, ballot.now, promises) if promises else result.reveal


async def _cast_alone(database: Database, vote: PendingVote) -> CastResult:
    """Record a vote that could not be decided in a batch."""
    try:
        (result,) = await database.write(batch.record, [vote], wait=True)
    except IntegrityError:
        # Another request with the same battle or key was faster; the second attempt finds its row.
        (result,) = await database.write(batch.record, [vote], wait=True)
    if isinstance(result, PendingVote):
        raise BattleNotFound
    if isinstance(result, ArenaError):
        raise result
    return result


@read_transaction
def reveal_again(session: Session, voter: Voter, battle_id: str, promises: Signer | None = None) -> RevealView:
    """The reveal of a battle that this voter has voted on; it says what has become of the vote.

    Raises:
        BattleNotFound: Unknown, or another voter's.
        NotVoted: There is no vote yet.
    """
    _battle_of(session, voter, battle_id)
    is_shared = shares.of_battle(session, battle_id) is not None
    return _stored_reveal(session, battle_id, promises).model_copy(update={"shared": is_shared})


@read_transaction
def crowd(session: Session, voter: Voter, battle_id: str) -> CrowdView:
    """Earlier choices of other people for the same pair and kind of answers, for the voter of a voted battle.

    Raises:
        BattleNotFound: Unknown, or another voter's.
        NotVoted: There is no vote yet.
    """
    place = votes.place(session, battle_id, voter.key)
    if place is None:
        _battle_of(session, voter, battle_id)
        raise NotVoted
    return CrowdView(**votes.people_of_pair(session, place, other_than=voter.key))


@read_transaction
def reasoning(session: Session, voter: Voter, battle_id: str) -> ReasoningView:
    """Reasoning of both sides, as far as it is stored, for the voter of a voted battle.

    Raises:
        BattleNotFound: Unknown, or another voter's.
        NotVoted: There is no vote yet, and reasoning may identify the models.
    """
    battle = _battle_of(session, voter, battle_id)
    if votes.of_battle(session, battle_id) is None:
        raise NotVoted
    thoughts = {
        turn.number: {reply.side: reply.reasoning for reply in conversations.current(turn) if reply.reasoning}
        for turn in battle.turns
    }
    return ReasoningView(
        turns=[ThoughtView(number=number, thoughts=result) for number, result in thoughts.items() if result]
    )


async def exclude(database: Database, number: int, *, reason: str, by: str, now: datetime) -> None:
    """Exclude vote `number` from the count by a new row; the vote itself stays.

    Raises:
        NotFound: There is no such vote.
        AlreadyExcluded: It is excluded already.
    """
    try:
        await database.write(_exclude, number, reason, by, now)
    except IntegrityError:
        raise AlreadyExcluded from None


def _stored_reveal(session: Session, battle_id: str, promises: Signer | None) -> RevealView:
    """The reveal of a stored vote; its promise has the bytes of the first one, since signing is deterministic."""
    vote = votes.of_battle(session, battle_id)
    if vote is None:
        raise NotVoted
    reveal = votes.reveal(session, vote)
    leaf = log_leaves.of_vote(session, vote.number) if promises else None
    return _with_promise(reveal, leaf.data, vote.created_at, promises) if promises and leaf else reveal


def _with_promise(reveal: RevealView, leaf: bytes, moment: datetime, promises: Signer) -> RevealView:
    promise = Promise.of(leaf, int(moment.timestamp())).signed(promises)
    return reveal.model_copy(update={"promise": promise})


def _battle_of(session: Session, voter: Voter, battle_id: str) -> BattleRow:
    return conversations.owned(session, conversations.BATTLES, battle_id, voter.key)


def _exclude(session: Session, number: int, reason: str, by: str, now: datetime) -> None:
    if votes.by_number(session, number) is None:
        raise NotFound(f"There is no vote {number}.")
    exclude_by_row(session, number, reason, by, now)
