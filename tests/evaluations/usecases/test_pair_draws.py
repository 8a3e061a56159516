"""Pairs drawn by the arena's pair table: kept with the evaluation, drawn by its seed."""

import json

import numpy as np
import pytest

from arena.adapters.store import snapshots
from arena.adapters.store.tables.snapshots import PairTableRow, SnapshotRow
from arena.domain.errors import Invalid
from arena.domain.pairing.pair_table import VERSION, PairTable
from arena.domain.schemas.questions import QuestionView
from arena.domain.terms import PairingRule
from arena.evaluations.domain.people.designs import drawn_pairs
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases import generation, importer, lifecycle, views
from arena.evaluations.usecases.reports import export
from tests.conftest import START, add_endpoints
from tests.evaluations.usecases.populated import add_evaluation, caller

MODELS = ("red-7b", "blue-7b", "green-7b", "grey-7b")
ASKED = [QuestionView(id=f"q{number}", turns=[f"Question {number}?"]) for number in range(12)]
CHANCES = {(1, 2): 0.4, (1, 3): 0.2, (1, 4): 0.1, (2, 3): 0.1, (2, 4): 0.1, (3, 4): 0.1}
"""Of the endpoints with these rows."""


def add_snapshot(session, number: int) -> None:
    facts = {"method": "elo", "parameters": {}, "seed": 1, "code_version": "1", "digest": "0", "created_at": START}
    session.merge(SnapshotRow(id=number, last_vote=1, last_exclusion=0, votes=1, **facts))


async def publish(database, endpoints=(1, 2, 3, 4), chances=CHANCES, snapshot=5, version=VERSION) -> None:
    table = PairTable(tuple(endpoints), np.zeros((len(endpoints), len(endpoints))))
    place = {number: index for index, number in enumerate(endpoints)}
    for (a, b), chance in chances.items():
        if a in place and b in place:
            table.chance[place[a], place[b]] = table.chance[place[b], place[a]] = chance
    facts = {"rule": PairingRule.RANK, "endpoints": list(endpoints), "chances": table.encoded(), "made_at": START}
    row = PairTableRow(snapshot_id=snapshot, version=version, **facts)
    await database.write(add_snapshot, snapshot)
    await database.write(snapshots.replace_pair_table, row)


async def add_drawn(database, **fields) -> None:
    await add_evaluation(database, questions=ASKED, **{"models": MODELS, "design": "pair-table", "seed": 3, **fields})


async def draw(database) -> dict:
    return json.loads((await export.export(database, "taste"))[0])["draw"]


async def items(database) -> list[tuple[int, int, int | None]]:
    rows = await database.read(stored.items, 1)
    return sorted((row.question_id, row.first_id, row.second_id) for row in rows)


async def test_the_pairs_are_those_that_anybody_draws_from_the_exported_file(database, scripted):
    await database.write(add_endpoints, MODELS)
    await publish(database)
    await add_drawn(database)
    # The arena goes on and has another table by now.
    await publish(database, chances=dict.fromkeys(CHANCES, 0.5), snapshot=6)
    await generation.generate(caller(database, scripted), "taste")
    assert await lifecycle.open_evaluation(database, "taste") == 2 * len(ASKED)
    told = await draw(database)
    assert (told["snapshot"], told["seed"]) == (5, 3)
    assert told["chances"] == pytest.approx(list(CHANCES.values()))
    expected = [
        (number + 1, first + 1, second + 1)
        for number in range(len(ASKED))
        for first, second in drawn_pairs(told["chances"], len(MODELS), number, told["seed"])
    ]
    assert await items(database) == expected


async def test_the_probabilities_are_those_among_the_models_in_their_order(database):
    await database.write(add_endpoints, MODELS)
    await publish(database, endpoints=(4, 3, 2, 1))
    await add_drawn(database, models=["green-7b", "red-7b", "blue-7b"])
    assert (await draw(database))["chances"] == pytest.approx([0.2 / 0.7, 0.1 / 0.7, 0.4 / 0.7])


async def test_without_a_table_that_has_all_models_nothing_is_created(database):
    await database.write(add_endpoints, MODELS)
    with pytest.raises(Invalid, match="The arena has no pair table; its worker publishes one"):
        await add_drawn(database)
    await publish(database, endpoints=(1, 2, 3))
    with pytest.raises(Invalid, match="The arena's pair table has no grey-7b, gull; it has the models"):
        await add_drawn(database, others=["gull"])
    await publish(database, version=VERSION + 1)
    with pytest.raises(Invalid, match="The arena's pair table cannot be read: a pair table of version 2"):
        await add_drawn(database)
    await publish(database, chances={(1, 2): 1.0})
    with pytest.raises(Invalid, match="By the arena's pair table none of these models meet"):
        await add_drawn(database, models=MODELS[2:])
    assert await views.list_progress(database) == []


@pytest.mark.sqlite
@pytest.mark.parametrize("fields", [{"protocol": "stars"}, {"models": MODELS[1:], "baseline": MODELS[0]}])
async def test_pairs_are_drawn_only_where_pairs_are_judged_and_all_may_meet(database, fields):
    await database.write(add_endpoints, MODELS)
    await publish(database)
    with pytest.raises(Invalid, match="pair-table needs a protocol that compares two answers, and no baseline"):
        await add_drawn(database, **fields)


@pytest.mark.sqlite
async def test_no_model_of_a_file_joins_later(database, tmp_path):
    await database.write(add_endpoints, MODELS)
    await publish(database)
    await add_drawn(database)
    file = tmp_path / "answers.jsonl"
    file.write_text('{"question": "q1", "model": "gull", "answer": "So."}\n')
    done = await importer.import_file(database, "taste", file, START, new_models=True)
    assert done.answers == 0
    assert "pairs are drawn among the models that were there at the beginning" in str(done.refused[0])
