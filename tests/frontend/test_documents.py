"""What pages of other sites show of the board: a frame, a badge, a card, a feed; none sets a cookie or has a script."""

from __future__ import annotations

import pytest

from arena_frontend.app import create_app
from arena_frontend.texts import LANGUAGES, texts

from .fake_api import FakeArena, board
from .html_tree import Reader, reader

NAME = "heron-1"
SHOWN = ("/embed?rows=3", f"/badge.svg?name={NAME}", f"/card.svg?name={NAME}", "/feed.xml?x=1")
ATOM = ("feed", "title", "id", "updated", "author", "entry")


@pytest.fixture
def arena(fake: FakeArena) -> Reader:
    fake.board = board(8)
    return reader(fake, create_app("https://arena.example", fresh=0))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", SHOWN)
async def test_it_sets_no_cookie_has_no_script_and_may_be_shown_elsewhere(arena, path, language):
    page = await arena.get(f"{path}&lang={language}")
    assert page.status == 200
    assert "set-cookie" not in page.headers
    assert "<script" not in page.html
    if path.startswith("/embed"):
        assert "frame-ancestors *" in page.headers["content-security-policy"]
        assert "script-src" not in page.headers["content-security-policy"]
        assert "x-frame-options" not in page.headers
    else:
        assert page.headers["cross-origin-resource-policy"] == "cross-origin"


async def test_every_other_page_stays_out_of_frames(arena):
    page = await arena.get("/leaderboard")
    assert page.headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]


async def test_the_frame_has_the_best_models_with_intervals_and_links_that_leave_it(arena):
    page = await arena.get("/embed?rows=3")
    rows = page.tree.findall(".//ol[@class='a-intervals']/li")
    assert len(rows) == 3
    assert NAME in page.text(".//ol[@class='a-intervals']/li")
    assert {link.attrib["target"] for link in page.tree.iter("a")} == {"_blank"}
    assert len((await arena.get("/embed?rows=100000000000")).tree.findall(".//ol/li")) == 8
    assert (await arena.get("/embed?theme=dark")).tree.attrib["data-theme"] == "dark"


async def test_a_board_that_does_not_exist_is_said_in_the_frame(arena):
    page = await arena.get("/embed?category=nothing")
    assert (page.status, page.text(".//main/p")) == (404, "There is no such board yet.")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_frame_of_a_young_board_shows_it_and_says_how_young_it_is(arena, language):
    young = [row.model_copy(update={"battles": 9}) for row in arena.fake.board.rows]
    arena.fake.board = arena.fake.board.model_copy(update={"rows": young})
    page, words = await arena.get(f"/embed?rows=3&lang={language}"), texts(language)
    assert page.status == 200
    assert len(page.tree.findall(".//ol[@class='a-intervals']/li")) == 3
    assert page.text(".//main/p") == words.fill("board.young.help", few=30)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_frame_without_a_board_says_why(arena, language):
    words = texts(language)
    other = await arena.get(f"/embed?category=all&lang={language}")
    assert words.fill("board.missing.text", few=30) in other.text(".//main")
    arena.fake.board = None
    empty = await arena.get(f"/embed?lang={language}")
    assert (empty.status, empty.text(".//main/p")) == (200, words["board.note.none"])


async def test_a_row_of_the_frame_has_no_bar_without_an_interval_that_says_something(arena):
    rows = arena.fake.board.rows
    wide = rows[0].model_copy(update={"bt_low": -7000.0, "bt_high": 9000.0})
    arena.fake.board = arena.fake.board.model_copy(update={"rows": [wide, *rows[1:]]})
    page = await arena.get("/embed?rows=3")
    lines = page.tree.findall(".//ol[@class='a-intervals']/li")
    assert [len(line.findall("svg")) for line in lines] == [0, 1, 1]
    assert "no interval yet" in page.text(".//ol[@class='a-intervals']/li")


async def test_the_badge_says_the_ranks_that_the_votes_allow_and_escapes_names(arena):
    badge = await arena.get(f"/badge.svg?name={NAME}")
    assert badge.headers["content-type"] == "image/svg+xml"
    assert badge.tree.attrib["aria-label"] == "Battle Arena: rank 1–2 of 8"


async def test_the_card_of_a_model_has_its_ranks_and_its_rating_with_the_interval(arena):
    card = await arena.get(f"/card.svg?name={NAME}")
    row = arena.fake.board.rows[0]
    texts = [element.text for element in card.tree.iter("text")]
    assert {NAME, "rank 1–2 of 8", f"{row.bt:,.0f} ({row.bt_low:,.0f}–{row.bt_high:,.0f})"} <= set(texts)
    bars = [float(bar.attrib["x"]) for bar in card.tree.iter("rect") if "x" in bar.attrib]
    assert all(64 <= place <= 1136 for place in bars)


@pytest.mark.parametrize("name", ["", "nobody", "<script>"])
@pytest.mark.parametrize("path", ["badge", "card"])
async def test_there_is_no_picture_of_a_model_that_is_on_no_board(arena, path, name):
    assert (await arena.get(f"/{path}.svg?name={name}")).status == 404


async def test_the_feed_has_an_entry_a_day_whose_id_stays(arena):
    feed = await arena.get("/feed.xml")
    assert feed.headers["content-type"] == "application/atom+xml; charset=utf-8"
    assert {part for part in ATOM if part != "feed"} <= {part.tag for part in feed.tree}
    ids = [entry.find("id").text for entry in feed.tree.findall("entry")]
    assert ids
    assert len(set(ids)) == len(ids) <= 30
    assert all(one.startswith("https://arena.example/feed.xml#20") for one in ids)
    assert "leads" in feed.tree.find("entry").find("title").text


async def test_without_a_public_address_there_is_no_feed(fake: FakeArena):
    assert (await reader(fake, create_app(fresh=0)).get("/feed.xml")).status == 404
