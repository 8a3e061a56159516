"""The fitting process keeps the columns and gets only new votes; its results are bit-identical to a fresh log's."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np
import pytest

from arena.adapters.store import decisions
from arena.adapters.store.tables.conversations import VoteRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.adapters.store.tables.integrity import DecisionRow
from arena.domain.errors import AlreadyExcluded
from arena.domain.terms import PairingRule
from arena.serving.fit_process import fitting_process
from arena.usecases.exchange import importer
from arena.usecases.ranking import pair_tables, verification
from arena.usecases.ranking import sent_columns as kept
from arena.usecases.ranking.methods import Method
from arena.usecases.ranking.publication import Publication
from arena.usecases.ranking.vote_columns import CountedLog, head_of
from arena.usecases.votes import votes
from arena_rating import EloParameters, LeaderboardParameters
from tests.conftest import START
from tests.publication import publish_once
from tests.usecases.ranking.test_slice_boards import listed, made

METHOD = Method(LeaderboardParameters(EloParameters(orders=8)), seed=3)
EARLIER = made(400, seed=8)
NEWCOMER = "aardvark"


@pytest.fixture
def executor():
    with ThreadPoolExecutor(1) as executor:
        yield executor


async def appended(database, start: int, size: int) -> int:
    """Import votes; in those from 200 on a newcomer whose name comes first takes one of the sides."""
    rows = EARLIER[start : start + size]
    if start >= 200:
        rows = [row._replace(a=NEWCOMER) if place % 3 == 0 else row for place, row in enumerate(rows)]
    await importer.import_votes(database, rows, START)
    return start + size


async def decided(database, rng: Random, last: int, by: str) -> None:
    chosen = sorted(rng.sample(range(max(1, last - 60), last + 1), 5))
    row = DecisionRow(
        quarters=rng.choice([0, 1, 2, 4]), reason="r", method="m", votes=chosen, finding=None, by=by, created_at=START
    )
    await database.write(decisions.add, [row])


async def changed(database, rng: Random, start: int, what: str) -> int:
    """Change the log in one way; returns how many of `EARLIER` it has."""
    if what == "votes":
        return await appended(database, start, rng.choice([1, 2, 30]))
    if what == "exclusion":
        try:
            await votes.exclude(database, rng.randint(1, start), reason="r", by="me", now=START)
        except AlreadyExcluded:
            return start
    elif what == "decision":
        await decided(database, rng, start, rng.choice(["gate", "operator"]))
    elif what == "unlisted":
        await listed(database, "cat", listed=rng.random() < 0.5)
    elif what == "renamed":
        await database.write(_rename, rng.choice(["zebra", "aaa", "mmm"]))
    else:
        kept._CACHE.log = None  # another process
    return start


def _rename(session, name: str) -> None:
    session.query(EndpointRow).order_by(EndpointRow.id).first().name = name


CHANGES = ("votes", "votes", "votes", "exclusion", "decision", "unlisted", "renamed", "lost")


@pytest.mark.parametrize(
    ("url", "seed"), [("sqlite", 0), ("sqlite", 1), ("postgresql", 2), ("postgresql", 3)], indirect=["url"]
)
async def test_appended_columns_give_the_snapshots_of_a_fresh_log_whatever_changes(database, executor, seed):
    rng, log, start = Random(seed), CountedLog(), await appended(database, 0, 40)
    start = 190 if seed % 2 and await appended(database, 40, 150) else start
    for _ in range(8):
        for what in rng.choices(CHANGES, k=rng.choice([1, 1, 3])):
            start = await changed(database, rng, start, what)
        number = await publish_once(database, METHOD, log, executor=executor, now=lambda: START)
        if number:
            assert (await verification.verify(database, number, executor=executor)).holds
        assert np.array_equal(log.numbers, (await fresh(database)).numbers)


async def fresh(database) -> CountedLog:
    def read(session) -> CountedLog:
        log = CountedLog()
        log.advance(session, head_of(session))
        return log

    return await database.read(read)


async def columns(database, log: CountedLog, unlisted: tuple[int, ...] = ()) -> kept.SentColumns:
    def read(session) -> kept.SentColumns:
        log.advance(session, head_of(session))
        names = {row.id: row.name for row in session.query(EndpointRow)}
        return log.sent_columns(names, unlisted)

    return await database.read(read)


async def test_only_new_votes_are_sent(database, executor):
    log, start = CountedLog(), await appended(database, 0, 60)
    sizes = []
    for more in (0, 1, 0, 25):
        start = await appended(database, start, more) if more else start
        each = await columns(database, log)
        sizes.append((each.addition.after, len(each.addition.rows)))
        assert len(each) == start == await each.run(executor, len)
        assert len(each) == start == await each.run(executor, len)
    assert sizes == [(0, 60), (60, 1), (61, 0), (61, 25)]


async def test_a_decision_on_new_votes_sends_only_these_and_one_on_old_votes_all(database, executor):
    log, rng = CountedLog(), Random(1)
    start = await appended(database, 0, 100)
    await (await columns(database, log)).run(executor, len)

    async def decide(number: int) -> kept.Addition:
        row = DecisionRow(quarters=1, reason="r", method="m", votes=[number], finding=None, by="gate", created_at=START)
        await database.write(decisions.add, [row])
        packed = await columns(database, log)
        addition = packed.addition
        assert await packed.run(executor, len) == len(log.numbers)
        return addition

    start = await appended(database, start, 5)
    late = await decide(start - 1)
    assert (late.after, late.rows.weight is not None) == (100, True)
    early = await decide(rng.randint(1, 50))
    assert (early.after, len(early.rows)) == (0, 105)
    again = await decide(start - 1)  # which changes nothing
    assert (again.after, len(again.rows)) == (105, 0)


@pytest.mark.process
@pytest.mark.parametrize("additions", [(3,), pytest.param((3, 4), marks=pytest.mark.heavy)])
async def test_another_process_is_sent_the_whole_log(database, additions):
    log, start = CountedLog(), await appended(database, 0, 30)
    for more in additions:
        with fitting_process() as executor:
            await (await columns(database, log)).run(executor, len)
            start = await appended(database, start, more)
            each = await columns(database, log)
            assert len(each.addition.rows) == more
            assert await each.run(executor, len) == start
    start = await appended(database, start, 2)
    each = await columns(database, log)
    assert each.addition.after == start - 2
    with fitting_process() as executor:
        assert await each.run(executor, len) == start


@pytest.mark.both_databases
async def test_the_pair_table_is_made_of_the_columns_that_the_snapshot_sent(database, executor, monkeypatch):
    additions = []
    extend = kept._ColumnCache.extend
    monkeypatch.setattr(kept._ColumnCache, "extend", lambda self, each: (additions.append(each), extend(self, each))[1])
    log, start = CountedLog(), await appended(database, 0, 60)
    await database.write(_activate)
    for more in (0, 7):
        start = await appended(database, start, more) if more else start
        await publish_once(database, METHOD, log, executor=executor, now=lambda: START)
        publication = Publication(database, METHOD, log, executor, lambda: START)
        assert await pair_tables.publish_pairs(publication, PairingRule.RANK)
    sizes = [(addition.after, len(addition.rows)) for addition in additions]
    assert sizes == [(0, 60), (60, 0), (60, 0), (60, 7), (67, 0), (67, 0)]  # fit, parts and pair table


def _activate(session) -> None:
    for row in session.query(EndpointRow):
        row.state = "active"
    assert session.query(VoteRow).count()
