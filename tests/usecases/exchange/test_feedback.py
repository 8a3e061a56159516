"""The table of feedback on an endpoint: rows have at least five people, and counts are those of the votes."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest

from arena.adapters.store import endpoints, track_records
from arena.adapters.store.tables.conversations import RemarkRow, VoteRow
from arena.domain.terms import NotCounted, Outcome
from arena.usecases.exchange import importer
from arena.usecases.exchange.feedback import COLUMNS, feedback_table
from arena.usecases.exchange.imported_votes import ImportedVote
from arena.usecases.votes import votes as cast_votes
from tests.conftest import START


def cast(number: int, voter: str, outcome: Outcome = Outcome.A, day: int = 0, language: str = "en") -> ImportedVote:
    at = START + timedelta(days=day)
    return ImportedVote(
        line=number,
        id=f"v{number}",
        a="mine",
        b="other",
        outcome=outcome,
        voter=voter,
        language=language,
        created_at=at,
    )


@pytest.fixture
def rows(database):
    """The table of the endpoint `mine` after these votes, and remarks on its side of some by number."""

    async def rows(votes, remarks=()):
        await importer.import_votes(database, votes, START)

        def read(session):
            for number, reasons, stars in remarks:
                session.add(RemarkRow(vote_number=number, side="a", reasons=reasons, stars=stars, created_at=START))
            session.flush()
            return feedback_table(session, endpoints.by_name(session, "mine").id)

        return list(csv.DictReader(io.StringIO(await database.write(read))))

    return rows


async def test_a_group_of_five_people_has_its_day_and_a_smaller_one_is_told_more_coarsely(rows):
    crowd = [cast(n, f"p{n % 5}") for n in range(10)]
    few = [cast(10 + n, f"q{n}", day=1 + n) for n in range(5)]
    table = await rows(crowd + few)
    assert [(row["people"], row["votes"]) for row in table if row["period"] == START.date().isoformat()] == [
        ("5", "10")
    ]
    assert all(int(row["people"]) >= 5 for row in table)
    assert sum(int(row["votes"]) for row in table) == 15


async def test_fewer_than_five_people_are_not_told_at_all(rows):
    assert await rows([cast(n, f"p{n % 4}") for n in range(40)]) == []


async def test_counts_are_those_of_the_votes_and_remarks_on_its_own_answer(rows):
    outcomes = [Outcome.A, Outcome.A, Outcome.B, Outcome.TIE, Outcome.BOTH_BAD]
    votes = [cast(n, f"p{n}", outcome) for n, outcome in enumerate(outcomes)]
    (row,) = await rows(votes, [(1, ["clear"], {"accuracy": 3}), (2, ["clear", "wrong"], {"accuracy": 2})])
    assert [row[name] for name in ("won", "lost", "tie", "both_bad")] == ["2", "1", "1", "1"]
    assert [row[name] for name in ("clear", "wrong", "useful", "accuracy_stars", "logic_stars")] == [
        *("2", "1", "0", "2.5", "")
    ]
    assert tuple(row) == COLUMNS


async def test_an_endpoint_without_votes_has_the_head_alone(database, rows):
    await rows([cast(n, f"p{n}") for n in range(5)])
    assert await database.read(feedback_table, 10_000) == ",".join(COLUMNS) + "\n"


async def test_votes_that_do_not_count_are_in_no_row_as_on_the_page(database, rows):
    votes = [cast(n, f"p{n}", day=n // 8) for n in range(16)]
    await rows(votes)
    await cast_votes.exclude(database, 1, reason="r", by="me", now=START)

    def name_themselves(session):
        for number in (2, 3):
            session.get(VoteRow, number).not_counted = NotCounted.IDENTITY_TOLD

    await database.write(name_themselves)
    table = list(csv.DictReader(io.StringIO(await database.read(feedback_table, 1))))
    assert [int(row["votes"]) for row in table] == [8, 5]
    assert await database.read(track_records.count_votes, 1) == 13
