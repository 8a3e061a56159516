"""What stays after "forget me" and after a legal erasure: commitments, and after an erasure nothing that opens them."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import select

from arena.adapters.store import log_leaves, voters
from arena.adapters.store.engine import open_database
from arena.adapters.store.engine.migration import migrate
from arena.adapters.store.tables.transparency import LeafRow
from arena.domain.errors import Invalid, NotFound
from arena.usecases.votes import erasure
from tests.trust.verifier.arenas import fill, sign_and_publish
from tests.usecases.transparency.arenas import START

COUNT = 60


def rows(session) -> list[tuple[bytes, bytes | None]]:
    query = select(LeafRow).where(LeafRow.vote_number.is_not(None)).order_by(LeafRow.number)
    return [(row.data, row.nonce) for row in session.scalars(query)]


@pytest.fixture
async def logged(tmp_path):
    url = f"sqlite:///{tmp_path / 'arena.db'}"
    migrate(url)
    database = open_database(url)
    await database.write(fill, COUNT)
    yield database
    database.close()


async def test_forget_me_changes_nothing_in_the_log(logged, tmp_path):
    before = await logged.read(rows)
    assert await logged.write(voters.forget, "voter 3", lambda: "nobody") > 0
    assert await logged.read(rows) == before
    assert not any(b"voter" in data for data, _ in before)
    arena = await sign_and_publish(logged, tmp_path)
    assert arena.verified().faults == []


async def test_an_erased_vote_leaves_a_commitment_that_nothing_opens_and_the_arena_stays_right(logged, tmp_path):
    arena = await sign_and_publish(logged, tmp_path)
    line = next(line for line in arena.lines() if line["counted"])
    number, before = line["number"], await logged.read(log_leaves.of_vote, line["number"])
    await erasure.erase(logged, number, by="the operator", now=START)
    after = await logged.read(log_leaves.of_vote, number)
    assert after.data == before.data
    assert after.nonce is None
    arena = await sign_and_publish(logged, tmp_path)
    findings = arena.verified()
    assert findings.faults == []
    assert "1 vote was erased by law" in str(findings)
    assert number not in {each["number"] for each in arena.lines()}
    files = [arena.export, arena.board, *(path for path in arena.log.rglob("*") if path.is_file())]
    published = b"".join(path.read_bytes() for path in files)
    assert line["nonce"].encode() not in published
    last = json.loads((await logged.read(last_leaf)).decode())
    assert (last["kind"], last["vote"]) == ("erasure", number)
    for number_given, error in ((number, Invalid), (10**6, NotFound)):
        with pytest.raises(error):
            await erasure.erase(logged, number_given, by="the operator", now=START)


def last_leaf(session) -> bytes:
    return session.scalar(select(LeafRow.data).where(LeafRow.kind == "erasure"))
