"""A release holds the conversations of those who allow it, and nothing by which a person or a vote is found again."""

import json
from collections import Counter, defaultdict
from datetime import timedelta

import pytest

from arena.adapters.store import releases as stored
from arena.adapters.store import shares, voters
from arena.adapters.store.tables.conversations import BattleRow, ExclusionRow, VoteRow
from arena.cli.terminal.progress import Interrupted, progress
from arena.domain.errors import Invalid
from arena.domain.privacy.crowds import CROWD
from arena.domain.terms import NotCounted
from arena.usecases.exchange.reader import read_votes
from arena.usecases.releases import parquet
from arena.usecases.releases.builds import build
from tests.row_factories import endpoint_row
from tests.usecases.releases.arenas import NOW, OLD, SALT, WORDS, accept, add_battle, fill, fits, live_export


async def built(database, folder, **changes) -> list[dict]:
    options = {"name": "one", "licence": "CC BY 4.0", "terms": 1, "salt": SALT, "now": NOW, **changes}
    await build(database, folder, **options)
    return parquet.read(folder / "arena.parquet")


def prompts(rows) -> set[str]:
    return {turn["user"]["content"][0]["text"] for row in rows for turn in row["full_conversation"]}


def add_forbidden(session) -> set[str]:
    """Battles that no release may hold, each for one reason; returns their prompts."""
    session.add(endpoint_row("hidden", owner_id=1, listed=False))
    session.flush()
    accept(session, "late", when=OLD + timedelta(days=1))
    add_battle(session, "asked by nobody who accepted", person="stranger")
    add_battle(session, "asked before the terms were accepted", person="late")
    add_battle(session, "asked last week", when=NOW - timedelta(days=7))
    add_battle(session, "answered by a hidden model", names=("red-7b", "hidden"))
    add_battle(session, "voted much too fast", not_counted=NotCounted.TOO_FAST)
    add_battle(session, "my number is 13800138000, please call")
    add_battle(session, "answered with a secret", answer="Write to li.wei@qq.com")
    shares.withdraw(session, add_battle(session, "its link was withdrawn"))
    answer = session.get(BattleRow, add_battle(session, "its text was taken down"))
    shares.block(session, shares.digest(answer), "offensive", NOW)
    excluded = add_battle(session, "its vote was excluded")
    number = session.query(VoteRow.number).filter_by(battle_id=excluded).scalar()
    session.add(ExclusionRow(vote_number=number, reason="erased", by="operator", created_at=NOW))
    pictured = session.get(BattleRow, add_battle(session, "asked about a picture"))
    pictured.turns[0].images = ["upload"]
    forgotten = add_battle(session, "its voter was forgotten", person="person 99")
    accept(session, "person 99")
    session.flush()
    voters.forget(session, "person 99", lambda: "x")
    assert session.get(BattleRow, forgotten)
    return {turn.prompt for battle in session.query(BattleRow) for turn in battle.turns if "child" not in turn.prompt}


@pytest.mark.both_databases
async def test_only_conversations_that_may_be_released_are_in_it(database, tmp_path):
    await database.write(fill)
    forbidden = await database.write(add_forbidden)
    shown = prompts(await built(database, tmp_path))
    assert len(forbidden) == 12
    assert shown & forbidden == set()
    assert len(shown) > 100


@pytest.mark.both_databases
async def test_an_interrupted_search_for_personal_data_leaves_no_file_and_no_release(database, tmp_path):
    await database.write(fill)
    with progress("conversations") as meter:
        pass
    with pytest.raises(Interrupted):
        await built(database, tmp_path / "one", watch=meter.over)
    assert not (tmp_path / "one").exists()
    assert await database.read(stored.all_releases) == []
    assert await built(database, tmp_path / "one")


async def test_who_accepts_later_terms_keeps_what_they_allowed_before(database, tmp_path):
    await database.write(fill)
    before = prompts(await built(database, tmp_path))
    for person in range(12):
        await database.write(voters.accept_terms, f"person {person}", 2, NOW)
    assert await database.read(voters.accepted_terms, "person 3") == 2
    assert prompts(await built(database, tmp_path)) == before
    with pytest.raises(Invalid, match="No conversation can be released"):
        await built(database, tmp_path, terms=2)


@pytest.mark.sqlite
async def test_a_withdrawn_link_takes_the_conversation_out_of_the_next_release(database, tmp_path):
    await database.write(fill)
    first = prompts(await built(database, tmp_path))
    gone = sorted(first)[7]

    def withdraw(session) -> None:
        battle = next(row for row in session.query(BattleRow) if row.turns[0].prompt == gone)
        shares.withdraw(session, battle.id)

    await database.write(withdraw)
    second = prompts(await built(database, tmp_path))
    assert gone not in second
    assert len(second) > len(first) - 10


@pytest.mark.sqlite
async def test_the_same_input_gives_the_same_bytes_and_another_salt_other_names(database, tmp_path):
    await database.write(fill)
    first = await built(database, tmp_path / "a")
    await built(database, tmp_path / "b")
    contents = [{file.name: file.read_bytes() for file in (tmp_path / each).iterdir()} for each in "ab"]
    assert contents[0] == contents[1]
    assert set(contents[0]) == {"arena.parquet", "votes.jsonl", "README.md", "croissant.json", "SHA256SUMS"}
    other = await built(database, tmp_path / "c", salt=b"another")
    for name in ("id", "evaluation_session_id"):
        assert {row[name] for row in first} & {row[name] for row in other} == set()
    assert prompts(first) == prompts(other)
    assert [row["id"] for row in first] == sorted(row["id"] for row in first)


@pytest.mark.sqlite
async def test_no_file_names_a_vote_a_battle_or_a_voter(database, tmp_path):
    await database.write(fill)
    await built(database, tmp_path)
    rows = json.dumps(parquet.read(tmp_path / "arena.parquet"), default=str)
    text = rows + "".join((tmp_path / name).read_text() for name in ("votes.jsonl", "README.md", "croissant.json"))
    assert [word for word in ("battle 0", "vote of", "person 1", '"number"') if word in text] == []


@pytest.mark.sqlite
async def test_every_row_stands_in_a_crowd(database, tmp_path):
    await database.write(fill)
    crowds = defaultdict(set)
    for row in await built(database, tmp_path):
        traits = row["language"], row["period"], row["category_tag"]["capability"], row["voter_days"]
        crowds[traits].add(row["evaluation_session_id"])
    assert min(map(len, crowds.values())) >= CROWD


@pytest.mark.sqlite
async def test_joined_with_the_live_export_on_all_common_columns_under_one_percent_of_rows_are_found(
    database, tmp_path
):
    await database.write(fill)
    released = await built(database, tmp_path)
    live = await live_export(database)
    hits = sum(len([vote for vote in live if fits(row, vote)]) == 1 for row in released)
    assert hits / len(released) < 0.01, f"{hits} of {len(released)} rows fit one vote only"


@pytest.mark.sqlite
async def test_the_votes_without_texts_give_the_same_comparisons_as_the_table(database, tmp_path):
    await database.write(fill)
    rows = await built(database, tmp_path)
    read, bad = read_votes(tmp_path / "votes.jsonl")
    assert (bad, len(read)) == ([], len(rows))
    assert "text" not in (tmp_path / "votes.jsonl").read_text()
    table = Counter((row["model_a"], row["model_b"], WORDS[row["winner"]]) for row in rows)
    assert Counter((vote.a, vote.b, vote.outcome.value) for vote in read) == table
