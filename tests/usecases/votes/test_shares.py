import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import update

from arena.adapters.store import shares as stored
from arena.adapters.store.tables.conversations import BattleRow, TurnRow, VoteRow
from arena.domain.errors import BattleNotFound, NotListable, NotVoted
from arena.domain.terms import NotCounted, Outcome, Side, Voter
from arena.usecases.people import takedowns, voters
from arena.usecases.votes import votes
from arena.usecases.votes.ballot import Ballot
from arena.usecases.votes.shares import put_on_list, share, shared, take_off_list, withdraw
from tests.usecases.battles.test_turns import play

STRANGER = Voter("stranger", "127.0.0.1")


@pytest.fixture
async def voted(runtime, voter) -> str:
    battle, _ = await play(runtime, voter)
    await votes.cast_vote(runtime.database, Ballot(voter, battle.id, Outcome.TIE, None, runtime.now()))
    return battle.id


async def test_a_link_shows_the_finished_battle_with_its_names(runtime, voter, voted):
    link = await share(runtime.database, voter, voted, runtime.new_id(), runtime.now())
    view = await shared(runtime.database, link.token)
    assert {view.reveal.a.name, view.reveal.b.name} == {"red-7b", "blue-7b"}
    assert view.reveal.outcome is Outcome.TIE
    assert [set(turn.answers) for turn in view.turns] == [set(Side)]
    assert voted not in view.model_dump_json()


@pytest.mark.both_databases
async def test_a_battle_has_one_link_however_often_it_is_asked_for(runtime, voter, voted):
    links = await asyncio.gather(
        *(share(runtime.database, voter, voted, f"token {n}", runtime.now()) for n in range(5))
    )
    assert len({link.token for link in links}) == 1


async def test_there_is_no_link_before_the_vote_and_none_for_a_stranger(runtime, voter, voted):
    battle, _ = await play(runtime, voter)
    with pytest.raises(NotVoted):
        await share(runtime.database, voter, battle.id, "token", runtime.now())
    with pytest.raises(BattleNotFound):
        await share(runtime.database, STRANGER, voted, "token", runtime.now())
    with pytest.raises(BattleNotFound):
        await shared(runtime.database, "token")


async def test_a_withdrawn_link_shows_nothing_and_a_new_one_is_another(runtime, voter, voted):
    first = await share(runtime.database, voter, voted, "first", runtime.now())
    with pytest.raises(BattleNotFound):
        await withdraw(runtime.database, STRANGER, voted)
    for _ in range(2):
        await withdraw(runtime.database, voter, voted)
    with pytest.raises(BattleNotFound):
        await shared(runtime.database, first.token)
    again = await share(runtime.database, voter, voted, "second", runtime.now())
    assert again.token != first.token


@pytest.fixture
async def linked(runtime, voter, voted) -> str:
    """The voted battle, with a link whose token is its own name."""
    await share(runtime.database, voter, voted, "link", runtime.now())
    return voted


async def listing(runtime, battle_id: str, most: int = 3) -> list[str]:
    """The tokens on the list of a battle's pair, whichever of the two models is named first."""

    def read(session) -> list[list[str]]:
        sides = session.get_one(BattleRow, battle_id).sides
        pairs = (sides[Side.A], sides[Side.B]), (sides[Side.B], sides[Side.A])
        return [[token for token, _ in stored.listed(session, pair, most)] for pair in pairs]

    one, other = await runtime.database.read(read)
    assert one == other
    return one


@pytest.mark.both_databases
async def test_a_link_is_on_no_list_until_its_voter_puts_it_there_and_takes_it_off(runtime, voter, linked):
    assert await listing(runtime, linked) == []
    for _ in range(2):
        assert (await put_on_list(runtime.database, voter, linked, runtime.now())).listed
    assert await listing(runtime, linked) == ["link"]
    assert (await share(runtime.database, voter, linked, "again", runtime.now())).listed
    for _ in range(2):
        assert not (await take_off_list(runtime.database, voter, linked)).listed
    assert await listing(runtime, linked) == []
    assert (await shared(runtime.database, "link")).reveal.outcome is Outcome.TIE


