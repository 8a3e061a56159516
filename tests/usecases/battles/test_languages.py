"""Draws by the language of a prompt, and what a battle stores of them."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from arena.adapters.store import endpoints as stored
from arena.adapters.store.tables.conversations import BattleRow
from arena.usecases.battles import battles
from tests.conftest import add_endpoints

CHINESE = "用一句话解释黑洞"
KNOW = {"zh-1": ["zh"], "zh-2": ["zh", "en"], "zh-3": [], "zh-4": ["zh"], "en-1": ["en"], "en-2": ["en"]}


@pytest.fixture
async def names(runtime, part):
    """The names that numbers stand for; red and blue answer English only."""

    def fill(session) -> dict[int, str]:
        add_endpoints(session, KNOW)
        for row in stored.active(session):
            row.languages = KNOW.get(row.name, ["en"])
            part(row.name, "Hello.")
        return {row.id: row.name for row in stored.active(session)}

    return await runtime.database.write(fill)


async def drawn(runtime, voter, prompt, names, times=12):
    """The drawn models and the battle rows for a prompt."""
    for _ in range(times):
        battle = await battles.open_battle(runtime, voter, prompt)
        async for _event in await battles.watch(runtime, voter, battle.id, None):
            pass
    rows = await runtime.database.read(lambda session: session.scalars(select(BattleRow)).all())
    return {names[number] for row in rows for number in (row.endpoint_a_id, row.endpoint_b_id)}, rows


async def test_a_prompt_goes_to_those_who_know_its_language_with_the_probability_among_them(runtime, voter, names):
    models, rows = await drawn(runtime, voter, CHINESE, names)
    assert models <= {"zh-1", "zh-2", "zh-3", "zh-4"}
    assert {(row.language, round(row.probability, 9)) for row in rows} == {("zh", round(1 / 6, 9))}


async def test_where_fewer_than_four_know_the_language_everybody_is_drawn(runtime, voter, names):
    def unlearn(session) -> None:
        stored.by_name(session, "zh-1").languages = ["en"]

    await runtime.database.write(unlearn)
    _, rows = await drawn(runtime, voter, CHINESE, names, times=1)
    assert [row.probability for row in rows] == [pytest.approx(2 / (len(names) * (len(names) - 1)))]


@pytest.mark.both_databases
async def test_a_follow_up_in_another_language_stays_with_its_pair(runtime, voter, names, scripted):
    battle = await battles.open_battle(runtime, voter, CHINESE)
    async for _event in await battles.watch(runtime, voter, battle.id, None):
        pass
    await battles.ask_next(runtime, voter, battle.id, "And now tell me the same in plain English, please.")
    async for _event in await battles.watch(runtime, voter, battle.id, None):
        pass
    assert {name for name, _ in scripted.asked[:2]} == {name for name, _ in scripted.asked[2:]}
