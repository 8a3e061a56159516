"""The cost of a vote does not depend on the length of the log: no statement scans a growing table."""

import re

import pytest
from sqlalchemy import event, text

from arena.domain.terms import Outcome
from arena.usecases.votes import votes
from arena.usecases.votes.ballot import Ballot
from tests.usecases.battles.test_turns import play

GROWING = {"vote_origins", "votes", "battles", "turns", "replies", "exclusions"}


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_every_statement_of_a_vote_and_of_what_others_chose_goes_by_an_index(runtime, voter):
    battle, _ = await play(runtime, voter)
    statements: list[tuple[str, object]] = []

    def note(_connection, _cursor, statement, parameters, _context, _many) -> None:
        statements.append((statement, parameters))

    engines = (runtime.database._reading, runtime.database._writing)
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    await votes.cast_vote(runtime.database, Ballot(voter, battle.id, Outcome.A, "a key", runtime.now()))
    await votes.crowd(runtime.database, voter, battle.id)
    for engine in engines:
        event.remove(engine, "before_cursor_execute", note)
    queries = [statement for statement in statements if re.match(r"SELECT|UPDATE|INSERT", statement[0])]
    steps = await runtime.database.read(plans, queries)
    assert len(queries) >= 8
    assert [step for step in steps if (match := re.match(r"SCAN (\w+)", step)) and match[1] in GROWING] == []


def plans(session, statements) -> list[str]:
    connection = session.connection()
    return [
        row[3]
        for statement, parameters in statements
        for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
    ]


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_the_query_plan_shows_a_scan(database):
    steps = await database.read(
        lambda session: session.execute(text("EXPLAIN QUERY PLAN SELECT turns FROM votes")).all()
    )
    assert "SCAN votes" in steps[0][3]
