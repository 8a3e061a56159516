"""The rule of voting: whether a ballot on a battle is stored, repeats an earlier vote, or is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.domain.errors import (
    AnswersChanged,
    BattleClosed,
    BattleNotFound,
    Closed,
    KeyReused,
    TurnNotReady,
    TurnRunning,
)
from arena.domain.schemas.votes import RevealView
from arena.domain.terms import BattleState, Part, TurnState

if TYPE_CHECKING:
    from arena.adapters.store.vote_batches import Identity, LockedBattle
    from arena.domain.terms import NotCounted, Outcome
    from arena.usecases.votes.assessment import Assessment
    from arena.usecases.votes.ballot import Ballot


@dataclass(frozen=True, slots=True)
class PendingVote:
    """An assessed ballot that is not stored yet."""

    ballot: Ballot
    identities: tuple[Identity, Identity]
    assessment: Assessment

    def reveal(self, outcome: Outcome, not_counted: NotCounted | None) -> RevealView:
        """The reveal of a vote on this battle with this outcome."""
        a, b = (identity.competitor for identity in self.identities)
        return RevealView(outcome=outcome, a=a, b=b, counted=not_counted is None, reason=not_counted)


@dataclass(frozen=True, slots=True)
class CastResult:
    """The reveal of a battle's vote; `is_own` if it is this ballot's, `new` if this request stored it, with a leaf."""

    reveal: RevealView
    is_own: bool
    new: bool
    leaf: bytes = b""


def decide(vote: PendingVote, battle: LockedBattle, key_use: str | None, *, closed: bool) -> CastResult | None:
    """The result of a ballot whose battle has a vote already; None if the ballot is to be stored.

    `key_use` is the battle on which the Idempotency-Key was used before; `closed`, whether the operator has closed
    voting.

    Raises:
        BattleNotFound, KeyReused, Closed, BattleClosed: The ballot is refused.
        TurnRunning, TurnNotReady, AnswersChanged: Its answers are not finished, or not the newest.
    """
    ballot, stored = vote.ballot, battle.vote
    if battle.voter_key != ballot.voter.key:
        raise BattleNotFound
    if key_use not in {None, ballot.battle_id}:
        raise KeyReused
    if stored is not None:
        is_own_key = ballot.key is not None and stored.key == ballot.key
        if is_own_key and stored.outcome is not ballot.outcome:
            raise KeyReused
        return CastResult(vote.reveal(stored.outcome, stored.not_counted), is_own=is_own_key, new=False)
    if closed:
        raise Closed(rule=Part.VOTING)
    _check_ready(vote.assessment, battle)
    if not ballot.shown.are(*battle.last[:2]):
        raise AnswersChanged
    return None


def _check_ready(assessment: Assessment, battle: LockedBattle) -> None:
    if battle.state is not BattleState.OPEN:
        raise BattleClosed
    _, _, state = battle.last
    if state is TurnState.RUNNING:
        raise TurnRunning
    # After a follow-up or a regeneration, the assessment is about other answers.
    if state is not TurnState.READY or battle.last != assessment.last:
        raise TurnNotReady
