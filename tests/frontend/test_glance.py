"""A model in one glance, read without a browser."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from arena.domain.schemas.models import VersionView
from arena.domain.terms import EndpointState
from arena_frontend.texts import LANGUAGES

from .fake_api import board
from .html_tree import Reader, text

GLANCE = ".//dl[@id='model-glance']/div"


async def facts(arena: Reader, name: str, language: str = "en") -> dict[str, str]:
    page = await arena.get(f"/model?name={name}&lang={language}")
    return {text(fact.find("dt")): text(fact.find("dd")) for fact in page.tree.findall(GLANCE)}


async def test_ranks_strengths_opponents_votes_and_price_stand_first(arena):
    arena.fake.board = whole = arena.fake.board_data.add(board(8), ("code", ""), ("chat", ""), ("", "zh"))
    name = whole.rows[6].name
    rows = arena.fake.board_data.boards["code", ""].rows
    turned = [row.model_copy(update={"rank": 4 if row.name == name else row.rank}) for row in rows]
    arena.fake.board_data.boards["code", ""] = arena.fake.board_data.boards["code", ""].model_copy(
        update={"rows": turned}
    )
    arena.fake.board_data.facts = {name: {"price_in": 0.5, "price_out": 2.0}}
    arena.fake.board_data.before, arena.fake.board_data.battles_before = {name: 5}, {name: 400}
    told = await facts(arena, name)
    assert told["Rank and possible range"] == "7 (6–8)"
    assert (told["Highest rank"], told["Lowest rank"]) == ("Small talk 2 of 4", "Code 4 of 4")
    assert told["Battles since last week"] == f"{whole.rows[6].battles - 400}"
    assert told["Price"] == "$0.50 / $2.00"
    page = await arena.get(f"/model?name={name}")
    sentence = f"{name} may stand anywhere from place 6 to 8 of 8 models. Highest rank: Small talk; lowest: Code."
    assert page.text(".//p[@id='model-sentence']") == sentence
    assert page.tree.find(".//meta[@property='og:description']").attrib["content"] == sentence


async def test_a_version_is_set_beside_the_one_before_it(arena):
    arena.fake.board = whole = board(8)
    names = [row.name for row in whole.rows]
    moment = datetime(2026, 1, 2, tzinfo=UTC)
    arena.fake.board_data.versions[names[0]] = [
        VersionView(name=name, version=version, state=EndpointState.ACTIVE, joined_at=moment)
        for name, version in ((names[0], 3), (names[1], 2), (names[5], 1))
    ]
    assert (await facts(arena, names[0]))["Difference in score"] == f"+45 against {names[1]}"
    assert "Difference in score" not in await facts(arena, names[2])


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_fact_that_nobody_has_told_is_left_out(arena, language):
    arena.fake.board = board(2)
    page = await arena.get(f"/model?name=heron-1&lang={language}")
    assert not [text(fact) for fact in page.tree.findall(".//dl/div/dd") if text(fact) in {"", "–"}]
    assert "Highest rank" not in await facts(arena, "heron-1")
