from dataclasses import replace

import pytest
from sqlalchemy import select

from arena.adapters.limits import Allowance, MemoryLimits
from arena.adapters.store import voters
from arena.adapters.store.tables.conversations import BattleRow, VoteRow
from arena.domain.errors import AlreadyVoted, BattleNotFound, RateLimited, TermsNotAccepted
from arena.domain.terms import BattleState, Outcome, Voter
from arena.usecases.battles import battles
from arena.usecases.people.voters import BOARD_FROM, board, forget, history, tally
from arena.usecases.votes import votes
from arena.usecases.votes.ballot import Ballot
from arena.usecases.votes.shares import share, shared
from tests.usecases.battles.test_turns import follow, play


async def voted(runtime, voter, prompt="Hello", outcome=Outcome.A) -> str:
    battle, _ = await play(runtime, voter, prompt)
    await votes.cast_vote(runtime.database, Ballot(voter, battle.id, outcome, None, runtime.now()))
    return battle.id


@pytest.mark.both_databases
async def test_history_is_the_voters_own_newest_first_in_pages_with_names_after_the_vote_only(runtime, voter):
    ids = [await voted(runtime, voter, f"question {n}") for n in range(4)]
    battle, _ = await play(runtime, voter, "x" * 500)
    ids.append(battle.id)
    await voted(runtime, Voter("somebody else", "127.0.0.1"))
    first = await history(runtime.database, voter, before=None, limit=3)
    rest = await history(runtime.database, voter, before=first.next, limit=3)
    assert [item.id for item in (*first.battles, *rest.battles)] == ids[::-1]
    assert rest.next is None
    open_one, voted_one = first.battles[0], first.battles[1]
    assert (open_one.state, open_one.a, open_one.b, open_one.outcome) == (BattleState.OPEN, None, None, None)
    assert (len(open_one.prompt), voted_one.prompt) == (200, "question 3")
    assert {voted_one.a, voted_one.b} == {"red-7b", "blue-7b"}
    assert (voted_one.outcome, voted_one.counted) == (Outcome.A, True)
    with pytest.raises(BattleNotFound):
        await history(runtime.database, Voter("stranger", "127.0.0.1"), before=first.next, limit=3)


def test_the_personal_board_appears_with_the_tenth_vote_and_counts_a_tie_as_half():
    ballots = [("red", "blue", outcome) for outcome in Outcome] * 3
    assert tally(ballots[: BOARD_FROM - 1]).rows == []
    rows = {row.name: row for row in tally([*ballots, ("blue", "green", Outcome.A)]).rows}
    assert (rows["blue"].battles, rows["blue"].wins, rows["blue"].points) == (13, 4, 7.0)
    assert (rows["red"].wins, rows["red"].ties, rows["red"].both_bad, rows["red"].losses) == (3, 3, 3, 3)
    assert [row.name for row in tally([*ballots, ("blue", "green", Outcome.A)]).rows] == ["blue", "red", "green"]


async def test_the_personal_board_counts_the_voters_own_votes(runtime, voter):
    await voted(runtime, voter)
    await voted(runtime, Voter("somebody else", "127.0.0.1"))
    assert (await board(runtime.database, voter)).votes == 1


@pytest.mark.both_databases
async def test_being_forgotten_unties_battles_and_links_and_terms_but_keeps_the_votes(runtime, voter):
    runtime = replace(runtime, terms=1)
    battle = await battles.open_battle(runtime, voter, "Hello", terms=1)
    await follow(runtime, voter, battle.id)
    await votes.cast_vote(runtime.database, Ballot(voter, battle.id, Outcome.A, None, runtime.now()))
    link = await share(runtime.database, voter, battle.id, runtime.new_id(), runtime.now())

    def vote(session):
        return session.execute(select(VoteRow.number, VoteRow.voter_key, VoteRow.outcome, VoteRow.battle_id)).all()

    before = await runtime.database.read(vote)
    await forget(runtime.database, voter, runtime.new_id)
    assert (await history(runtime.database, voter, before=None, limit=9)).battles == []
    assert (await board(runtime.database, voter)).votes == 0
    for act in (battles.look(runtime, voter, battle.id), shared(runtime.database, link.token)):
        with pytest.raises(BattleNotFound):
            await act
    assert await runtime.database.read(voters.accepted_terms, voter.key) == 0
    assert await runtime.database.read(vote) == before
    keys = await runtime.database.read(lambda session: session.scalars(select(BattleRow.voter_key)).all())
    assert voter.key not in keys


async def test_forgotten_battles_are_tied_to_nobody_and_not_to_each_other(runtime, voter):
    for _ in range(3):
        await voted(runtime, voter)
    await forget(runtime.database, voter, runtime.new_id)
    keys = await runtime.database.read(lambda session: session.scalars(select(BattleRow.voter_key)).all())
    assert len(set(keys)) == 3


async def accepted_for(runtime, battle_id: str, terms: int) -> bool:
    """Whether the terms count as accepted for a battle: those that its own prompt accepts too."""
    query = select(BattleRow.id).where(BattleRow.id == battle_id, voters.has_agreed(terms))
    return await runtime.database.read(lambda session: session.scalar(query) is not None)


@pytest.mark.both_databases
async def test_the_first_prompt_needs_the_terms_and_later_ones_do_not(runtime, voter):
    runtime = replace(runtime, terms=2)
    for terms in (None, 1):
        with pytest.raises(TermsNotAccepted) as refused:
            await battles.open_battle(runtime, voter, "Hello", terms=terms)
        assert refused.value.terms == 2
    opened = await battles.open_battle(runtime, voter, "Hello", terms=2)
    assert await accepted_for(runtime, opened.id, 2)
    await battles.open_battle(runtime, voter, "Hello")
    with pytest.raises(TermsNotAccepted):
        await battles.open_battle(replace(runtime, terms=3), voter, "Hello")


async def test_somebody_who_is_not_admitted_leaves_no_row_behind(runtime, voter):
    full = MemoryLimits(Allowance(prompts_per_voter=1), lambda: 0.0)
    runtime = replace(runtime, terms=1, limits=full)
    await battles.open_battle(runtime, voter, "Hello", terms=1)
    newcomer = Voter("newcomer", voter.address)
    full.allowance = Allowance(prompts_per_address=1)
    with pytest.raises(RateLimited):
        await battles.open_battle(runtime, newcomer, "Hello", terms=1)
    assert await runtime.database.read(voters.accepted_terms, newcomer.key) == 0


@pytest.mark.both_databases
async def test_an_excluded_vote_counts_nowhere_in_the_voters_own_data_and_gives_the_reason(runtime, voter):
    battle_id = await voted(runtime, voter)
    await votes.exclude(runtime.database, 1, reason="one hand, many votes", by="me", now=runtime.now())
    (line,) = (await history(runtime.database, voter, before=None, limit=9)).battles
    assert (line.counted, line.excluded) == (False, "one hand, many votes")
    assert (await board(runtime.database, voter)).votes == 0
    reveal = await votes.reveal_again(runtime.database, voter, battle_id)
    assert (reveal.counted, reveal.excluded) == (False, "one hand, many votes")
    with pytest.raises(AlreadyVoted) as again:
        await votes.cast_vote(runtime.database, Ballot(voter, battle_id, Outcome.A, None, runtime.now()))
    assert again.value.reveal == reveal
