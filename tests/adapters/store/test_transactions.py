"""Acts: functions of a session that are called with a database."""

from __future__ import annotations

import pytest

from arena.adapters.store import owners
from arena.adapters.store.engine.transactions import read_transaction, write_transaction
from tests.conftest import START


@read_transaction
def names(session):
    return set(owners.names(session))


@write_transaction
def add(session, name, *, fails=False):
    owners.find_or_add(session, name, START)
    session.flush()
    if fails:
        raise ValueError(name)


async def test_an_act_saves_all_of_its_work_or_nothing(database):
    await add(database, "kept")
    with pytest.raises(ValueError, match="lost"):
        await add(database, "lost", fails=True)
    assert "kept" in await names(database)
    assert "lost" not in await names(database)
