"""Votes on web pages make a board of their own, enter no other, and anybody can compute it again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from arena.adapters.store import endpoints, snapshots
from arena.adapters.store.tables.conversations import VoteRow
from arena.adapters.store.tables.transparency import ImportRow
from arena.domain.schemas.leaderboard import StandingsView
from arena.domain.terms import NotCounted, Outcome
from arena.usecases.ranking import verification
from arena.usecases.ranking.methods import FEWEST, Method
from arena.usecases.ranking.vote_columns import CountedLog
from arena_rating import EloParameters, LeaderboardParameters
from tests.publication import publish_once
from tests.row_factories import vote_row

METHOD = Method(LeaderboardParameters(EloParameters(orders=20)), seed=3)
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def add(session, count: int, winner: str, reason: NotCounted | None) -> None:
    first, second = (endpoints.by_name(session, name).id for name in ("red-7b", "blue-7b"))
    start = session.query(VoteRow).count()
    session.add(ImportRow(first=start + 1, last=start + count, votes=count, file="0" * 64))
    columns = {"category": "web" if reason else "code", "not_counted": reason}
    columns["outcome"] = Outcome.A if winner == "red-7b" else Outcome.B
    for number in range(count):
        session.add(vote_row(f"vote-{start + number}", first, second, voter_key=f"voter {number}", **columns))


async def publish(runtime, log):
    with ThreadPoolExecutor(1) as executor:
        while number := await publish_once(
            runtime.database, METHOD, log, executor=executor, now=lambda: datetime.now(UTC)
        ):
            newest = number
        holds = (await verification.verify(runtime.database, newest, executor=executor)).holds
    return newest, holds


async def rows(runtime, newest, category):
    part = await runtime.database.read(snapshots.part, newest, "board", category, "")
    return {row.name: (row.wins, row.losses) for row in StandingsView.model_validate_json(part.payload).rows}


@pytest.mark.both_databases
async def test_each_kind_of_vote_enters_its_own_board_and_all_can_be_verified(runtime):
    await runtime.database.write(add, 40, "red-7b", None)
    await runtime.database.write(add, FEWEST, "blue-7b", NotCounted.WEB_PAGE)
    await runtime.database.write(add, 5, "blue-7b", NotCounted.STOPPED)
    newest, holds = await publish(runtime, CountedLog())
    whole = StandingsView.model_validate_json((await runtime.database.read(snapshots.newest)).payload)
    assert {row.name: row.wins for row in whole.rows} == {"red-7b": 40, "blue-7b": 0}
    assert await rows(runtime, newest, "web") == {"blue-7b": (FEWEST, 0), "red-7b": (0, FEWEST)}
    assert await rows(runtime, newest, "code") == {"blue-7b": (0, 40), "red-7b": (40, 0)}
    assert holds


async def test_votes_that_come_later_are_read_by_the_same_log(runtime):
    log = CountedLog()
    await runtime.database.write(add, 40, "red-7b", None)
    await runtime.database.write(add, FEWEST - 1, "blue-7b", NotCounted.WEB_PAGE)
    newest, _ = await publish(runtime, log)
    assert await runtime.database.read(snapshots.part, newest, "board", "web", "") is None
    await runtime.database.write(add, 1, "red-7b", NotCounted.WEB_PAGE)
    newest, holds = await publish(runtime, log)
    assert await rows(runtime, newest, "web") == {"blue-7b": (FEWEST - 1, 1), "red-7b": (1, FEWEST - 1)}
    assert holds
