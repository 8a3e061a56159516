"""Pictures and titles of link previews: of a shared battle, of two models, and of the board of the day."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image, ImageColor

from arena.domain.terms import BattleState, Outcome, TurnState
from arena_frontend.api_reader import ask
from arena_frontend.app import create_app
from arena_frontend.charts import share_picture
from arena_frontend.charts.share_picture import SharePicture, draw, is_drawable
from arena_frontend.documents import picture

from .fake_api import Battle, FakeArena, Turn, board
from .html_tree import Reader, reader

LARGEST = 60_000


@pytest.fixture
def arena(fake: FakeArena) -> Reader:
    fake.board = board(8)
    return reader(fake, create_app("https://arena.example", fresh=0))


def _is_picture(data: bytes) -> bool:
    return Image.open(BytesIO(data)).size == (share_picture.WIDTH, share_picture.HEIGHT)


@pytest.mark.parametrize("heading", ["short", "word " * 200, "w" * 900, "天空为什么是蓝色的？" * 30, "\U0001f600", ""])
def test_any_question_makes_a_picture_of_the_agreed_size_in_at_most_sixty_kilobytes(heading):
    picture = SharePicture("Battle Arena", heading, ("A  " + "name-" * 40, "B  other", "A is better"), 0)
    data = draw(picture)
    assert _is_picture(data)
    assert len(data) <= LARGEST


@pytest.mark.parametrize(("marked", "colour"), [(0, "#4653c9"), (1, "#ad4f06")])
def test_the_marked_line_has_the_colour_of_its_side_as_in_the_picture_that_a_voter_saves(marked, colour):
    image = Image.open(BytesIO(draw(SharePicture("Arena", "Why?", ("A  one", "B  two"), marked)))).convert("RGB")
    level = 330 + 66 * marked
    line = image.crop((64, level, share_picture.WIDTH, level + 60))
    assert ImageColor.getrgb(colour) in {found for _, found in line.getcolors(line.width * line.height) or []}


def test_a_question_with_signs_that_no_font_has_is_left_out(monkeypatch):
    monkeypatch.setattr(share_picture, "_han_font", lambda: "")
    assert is_drawable("Why is the sky blue?")
    assert not is_drawable("天空")
    without = draw(SharePicture("Arena", "", ("A  x",)))
    assert draw(SharePicture("Arena", "天空\ue000", ("A  x",))) == without


async def test_the_board_has_a_picture_that_pages_of_others_may_show(arena):
    page = await arena.get("/leaderboard")
    address = next(tag.attrib["content"] for tag in page.tree.iter("meta") if tag.get("property") == "og:image")
    assert address == "https://arena.example/card.png?lang=en"
    status, headers, data = await ask(arena.app, "/card.png?lang=en")
    assert (status, headers["content-type"]) == (200, "image/png")
    assert headers["cross-origin-resource-policy"] == "cross-origin"
    assert "set-cookie" not in headers
    assert _is_picture(data)


async def test_a_shared_battle_has_its_question_as_title_and_its_own_picture(arena, fake):
    question = 'Is 1 < 2 or "not"? \\1'
    turn = Turn(1, question, fake.answers, TurnState.READY)
    fake.battles["one"] = Battle("one", [turn], state=BattleState.VOTED, outcome=Outcome.A)
    fake.shares["one"] = "tok-en"
    page = await arena.get("/shared?b=tok-en")
    tags = {tag.get("property"): tag.get("content") for tag in page.tree.iter("meta")}
    assert tags["og:title"] == question
    assert tags["og:image"] == "https://arena.example/card.png?b=tok-en&lang=en"
    status, headers, data = await ask(arena.app, "/card.png?b=tok-en&lang=en")
    assert (status, headers["content-type"]) == (200, "image/png")
    assert _is_picture(data)


async def test_more_pictures_than_may_wait_are_asked_for_again_later(arena, monkeypatch):
    monkeypatch.setattr(picture, "MAX_WAITING", 0)
    status, headers, _ = await ask(arena.app, "/card.png?lang=en")
    assert (status, headers["retry-after"]) == (503, "2")
    monkeypatch.undo()
    assert (await ask(arena.app, "/card.png?lang=en"))[0] == 200


@pytest.mark.parametrize("query", ["b=nothing", "x=nobody&y=nothing"])
async def test_there_is_no_picture_of_what_is_not_public(arena, query):
    assert (await arena.get(f"/card.png?{query}")).status == 404
