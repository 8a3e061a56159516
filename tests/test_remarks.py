import json

import pytest
from sqlalchemy import func, select

from arena import exchange, votes
from arena.errors import AlreadyRemarked, BattleNotFound, Invalid, NotVoted
from arena.ranking.logs import CountedLog, head_of
from arena.remarks import remark, remarked
from arena.store.tables import RemarkRow
from arena.terms import Criterion, Outcome, Reason, Voter
from arena.votes import Ballot
from arena.wire import Remark, Remarks
from tests.battles.test_turns import play

SAID = Remarks(
    a=Remark(reasons=[Reason.CLEAR, Reason.USEFUL], stars={Criterion.LOGIC: 3}),
    b=Remark(reasons=[Reason.WRONG]),
)


@pytest.fixture
async def voted(stage, voter) -> str:
    battle, _ = await play(stage, voter)
    await votes.cast_vote(stage.database, Ballot(voter, battle.id, Outcome.A, None, stage.now()))
    return battle.id


async def count(stage) -> int:
    return await stage.database.read(lambda session: session.scalar(select(func.count()).select_from(RemarkRow)))


async def test_remarks_follow_the_vote_and_saying_them_again_adds_nothing(stage, voter, voted):
    for _ in range(3):
        kept = await remark(stage.database, voter, voted, SAID, stage.now())
    assert kept.a == Remark(reasons=[Reason.USEFUL, Reason.CLEAR], stars={Criterion.LOGIC: 3})
    assert kept.b == SAID.b
    assert await count(stage) == 2
    assert await remarked(stage.database, voter, voted) == kept


async def test_the_second_side_may_follow_later_but_what_was_said_stays(stage, voter, voted):
    await remark(stage.database, voter, voted, Remarks(a=SAID.a), stage.now())
    await remark(stage.database, voter, voted, Remarks(b=SAID.b), stage.now())
    with pytest.raises(AlreadyRemarked):
        await remark(stage.database, voter, voted, Remarks(b=Remark(reasons=[Reason.COMPLETE])), stage.now())
    assert (await remarked(stage.database, voter, voted)).b == SAID.b


async def test_there_are_no_remarks_before_the_vote_nor_by_a_stranger_nor_empty_ones(stage, voter, voted):
    battle, _ = await play(stage, voter)
    with pytest.raises(NotVoted):
        await remark(stage.database, voter, battle.id, SAID, stage.now())
    with pytest.raises(BattleNotFound):
        await remark(stage.database, Voter("stranger", "127.0.0.1"), voted, SAID, stage.now())
    for empty in (Remarks(), Remarks(a=Remark())):
        with pytest.raises(Invalid):
            await remark(stage.database, voter, voted, empty, stage.now())


@pytest.mark.parametrize("body", [{"a": {"stars": {"logic": 4}}}, {"a": {"reasons": ["funny"]}}, {"c": {}}])
def test_remarks_know_their_words_and_one_to_three_stars(body):
    with pytest.raises(ValueError, match=r"stars|reasons|c"):
        Remarks.model_validate(body)


async def test_the_export_carries_them_and_no_rating_reads_them(stage, voter, voted):
    before = await counted(stage)
    await remark(stage.database, voter, voted, SAID, stage.now())
    lines = b"".join([page async for page in exchange.export_pages(stage.database, salt=b"salt")]).splitlines()
    assert [json.loads(line)["remarks"] for line in lines] == [
        {
            "a": {"reasons": ["useful", "clear"], "stars": {"logic": 3}},
            "b": {"reasons": ["wrong"], "stars": {}},
        }
    ]
    assert await counted(stage) == before


async def counted(stage) -> list[int]:
    log = CountedLog()
    await stage.database.read(lambda session: log.advance(session, head_of(session)))
    return log.numbers.tolist()


async def test_a_vote_without_remarks_has_no_field_for_them_in_the_export(stage, voted):
    pages = [page async for page in exchange.export_pages(stage.database, salt=b"salt")]
    assert "remarks" not in json.loads(pages[0])
