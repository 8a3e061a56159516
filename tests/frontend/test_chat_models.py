"""The models on the pages of chats: they come with the page, not by a request of its script."""

from __future__ import annotations

import pytest

from arena.domain.terms import EndpointState

from .fake_api import board
from .fake_chats import MODELS

PATHS = {"/side-by-side": ("a", "b"), "/direct": ("a",)}


def options_of(page, side):
    return page.tree.findall(f".//select[@id='model_{side}']/option")


@pytest.mark.parametrize("path", PATHS)
async def test_each_side_offers_the_active_models_in_order(arena, path):
    page = await arena.get(path)
    assert len(page.tree.findall(".//select")) == len(PATHS[path])
    for side in PATHS[path]:
        options = options_of(page, side)
        assert [option.attrib["value"] for option in options] == sorted(MODELS)
        assert options[0].text == "Calm Otter – A Labs"


@pytest.mark.parametrize(("language", "speakers"), [("en", [0, 1]), ("zh-TW", [0, 1, 2])])
async def test_models_that_know_the_language_of_the_page_are_marked(arena, language, speakers):
    arena.fake.board = board(5)
    names = [row.name for row in arena.fake.board.rows]
    known = ([], ["en", "zh"], ["zh"], ["fr"])
    facts = {name: {"languages": codes} for name, codes in zip(names, known, strict=False)}
    arena.fake.board_data.facts = facts | {names[4]: {"state": EndpointState.RETIRED}}
    page = await arena.get(f"/direct?lang={language}")
    marks = {option.attrib["value"]: "data-speaks" in option.attrib for option in options_of(page, "a")}
    assert {name for name, mark in marks.items() if mark} == {*MODELS, *(names[n] for n in speakers)}
    assert names[3] in marks
    assert names[4] not in marks


async def test_another_model_is_on_the_next_page(arena):
    before = await arena.get("/direct")
    arena.fake.board = board(2)
    after = await arena.get("/direct")
    assert len(options_of(after, "a")) == len(options_of(before, "a")) + 2


async def test_while_the_models_cannot_be_read_the_page_asks_again(arena):
    routes = arena.app.router.routes
    routes[:] = [route for route in routes if getattr(route, "path", "") != "/api/v1/models"]
    page = await arena.get("/side-by-side")
    assert (page.status, page.headers["retry-after"]) == (503, "2")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("language", ["en", "zh", "zh-TW"])
async def test_the_page_has_the_texts_of_its_kind_and_its_entry_is_the_open_one(arena, path, language):
    page = await arena.get(f"{path}?lang={language}")
    (entry,) = page.tree.findall(".//nav//a[@aria-current='page']")
    assert entry.attrib["href"] == path.removeprefix("/chat")
    assert page.text(".//title").startswith(entry.text)
    assert len(page.tree.findall(".//*[@class='a-vote']")) == 2 * len(PATHS[path])
