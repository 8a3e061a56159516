"""What an owner is told of the gate's effect on a model, and the objections to it."""

from __future__ import annotations

import asyncio

import pytest

from arena.adapters.store import decisions as stored
from arena.adapters.store import endpoints
from arena.adapters.store.tables.integrity import GateRunRow
from arena.domain.errors import AlreadyAnswered, ObjectionOpen
from arena.usecases.votes import decisions
from tests.conftest import NAMES
from tests.row_factories import START


async def owned(runtime, name=NAMES[0]) -> tuple[int, int]:
    """The numbers of an endpoint and of its owner."""
    row = await runtime.database.read(endpoints.by_name, name)
    return row.id, row.owner_id


def run_with(row: dict[str, object]) -> GateRunRow:
    numbers = {"last_vote": 9, "last_decision": 0, "networks": 0, "established": 0}
    boards = {"rows": [row], "reasons": {}}
    return GateRunRow(method="m", unlisted=[], awake=True, boards=boards, created_at=START, **numbers)


@pytest.mark.parametrize(
    ("low", "without", "high", "is_notable"),
    [
        (990.0, 1010.0, 1030.0, False),
        (990.0, 990.0, 1030.0, False),
        (990.0, 1030.0, 1030.0, False),
        (990.0, 989.0, 1030.0, True),
        (990.0, 1031.0, 1030.0, True),
        (None, 1010.0, None, False),
        (990.0, None, 1030.0, False),
    ],
)
async def test_an_effect_is_notable_where_the_rating_without_the_gate_is_outside_the_interval_with_it(
    runtime, low, without, high, is_notable
):
    row = {"name": NAMES[0], "bt": 1010.0, "bt_low": low, "bt_high": high, "bt_without": without, "votes": 3}
    await runtime.database.write(lambda session: stored.add_run(session, run_with(row)))
    effect = await runtime.database.read(decisions.effect, *await owned(runtime))
    assert (effect.notable, effect.row.model_dump()) == (is_notable, row)


@pytest.mark.both_databases
async def test_of_objections_at_once_one_is_taken(runtime):
    numbers = await owned(runtime)
    objections = (runtime.database.write(decisions.object_to, *numbers, f"{n}", START) for n in range(4))
    results = await asyncio.gather(*objections, return_exceptions=True)
    assert sum(isinstance(result, ObjectionOpen) for result in results) == 3
    assert len((await runtime.database.read(decisions.effect, *numbers)).objections) == 1


@pytest.mark.both_databases
async def test_of_answers_at_once_the_first_stays(runtime):
    objection = await runtime.database.write(decisions.object_to, *await owned(runtime), "Why?", START)
    answers = (runtime.database.write(decisions.answer, objection.number, f"{n}", START) for n in range(4))
    results = await asyncio.gather(*answers, return_exceptions=True)
    assert sum(isinstance(result, AlreadyAnswered) for result in results) == 3
    (stays,) = [result.answer for result in results if not isinstance(result, BaseException)]
    assert [view.answer for view in await runtime.database.read(decisions.objections)] == [stays]


async def test_objections_without_an_answer_come_before_newer_ones_that_have_one(runtime):
    for name in NAMES:
        newest = await runtime.database.write(decisions.object_to, *await owned(runtime, name), "Why?", START)
    assert [view.endpoint for view in await runtime.database.read(decisions.objections)] == [*reversed(NAMES)]
    await runtime.database.write(decisions.answer, newest.number, "Because.", START)
    assert [view.endpoint for view in await runtime.database.read(decisions.objections)] == [*NAMES]
