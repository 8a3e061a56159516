import gzip
import io
import json
from datetime import datetime, timedelta

import pytest
from sqlalchemy import update

from arena.adapters.store import votes
from arena.adapters.store.engine import open_database
from arena.adapters.store.tables.conversations import VoteRow
from arena.domain.errors import Invalid
from arena.usecases.exchange.importer import import_votes
from arena.usecases.exchange.reader import read_votes
from arena.usecases.exchange.writer import export_file, export_votes
from arena.usecases.ranking.vote_columns import CountedLog, head_of
from arena.usecases.votes.votes import exclude
from tests.conftest import START
from tests.usecases.exchange.files import COLUMNS, SAMPLE, all_votes, own_row, write

LATER = START + timedelta(days=1, hours=5)
FIELDS = {
    *("format", "version", "id", "number", "a", "b", "outcome", "voter"),
    *("language", "category", "style", "turns", "seconds", "created_at", "counted", "reason"),
}


@pytest.fixture
def other(empty_database, tmp_path):
    """A second, empty arena."""
    path = tmp_path / "other.db"
    path.write_bytes(empty_database.read_bytes())
    database = open_database(f"sqlite:///{path}")
    yield database
    database.close()


async def exported(database, **options) -> list[dict]:
    out = io.BytesIO()
    written = await export_votes(database, out, **{"salt": b"salt", **options})
    rows = [json.loads(line) for line in out.getvalue().splitlines()]
    assert len(rows) == written
    return rows


async def fill(database, path=SAMPLE) -> None:
    read, _ = read_votes(path, columns=COLUMNS)
    await import_votes(database, read, LATER)


async def rated(database) -> list[tuple]:
    """What a rating sees: names and outcomes of the counted votes in order, and which have the same voter."""
    log = CountedLog()
    await database.read(lambda session: log.advance(session, head_of(session)))
    counted = set(log.numbers.tolist())
    rows = await database.read(lambda session: [row for row in votes.log(session) if row[0].number in counted])
    voters: dict[str, int] = {}
    return [(a, b, vote.outcome, voters.setdefault(vote.voter_key, len(voters))) for vote, a, b, *_ in rows]


async def test_a_line_says_what_a_rating_needs_and_nothing_else(database):
    await fill(database)
    await exclude(database, 3, reason="一个人投了很多次", by="an operator", now=LATER)
    rows = await exported(database)
    assert all(set(row) == FIELDS | {"import"} for row in rows)
    assert [row["number"] for row in rows] == list(range(1, 201))
    assert [(row["number"], row["reason"]) for row in rows if not row["counted"]] == [(3, "一个人投了很多次")]
    text = json.dumps(rows)
    assert "an operator" not in text
    stored = await database.read(lambda session: {row.voter_key for row, *_ in votes.log(session)})
    assert not any(key in text for key in stored)


async def test_a_pseudonym_is_stable_in_one_export_and_another_with_another_salt(database):
    await fill(database)
    read, _ = read_votes(SAMPLE, columns=COLUMNS)
    first, again, other = [await exported(database, salt=salt) for salt in (b"one", b"one", b"two")]
    pairs = {(vote.voter, row["voter"]) for vote, row in zip(read, first, strict=True)}
    assert len(pairs) == len({vote.voter for vote in read}) == len({row["voter"] for row in first})
    assert first == again
    assert not {row["voter"] for row in first} & {row["voter"] for row in other}


async def test_the_hour_of_a_vote_is_written_only_when_asked_for(database):
    await fill(database)
    assert {row["created_at"] for row in await exported(database)} == {"2026-01-02"}
    moments = {datetime.fromisoformat(row["created_at"]) for row in await exported(database, times=True)}
    assert moments == {LATER}


@pytest.mark.both_databases
@pytest.mark.parametrize("name", ["votes.jsonl", "votes.jsonl.gz"])
async def test_an_empty_arena_that_imports_an_export_ranks_the_same(database, other, tmp_path, name):
    await fill(database)
    for number in (2, 200):
        await exclude(database, number, reason="a test", by="me", now=LATER)
    await database.write(lambda s: s.execute(update(VoteRow).where(VoteRow.number == 7).values(not_counted="stopped")))
    assert await export_file(database, tmp_path / name, salt=b"salt") == 200
    read, bad = read_votes(tmp_path / name)
    added = await import_votes(other, read, LATER)
    assert (added.votes, bad) == (200, [])
    assert await rated(other) == await rated(database)
    assert len(await rated(other)) == 197
    assert [row["reason"] for row in await exported(other)] == [row["reason"] for row in await exported(database)]


@pytest.mark.parametrize(
    ("votes_in", "count"), [(lambda: SAMPLE, 200), pytest.param(all_votes, 8_931, marks=pytest.mark.heavy)]
)
async def test_real_votes_go_out_and_in_unchanged(database, other, tmp_path, votes_in, count):
    await fill(database, votes_in())
    await export_file(database, tmp_path / "votes.jsonl", salt=b"salt")
    read, _ = read_votes(tmp_path / "votes.jsonl")
    await import_votes(other, read, LATER)
    assert await rated(other) == await rated(database)
    assert len(await rated(other)) == count


async def test_an_export_brought_back_adds_nothing(database, tmp_path):
    await fill(database)
    await export_file(database, tmp_path / "votes.jsonl", salt=b"salt")
    read, _ = read_votes(tmp_path / "votes.jsonl")
    added = await import_votes(database, read, LATER)
    assert (added.votes, added.known, added.names) == (0, 200, ())


async def test_what_strangers_wrote_stays_one_line_of_json(database, tmp_path):
    read, bad = read_votes(
        write(tmp_path / "in.jsonl", [own_row(a='a"\\\u2028'.strip(), b="模型 <b>", outcome="both_bad")])
    )
    assert bad == []
    await import_votes(database, read, LATER)
    (row,) = await exported(database)
    assert (row["a"], row["b"], row["outcome"]) == ('a"\\', "模型 <b>", "both_bad")


async def test_a_file_appears_when_it_is_complete(database, tmp_path):
    await fill(database)
    path = write(tmp_path / "votes.jsonl.gz", b"the export of yesterday")
    contents: list[bytes] = []

    def fail(_written: int) -> None:
        contents.append(path.read_bytes())
        raise Invalid("the caller has had enough")

    rows = [own_row(id=str(number)) for number in range(2_000)]
    read, _ = read_votes(write(tmp_path / "in.jsonl", rows))
    await import_votes(database, read, LATER)
    with pytest.raises(Invalid):
        await export_file(database, path, salt=b"salt", progress=fail)
    assert contents == [path.read_bytes()] == [b"the export of yesterday"]
    assert not list(tmp_path.glob("*.part"))
    assert await export_file(database, path, salt=b"salt") == 2_200
    assert len(gzip.decompress(path.read_bytes()).splitlines()) == 2_200
