"""Every vote gets the labels of all sets by rules, once, and its own row stays as it is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from hashlib import sha256

import pytest
from sqlalchemy import insert, select, text

from arena.adapters.store import labels
from arena.adapters.store.tables.conversations import BattleRow, TurnRow, VoteRow
from arena.adapters.store.tables.labels import LabelRow
from arena.domain.errors import QuestionSetNotFound
from arena.domain.labels.label_sets import CAST, LABEL_RULES
from arena.usecases.exchange import importer
from arena.usecases.labelling import rule_labels
from arena.usecases.labelling.label_file import label_pages
from arena.usecases.labelling.label_reader import read_labels
from arena.usecases.labelling.rule_labels import SOURCES, label_by_rules, label_questions
from tests.conftest import START, add_endpoints
from tests.evaluations.usecases.populated import keep_set
from tests.usecases.battles.test_turns import play
from tests.usecases.ranking.test_slice_boards import made
from tests.usecases.votes.test_votes import vote

NOW = datetime(2026, 3, 1, tzinfo=UTC)
PROMPTS = ("写一首关于秋天的诗", "Write a Python function that sorts a list.", "Hello!")


async def label_all(database, sources=SOURCES) -> int:
    labelled = 0
    with ThreadPoolExecutor(1) as executor:
        while batch := await label_by_rules(database, sources, executor=executor, now=NOW):
            labelled += batch
    return labelled


async def rows_of(database, name: str) -> dict[int, list[str]]:
    query = select(LabelRow.vote_number, LabelRow.values).where(LabelRow.label_set == name)
    return await database.read(lambda session: dict(session.execute(query).all()))


async def test_votes_are_labelled_in_every_set_and_once(runtime, voter):
    for prompt in PROMPTS:
        battle, _ = await play(runtime, voter, prompt)
        await vote(runtime, voter, battle.id)
    assert [await label_all(runtime.database) for _ in range(2)] == [9, 0]
    assert await rows_of(runtime.database, "capabilities") == {1: ["writing"], 2: ["code"], 3: ["chat"]}
    assert await rows_of(runtime.database, "areas") == {1: ["text_generation"], 2: ["reasoning"], 3: ["dialogue"]}
    assert await rows_of(runtime.database, "flags") == {1: ["creative"], 2: ["code"], 3: []}


async def test_only_the_set_that_is_asked_for_costs_anything(runtime, voter):
    battle, _ = await play(runtime, voter, PROMPTS[0])
    await vote(runtime, voter, battle.id)
    assert await label_all(runtime.database, [CAST]) == 0
    assert await label_all(runtime.database, [SOURCES[1]]) == 1
    assert [name for name, *_ in await runtime.database.read(labels.counts)] == ["flags"]
    assert await label_all(runtime.database) == 2


async def test_questions_of_a_set_are_labelled_once(database):
    await keep_set(database)
    assert [await label_questions(database, "ours", SOURCES[0], NOW) for _ in range(2)] == [3, 0]
    assert await database.read(labels.counts) == [("capabilities", "rules", 2, 0, 3)]
    with pytest.raises(QuestionSetNotFound):
        await label_questions(database, "unknown", SOURCES[0], NOW)


async def test_imported_votes_have_no_prompt_and_wait_for_nothing(database):
    await importer.import_votes(database, made(40), START)
    assert await label_all(database) == 0


@pytest.mark.both_databases
async def test_a_worker_that_was_superseded_appends_nothing(runtime, voter):
    battle, _ = await play(runtime, voter)
    await vote(runtime, voter, battle.id)

    def guard(_session):
        raise PermissionError

    with ThreadPoolExecutor(1) as executor, pytest.raises(PermissionError):
        await label_by_rules(runtime.database, executor=executor, now=NOW, guard=guard)
    assert await rows_of(runtime.database, "flags") == {}


async def test_the_published_lines_are_read_back_up_to_the_label_that_a_board_names(runtime, voter, tmp_path):
    for prompt in PROMPTS:
        battle, _ = await play(runtime, voter, prompt)
        await vote(runtime, voter, battle.id)
    await label_all(runtime.database)
    file = tmp_path / "labels.jsonl"
    file.write_bytes(b"".join([piece async for piece in label_pages(runtime.database)]))
    source = SOURCES[0]
    last = await runtime.database.read(labels.last_of, source)
    assert read_labels(file, source.record() | {"last": last - 1}) == {1: ["writing"], 2: ["code"]}


@pytest.mark.both_databases
@pytest.mark.parametrize("votes", [600, pytest.param(100_000, marks=pytest.mark.heavy)])
async def test_labelling_anew_changes_no_vote(database, votes, monkeypatch):
    await database.write(add_endpoints)
    await database.write(fill, votes)
    before = await database.read(digest)
    assert await label_all(database) == 3 * votes
    later = tuple(type(source)(source.set, "rules", 3) for source in SOURCES)
    monkeypatch.setattr(rule_labels, "SOURCES", later)
    assert await label_all(database, later) == 3 * votes
    assert await database.read(digest) == before
    assert await database.read(labels.counts) == [
        (name, "rules", version, votes, 0) for name in sorted(LABEL_RULES) for version in (2, 3)
    ]


def digest(session) -> str:
    digest_of_rows = sha256()
    for row in session.execute(text("SELECT * FROM votes ORDER BY number")):
        digest_of_rows.update(repr(tuple(row)).encode())
    return digest_of_rows.hexdigest()


def fill(session, votes: int) -> None:
    """Insert voted battles with three different prompts."""
    common = {"endpoint_a_id": 1, "endpoint_b_id": 2, "voter_key": "v", "created_at": START}
    ids = [f"battle-{number}" for number in range(votes)]
    session.execute(
        insert(BattleRow),
        [{**common, "id": battle_id, "state": "voted", "probability": 1.0, "language": "en"} for battle_id in ids],
    )
    turn = {"number": 1, "generation": 0, "state": "ready", "started_at": START, "deadline_at": START}
    turns = [{**turn, "battle_id": battle_id, "prompt": PROMPTS[n % 3]} for n, battle_id in enumerate(ids)]
    session.execute(insert(TurnRow), turns)
    session.execute(
        insert(VoteRow), [{**common, "id": vote_id, "battle_id": vote_id, "outcome": "a"} for vote_id in ids]
    )
