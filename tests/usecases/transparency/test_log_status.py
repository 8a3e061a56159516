"""The operator is told of a promised vote that is not in the log after ten minutes, and of votes without a leaf."""

from __future__ import annotations

from datetime import timedelta

import pytest

from arena.adapters.store import log_leaves
from arena.adapters.store.leases import unguarded
from arena.serving.sequencing import watch
from arena.usecases.transparency import origins
from arena.usecases.transparency.log_status import status
from arena.usecases.transparency.unlogged import Search, exclude
from tests.api.test_metrics import value
from tests.usecases.transparency.arenas import START, sequencer
from tests.usecases.transparency.test_sequencer import insert_votes


def promised(session, numbers) -> None:
    log_leaves.add_votes(session, [(number, b"%d" % number, bytes(32), True) for number in numbers])


@pytest.mark.both_databases
async def test_the_oldest_promised_vote_is_timed_until_it_is_signed(database, tmp_path):
    log = sequencer(database, tmp_path)
    await database.write(insert_votes, 3)
    await database.write(promised, [1])
    late = START + timedelta(seconds=601)
    assert (await status(database, late)).waiting == 0, "nobody has promised anything"
    await database.write(origins.promise_key, log.keyring, "arena.example", START)
    for seconds, expected in ((0, False), (600, False), (601, True)):
        view = await status(database, START + timedelta(seconds=seconds))
        assert (view.waiting, view.late) == (seconds, expected)
    await watch(database, late)
    assert value("arena_log_waiting_seconds") == 601
    await log.turn()
    assert (await status(database, late)).waiting == 0
    await database.write(promised, [2, 3])
    assert (await status(database, late)).late


@pytest.mark.both_databases
async def test_votes_without_a_leaf_are_counted_and_the_first_are_named(database):
    await database.write(insert_votes, 8)
    assert (await status(database, START)).unlogged == 0, "nobody has searched"
    await Search().advance(database, START, unguarded)
    await watch(database, START)
    view = await status(database, START)
    assert (view.unlogged, view.first_unlogged) == (8, [1, 2, 3, 4, 5])
    assert value("arena_log_unlogged_votes") == 8
    await exclude(database, "a test", START)
    await watch(database, START)
    assert value("arena_log_unlogged_votes") == 0
