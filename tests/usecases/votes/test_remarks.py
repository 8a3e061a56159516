import json

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from arena.adapters.store.tables.conversations import RemarkRow
from arena.domain.errors import AlreadyRemarked, BattleNotFound, Invalid, NotVoted
from arena.domain.schemas.votes import RemarksView, RemarkView
from arena.domain.terms import Criterion, Outcome, Reason, Voter
from arena.usecases.exchange import writer
from arena.usecases.votes import votes
from arena.usecases.votes.ballot import Ballot
from arena.usecases.votes.remarks import remark, remarked
from tests.usecases.battles.test_turns import play
from tests.usecases.votes.test_votes import counted

SAID = RemarksView(
    a=RemarkView(reasons=[Reason.CLEAR, Reason.USEFUL], stars={Criterion.LOGIC: 3}),
    b=RemarkView(reasons=[Reason.WRONG]),
)


@pytest.fixture
async def voted(runtime, voter) -> str:
    battle, _ = await play(runtime, voter)
    await votes.cast_vote(runtime.database, Ballot(voter, battle.id, Outcome.A, None, runtime.now()))
    return battle.id


async def count(runtime) -> int:
    return await runtime.database.read(lambda session: session.scalar(select(func.count()).select_from(RemarkRow)))


@pytest.mark.both_databases
async def test_remarks_follow_the_vote_and_saying_them_again_adds_nothing(runtime, voter, voted):
    for _ in range(3):
        stored_remarks = await remark(runtime.database, voter, voted, SAID, runtime.now())
    assert stored_remarks.a == RemarkView(reasons=[Reason.USEFUL, Reason.CLEAR], stars={Criterion.LOGIC: 3})
    assert stored_remarks.b == SAID.b
    assert await count(runtime) == 2
    assert await remarked(runtime.database, voter, voted) == stored_remarks


async def test_remarks_that_another_request_has_stored_meanwhile_are_told_again(runtime, voter, voted, monkeypatch):
    write, requests = runtime.database.write, []

    async def second(*arguments):
        requests.append(await write(*arguments))
        if len(requests) == 1:
            raise IntegrityError("INSERT", None, Exception("another request was faster"))
        return requests[-1]

    monkeypatch.setattr(runtime.database, "write", second)
    told = await remark(runtime.database, voter, voted, SAID, runtime.now())
    assert told == requests[0] == await remarked(runtime.database, voter, voted)
    assert await count(runtime) == 2


@pytest.mark.both_databases
async def test_the_second_side_may_follow_later_but_what_was_said_stays(runtime, voter, voted):
    await remark(runtime.database, voter, voted, RemarksView(a=SAID.a), runtime.now())
    await remark(runtime.database, voter, voted, RemarksView(b=SAID.b), runtime.now())
    with pytest.raises(AlreadyRemarked):
        await remark(
            runtime.database, voter, voted, RemarksView(b=RemarkView(reasons=[Reason.COMPLETE])), runtime.now()
        )
    assert (await remarked(runtime.database, voter, voted)).b == SAID.b


async def test_there_are_no_remarks_before_the_vote_nor_by_a_stranger_nor_empty_ones(runtime, voter, voted):
    battle, _ = await play(runtime, voter)
    with pytest.raises(NotVoted):
        await remark(runtime.database, voter, battle.id, SAID, runtime.now())
    with pytest.raises(BattleNotFound):
        await remark(runtime.database, Voter("stranger", "127.0.0.1"), voted, SAID, runtime.now())
    for empty in (RemarksView(), RemarksView(a=RemarkView())):
        with pytest.raises(Invalid):
            await remark(runtime.database, voter, voted, empty, runtime.now())


@pytest.mark.parametrize("body", [{"a": {"stars": {"logic": 4}}}, {"a": {"reasons": ["funny"]}}, {"c": {}}])
def test_remarks_know_their_words_and_one_to_three_stars(body):
    with pytest.raises(ValueError, match=r"stars|reasons|c"):
        RemarksView.model_validate(body)


async def test_the_export_carries_them_and_no_rating_reads_them(runtime, voter, voted):
    before = await counted(runtime)
    await remark(runtime.database, voter, voted, SAID, runtime.now())
    lines = b"".join([page async for page in writer.export_pages(runtime.database, salt=b"salt")]).splitlines()
    assert [json.loads(line)["remarks"] for line in lines] == [
        {"a": {"reasons": ["useful", "clear"], "stars": {"logic": 3}}, "b": {"reasons": ["wrong"], "stars": {}}}
    ]
    assert await counted(runtime) == before


async def test_a_vote_without_remarks_has_no_field_for_them_in_the_export(runtime, voted):
    pages = [page async for page in writer.export_pages(runtime.database, salt=b"salt")]
    assert "remarks" not in json.loads(pages[0])
