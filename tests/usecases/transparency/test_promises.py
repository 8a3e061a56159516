"""A promised vote that is not in the signed log is timed, and the operator is told when ten minutes are over."""

from __future__ import annotations

from datetime import timedelta

from arena.adapters.store import log_leaves
from arena.domain.tlog.leaves import Kind
from arena.usecases.transparency import origins
from arena.usecases.transparency.promises import waiting, watch
from tests.api.test_metrics import value
from tests.usecases.transparency.arenas import START, sequencer
from tests.usecases.transparency.test_sequencer import earlier


def promised(session, numbers, kind=Kind.VOTE) -> None:
    log_leaves.add_votes(session, [(number, b"%d" % number, bytes(32), True) for number in numbers], kind)


async def test_the_oldest_promised_vote_is_timed_until_it_is_signed(database, tmp_path):
    log = sequencer(database, tmp_path)
    await database.write(earlier, 3)
    await database.write(promised, [1])
    late = START + timedelta(seconds=601)
    assert (await waiting(database, late)).waiting == 0, "nobody has promised anything"
    await database.write(origins.promise_key, log.keyring, "arena.example", START)
    for seconds, expected in ((0, False), (600, False), (601, True)):
        view = await waiting(database, START + timedelta(seconds=seconds))
        assert (view.waiting, view.late) == (seconds, expected)
    await watch(database, late)
    assert value("arena_log_waiting_seconds") == 601
    await log.turn()
    assert (await waiting(database, late)).waiting == 0
    await database.write(promised, [2], Kind.LEGACY)
    assert (await waiting(database, late)).waiting == 0, "votes from before the log were promised to nobody"
    await database.write(promised, [3])
    assert (await waiting(database, late)).late