async def test_nobody_else_lists_or_unlists_a_battle_and_without_a_link_there_is_nothing_to_list(runtime, voter, voted):
    with pytest.raises(BattleNotFound):
        await put_on_list(runtime.database, voter, voted, runtime.now())
    await share(runtime.database, voter, voted, "link", runtime.now())
    with pytest.raises(BattleNotFound):
        await put_on_list(runtime.database, STRANGER, voted, runtime.now())
    await put_on_list(runtime.database, voter, voted, runtime.now())
    with pytest.raises(BattleNotFound):
        await take_off_list(runtime.database, STRANGER, voted)
    assert await listing(runtime, voted) == ["link"]


@pytest.mark.parametrize("end", ["withdraw", "report", "take down", "exclude", "forget"])
async def test_what_ends_a_link_or_speaks_against_it_ends_its_listing(runtime, voter, linked, end):
    await put_on_list(runtime.database, voter, linked, runtime.now())
    database = runtime.database
    match end:
        case "withdraw":
            await withdraw(database, voter, linked)
        case "report":
            await takedowns.report(database, "link", "private", runtime.now())
        case "take down":
            await takedowns.take_down(database, "link", "a court's order", runtime.now())
        case "exclude":
            number = await database.read(lambda session: session.query(VoteRow).one().number)
            await votes.exclude(database, number, reason="bought", by="operator", now=runtime.now())
        case _:
            await voters.forget(database, voter, runtime.new_id)
    assert await listing(runtime, linked) == []


async def test_a_text_that_was_taken_down_elsewhere_is_not_listed(runtime, voter, linked):
    await put_on_list(runtime.database, voter, linked, runtime.now())
    digest = await runtime.database.read(lambda session: stored.digest(session.get_one(BattleRow, linked)))
    await runtime.database.write(lambda session: stored.block(session, digest, "same text", runtime.now()))
    assert await listing(runtime, linked) == []


@pytest.mark.parametrize(
    "change",
    [
        update(TurnRow).values(images=["picture"]),
        update(BattleRow).values(withdrawn=True),
        update(VoteRow).values(not_counted=NotCounted.REPEATED),
    ],
    ids=["images", "withdrawn before", "not counted"],
)
async def test_images_a_withdrawn_link_and_a_vote_that_does_not_count_are_never_listed(runtime, voter, linked, change):
    await runtime.database.write(lambda session: session.execute(change))
    with pytest.raises(NotListable):
        await put_on_list(runtime.database, voter, linked, runtime.now())
    assert await listing(runtime, linked) == []


async def test_a_battle_of_web_pages_is_listed_though_it_counts_on_their_board_alone(runtime, voter, linked):
    change = update(VoteRow).values(not_counted=NotCounted.WEB_PAGE)
    await runtime.database.write(lambda session: session.execute(change))
    await put_on_list(runtime.database, voter, linked, runtime.now())
    assert await listing(runtime, linked) == ["link"]


async def test_a_reported_link_is_not_listed_afterwards_either(runtime, voter, linked):
    await takedowns.report(runtime.database, "link", "other", runtime.now())
    with pytest.raises(NotListable):
        await put_on_list(runtime.database, voter, linked, runtime.now())


async def test_the_newest_listed_come_first_and_no_more_than_asked_for(runtime, voter, linked):
    await put_on_list(runtime.database, voter, linked, runtime.now())
    later = runtime.now() + timedelta(hours=1)
    for number in range(3):
        other = Voter(f"voter {number}", "127.0.0.1")
        battle, _ = await play(runtime, other)
        await votes.cast_vote(runtime.database, Ballot(other, battle.id, Outcome.TIE, None, runtime.now()))
        await share(runtime.database, other, battle.id, f"link {number}", runtime.now())
        await put_on_list(runtime.database, other, battle.id, later + timedelta(minutes=number))
    assert await listing(runtime, linked) == ["link 2", "link 1", "link 0"]
    assert await listing(runtime, linked, 5) == ["link 2", "link 1", "link 0", "link"]


async def test_the_reveal_tells_its_voter_alone_that_there_is_a_link(runtime, voter, voted):
    assert not (await votes.reveal_again(runtime.database, voter, voted)).shared
    link = await share(runtime.database, voter, voted, runtime.new_id(), runtime.now())
    assert (await votes.reveal_again(runtime.database, voter, voted)).shared
    assert not (await shared(runtime.database, link.token)).reveal.shared
    await withdraw(runtime.database, voter, voted)
    assert not (await votes.reveal_again(runtime.database, voter, voted)).shared
