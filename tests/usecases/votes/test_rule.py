"""One rule decides every vote, by the state of its battle and the ballot."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from arena.adapters.store.endpoints import Aliases
from arena.adapters.store.vote_batches import Identity, LockedBattle, StoredVote
from arena.domain.errors import BattleClosed, BattleNotFound, Closed, KeyReused, TurnNotReady, TurnRunning
from arena.domain.schemas.votes import CompetitorView
from arena.domain.terms import BattleState, NotCounted, Outcome, TurnState, Voter
from arena.usecases.votes.assessment import Assessment
from arena.usecases.votes.ballot import Ballot
from arena.usecases.votes.rule import PendingVote, decide

NOW = datetime(2026, 1, 1, tzinfo=UTC)
READY = (1, 0, TurnState.READY)
OPEN = LockedBattle("voter", BattleState.OPEN, (1, 2), "en", 1, READY, NOW, None)
VOTED = replace(OPEN, state=BattleState.VOTED, vote=StoredVote(Outcome.A, "k", None))


def identity(name: str) -> Identity:
    return Identity(
        CompetitorView(name=name, owner="o", licence="", link="", demo=False), (name,), Aliases((), ()), "wire"
    )


def vote(outcome=Outcome.A, key: str | None = "k", voter: str = "voter") -> PendingVote:
    ballot = Ballot(Voter(voter, "127.0.0.1"), "battle", outcome, key, NOW)
    return PendingVote(ballot, (identity("red"), identity("blue")), Assessment(READY, None, None, []))


def test_a_vote_on_an_open_and_ready_battle_is_to_be_stored():
    assert decide(vote(), OPEN, None, closed=False) is None


@pytest.mark.parametrize(
    ("battle", "error"),
    [
        (replace(OPEN, voter_key="another"), BattleNotFound),
        (replace(OPEN, state=BattleState.ABANDONED), BattleClosed),
        (replace(OPEN, state=BattleState.VOID, last=(1, 0, TurnState.FAILED)), BattleClosed),
        (replace(OPEN, last=(2, 0, TurnState.RUNNING)), TurnRunning),
        (replace(OPEN, last=(1, 0, TurnState.FAILED)), TurnNotReady),
        (replace(OPEN, last=(2, 0, TurnState.READY)), TurnNotReady),
        (replace(OPEN, last=(1, 1, TurnState.READY)), TurnNotReady),
    ],
)
def test_a_battle_in_any_other_state_refuses_it(battle, error):
    with pytest.raises(error):
        decide(vote(), battle, None, closed=False)


def test_where_voting_is_closed_only_votes_that_are_stored_are_told_again():
    with pytest.raises(Closed) as closed:
        decide(vote(), OPEN, None, closed=True)
    assert closed.value.params == {"rule": "voting"}
    assert decide(vote(), VOTED, "battle", closed=True) is not None


@pytest.mark.parametrize("battle", [OPEN, VOTED])
def test_a_key_that_was_used_on_another_battle_is_refused(battle):
    with pytest.raises(KeyReused):
        decide(vote(), battle, "another battle", closed=False)


def test_the_same_key_and_outcome_is_the_own_vote_and_its_stored_reveal():
    battle = replace(VOTED, vote=StoredVote(Outcome.A, "k", NotCounted.STOPPED))
    result = decide(vote(), battle, "battle", closed=False)
    assert (result.is_own, result.new) == (True, False)
    assert (result.reveal.outcome, result.reveal.counted, result.reveal.reason) == (
        *(Outcome.A, False, NotCounted.STOPPED),
    )
    assert (result.reveal.a.name, result.reveal.b.name) == ("red", "blue")


def test_the_same_key_with_another_outcome_is_refused():
    with pytest.raises(KeyReused):
        decide(vote(Outcome.B), VOTED, "battle", closed=False)


@pytest.mark.parametrize("key", [None, "another key"])
def test_a_second_vote_is_told_the_first_one_as_somebody_elses(key):
    result = decide(vote(Outcome.B, key), VOTED, None, closed=False)
    assert (result.is_own, result.new, result.reveal.outcome) == (False, False, Outcome.A)


def test_a_stranger_is_told_nothing_of_a_stored_vote():
    with pytest.raises(BattleNotFound):
        decide(vote(voter="stranger"), VOTED, None, closed=False)
