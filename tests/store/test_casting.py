"""A vote costs the same in a long log as in a short one: nothing that grows is read through for it."""

import re

import pytest
from sqlalchemy import event, text

from arena import votes
from arena.terms import Outcome
from arena.votes import Ballot
from tests.battles.test_turns import play

GROWING = {"votes", "battles", "turns", "replies", "exclusions"}


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_every_statement_of_a_vote_and_of_what_others_chose_goes_by_an_index(stage, voter):
    battle, _ = await play(stage, voter)
    statements: list[tuple[str, object]] = []

    def note(_connection, _cursor, statement, parameters, _context, _many) -> None:
        statements.append((statement, parameters))

    engines = (stage.database._reading, stage.database._writing)
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    await votes.cast_vote(stage.database, Ballot(voter, battle.id, Outcome.A, "a key", stage.now()))
    await votes.crowd(stage.database, voter, battle.id)
    for engine in engines:
        event.remove(engine, "before_cursor_execute", note)
    asked = [each for each in statements if re.match(r"SELECT|UPDATE|INSERT", each[0])]
    steps = await stage.database.read(plans, asked)
    assert len(asked) >= 8
    assert [step for step in steps if (found := re.match(r"SCAN (\w+)", step)) and found[1] in GROWING] == []


def plans(session, statements) -> list[str]:
    connection = session.connection()
    return [
        row[3]
        for statement, parameters in statements
        for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
    ]


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_a_scan_would_be_seen(database):
    steps = await database.read(
        lambda session: session.execute(text("EXPLAIN QUERY PLAN SELECT turns FROM votes")).all()
    )
    assert "SCAN votes" in steps[0][3]
