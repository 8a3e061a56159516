"""The board on which hosts of one model count once: its groups, its votes, when it comes, and its verification."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from arena.adapters.store.tables.endpoint_records import SameWeightsRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.api.boards import documents
from arena.api.boards.documents import Key
from arena.cli.boards.leaderboards import comparisons, slices
from arena.domain.errors import NoBoard
from arena.domain.merged_hosts import HOSTS, merge_hosts
from arena.domain.schemas.leaderboard import LeaderboardView
from arena.domain.terms import Outcome
from arena.usecases.exchange import importer, reader, writer
from arena.usecases.exchange.imported_votes import ImportedVote
from arena.usecases.ranking import verification
from arena.usecases.ranking.host_groups import host_groups
from arena.usecases.ranking.methods import fit
from arena.usecases.ranking.vote_columns import CountedLog
from tests.conftest import START
from tests.publication import publish_once
from tests.usecases.ranking.test_slice_boards import METHOD, listed, made, parts

TWINS = ("bee", "dog")


async def confirm(database, *pairs: tuple[str, str], at: datetime | None = START) -> None:
    def add(session) -> None:
        numbers = {row.name: row.id for row in session.query(EndpointRow)}
        for one, other in pairs:
            ids = {"endpoint_id": numbers[one], "other_id": numbers[other]}
            session.add(SameWeightsRow(**ids, stated_at=START, confirmed_at=at))

    await database.write(add)


@pytest.fixture
async def voted(database) -> list[ImportedVote]:
    votes = made()
    await importer.import_votes(database, votes, START)
    return votes


@pytest.fixture
def publish(database):
    log = CountedLog()

    async def publish() -> int | None:
        with ThreadPoolExecutor(1) as executor:
            return await publish_once(database, METHOD, log, executor=executor, now=lambda: datetime.now(UTC))

    return publish


async def merged(database) -> LeaderboardView:
    return (await database.read(documents.part, Key(HOSTS))).view


@pytest.mark.both_databases
async def test_confirmed_hosts_count_once_without_the_votes_between_them_and_other_tables_stay(
    database, publish, voted, tmp_path
):
    assert await publish() == 1
    before = await parts(database, 1)
    await confirm(database, TWINS)
    assert await publish() == 2
    assert await publish() is None
    after = await parts(database, 2)
    assert {key: part.digest for key, part in after.items() if key[0] != HOSTS} == {
        key: part.digest for key, part in before.items()
    }
    board = await merged(database)
    between = sum({vote.a, vote.b} == set(TWINS) for vote in voted)
    assert between > 10
    assert board.hosts is not None
    assert (board.hosts.groups, board.hosts.left_out) == ([["bee", "dog"]], between)
    assert {row.name for row in board.rows} == {"ant", "bee", "cat"}
    of_twins = sum(not {vote.a, vote.b}.isdisjoint(TWINS) for vote in voted)
    assert next(row.battles for row in board.rows if row.name == "bee") == of_twins - between
    whole = (await database.read(documents.whole)).view
    assert "hosts" in whole.beside
    assert whole.hosts is None
    with ThreadPoolExecutor(1) as executor:
        verdict = await verification.verify(database, 2, executor=executor)
    assert verdict.holds
    assert HOSTS in [part.of for part in verdict.parts]
    path = tmp_path / "votes.jsonl"
    await writer.export_file(database, path, salt=b"salt")
    votes, _ = reader.read_votes(path)
    assert verification.verify_published(comparisons(votes), slices(votes), board).holds
    fewer = votes[1:]
    assert not verification.verify_published(comparisons(fewer), slices(fewer), board).holds


async def test_the_board_is_that_of_a_log_in_which_both_had_one_name(voted):
    renamed = [
        vote._replace(**{side: "bee" for side in ("a", "b") if getattr(vote, side) == "dog"})
        for vote in voted
        if {vote.a, vote.b} != set(TWINS)
    ]
    log = merge_hosts(comparisons(voted), [TWINS])
    assert fit(log, METHOD).record() == fit(comparisons(renamed), METHOD).record()
    clear = [vote for vote in voted if vote.outcome in {Outcome.A, Outcome.B}]
    assert len(merge_hosts(comparisons(clear), [("ant", "bee", "cat", "dog")])) == 0


async def test_the_merged_board_of_a_topic_or_without_hosts_is_refused_with_its_reason(database, publish, voted):
    await publish()
    with pytest.raises(NoBoard) as refused:
        await merged(database)
    assert refused.value.params == {"rule": "hosts"}
    await confirm(database, TWINS)
    await publish()
    assert len((await merged(database)).rows) == 3
    with pytest.raises(NoBoard) as refused:
        await database.read(documents.part, Key(HOSTS, "code"))
    sentence = NoBoard.sentence(refused.value.params)
    assert sentence is not None
    assert "on the board of all votes alone" in sentence
    assert len(voted) == 300


async def test_statements_that_nobody_has_confirmed_and_hosts_off_the_board_make_no_board(database, publish, voted):
    assert len(voted) == 300
    await confirm(database, TWINS, at=None)
    assert await publish() == 1
    assert HOSTS not in {key[0] for key in await parts(database, 1)}
    await confirm(database, ("ant", "cat"))
    await listed(database, "cat", listed=False)
    assert await publish() == 2
    assert HOSTS not in {key[0] for key in await parts(database, 2)}


async def test_groups_join_over_common_members(database, voted):
    numbers = await database.read(lambda session: {row.name: row.id for row in session.query(EndpointRow)})
    seen = {numbers[name] for vote in voted for name in (vote.a, vote.b)}
    assert await database.read(host_groups, seen) == []
    await confirm(database, ("dog", "cat"), ("ant", "bee"))
    assert await database.read(host_groups, seen) == [["ant", "bee"], ["cat", "dog"]]
    await confirm(database, ("cat", "bee"))
    assert await database.read(host_groups, seen) == [["ant", "bee", "cat", "dog"]]
    assert await database.read(host_groups, seen - {numbers["cat"]}) == [["ant", "bee", "dog"]]
    assert await database.read(host_groups, {numbers["ant"], numbers["dog"]}) == [["ant", "dog"]]
    assert await database.read(host_groups, {numbers["ant"]}) == []
