"""Pages that the server renders, read without a browser: their data is there without a script."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from fastapi import FastAPI
from fastapi.responses import JSONResponse

from arena.domain.board_methods import practice_apart
from arena_frontend.api_reader import ask
from arena_frontend.app import create_app
from arena_frontend.bundle import Bundle
from arena_frontend.pages.integrity.measurements import WORLDS
from arena_frontend.template_pages import PAGES
from arena_frontend.texts import LANGUAGES, texts
from tests.paths import ROOT

from . import fake_chats
from .fake_api import board
from .fake_board import PACE
from .html_tree import PageAnswer, Reader, text
from .sample_reports import GATE

PAIR = "/pairs/heron-1-vs-model-b-7b-chat"
CODE, ZH, BOTH = ("code", ""), ("", "zh"), ("code", "zh")
ROWS = ".//tbody[@id='board-rows']/tr[@data-name]"
SHOWN = ("/leaderboard", "/model?name=heron-1", PAIR, "/about", "/mine", "/owners", "/operator", "/nothing")
FACTS = {
    "heron-1": {"open_weights": False, "context_tokens": 131_072, "price_in": 0.5, "price_out": 2.0},
    "model-b-7b-chat": {"open_weights": True, "billions": 70.6, "price_in": 0.1, "price_out": 0.3, "energy": 0.4},
}


async def names(arena: Reader, address: str = "/leaderboard") -> list[str]:
    return [row.attrib["data-name"] for row in (await arena.get(address)).tree.findall(ROWS)]


@pytest.mark.parametrize("path", SHOWN)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_no_page_has_anything_inline_and_its_policy_allows_nothing_inline(arena, path, language):
    arena.fake.board = board(4)
    page = await arena.get(f"{path}{'&' if '?' in path else '?'}lang={language}")
    policy = page.headers.get("content-security-policy", "")
    assert page.status == 404 or "script-src 'self'; style-src 'self';" in policy
    assert "unsafe" not in policy
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?! type=\"application/json\"|[^>]*\ssrc=)", page.html)


async def test_the_rows_are_those_of_the_snapshot_without_a_script(arena):
    arena.fake.board = board(8)
    page = await arena.get("/leaderboard?more=1")
    assert page.text(".//b[@id='board-votes']") == "4,200"
    row, *others = page.tree.findall(ROWS)
    assert [row.attrib["data-name"], *(each.attrib["data-name"] for each in others)] == [
        row.name for row in arena.fake.board.rows
    ]
    cells = {cell.attrib["data-key"]: text(cell) for cell in row}
    assert cells == {
        "rank": "11–2",
        "name": "HLheron-1Heron Labs",
        "bt": "1,1801,166 – 1,194",
        "battles": "530",
        "size": "–",
        "licence": "–Apache-2.0",
        "elo": "1,176spread 9.5 · not yet settled",
        "ppb": "0.64340",
        "win": "64.2%",
        "carena": "71.7%",
        "record": "300 / 80 / 120 / 30",
    }
    assert page.tree.find(".//svg[@aria-label='heron-1: 1,180, from 1,166 to 1,194']/rect") is not None
    assert "Demo" in text(others[2])


async def test_a_page_with_the_same_data_has_the_same_etag_and_a_newer_board_another(arena):
    arena.fake.board = board(8)
    first, again = [(await arena.get("/leaderboard")).headers["etag"] for _ in range(2)]
    arena.fake.board = board(8, number=2, votes=5000)
    newer = await arena.get("/leaderboard")
    assert first == again != newer.headers["etag"]
    assert newer.text(".//b[@id='board-votes']") == "5,000"


async def test_heads_are_links_that_sort_and_turn_the_order(arena):
    arena.fake.board = board(8)
    page = await arena.get("/leaderboard")
    assert page.tree.find(".//a[@id='sort-battles']").attrib["href"] == "/leaderboard?sort=-battles"
    assert [head.attrib["data-key"] for head in page.tree.findall(".//th[@aria-sort='ascending']")] == ["rank"]
    turned = await arena.get("/leaderboard?sort=-battles")
    assert turned.tree.find(".//a[@id='sort-battles']").attrib["href"] == "/leaderboard?sort=battles"
    assert (await names(arena, "/leaderboard?sort=battles"))[-1] == "heron-1"
    assert (await names(arena, "/leaderboard?sort=nonsense"))[0] == "heron-1"


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("weights=open", 3),
        ("owner=Heron+Labs", 3),
        ("demo=none", 6),
        ("demo=only&q=labs", 1),
        ("young=hide", 7),
        ("size=unknown", 1),
        ("size=small", 7),
        ("size=large", 0),
        ("q=%E7%A4%BA%E4%BE%8B", 2),
    ],
)
async def test_filters_and_search_work_by_the_address(arena, query, count):
    whole = board(8)
    change = [{"open_weights": n < 3, "battles": 12 if n == 5 else 500} for n in range(8)]
    rows = [row.model_copy(update=update) for row, update in zip(whole.rows, change, strict=True)]
    arena.fake.board = whole.model_copy(update={"rows": rows})
    assert len(await names(arena, f"/leaderboard?{query}")) == count
    page = await arena.get(f"/leaderboard?{query}")
    chosen = {box.attrib["name"] for box in page.tree.findall(".//select") if box.find("option[@selected]") is not None}
    assert chosen == {part.partition("=")[0] for part in query.split("&")} - {"q"}


async def test_a_search_without_a_match_says_so(arena):
    arena.fake.board = board(8)
    page = await arena.get("/leaderboard?q=%3Cnothing%3E")
    assert page.text(".//p[@id='board-none']") == "No model matches “<nothing>”."
    assert page.tree.find(".//figure") is None


async def test_tabs_lead_to_boards_that_exist_and_their_files(arena):
    arena.fake.board = fake = arena.fake.board_data.add(board(8), CODE, ZH, BOTH, ("", "en"))
    page = await arena.get("/leaderboard?category=code")
    tabs = {tab.attrib["id"]: tab.attrib["href"] for tab in page.tree.findall(".//nav[@class='a-tabs']//a")}
    assert tabs["language-zh"] == "/leaderboard?category=code&language=zh"
    assert tabs["language-en"] == "/leaderboard?language=en"
    assert page.texts(".//nav[@class='a-tabs']//a[@aria-current]") == ["Code 90", "All"]
    assert [link.attrib["href"] for link in page.tree.findall(".//p[@id='board-downloads']/a")] == [
        "/leaderboard?category=code",
        "/api/v1/leaderboard.csv?category=code",
        "/api/v1/leaderboard?category=code",
        "/api/v1/votes/export",
        "/files",
        "/feed.xml",
        "/embed?category=code",
    ]
    assert len(page.tree.findall(ROWS)) == 4 < len(fake.rows)


async def test_a_board_that_does_not_exist_says_so_and_leads_back(arena):
    arena.fake.board = board(8)
    page = await arena.get("/leaderboard?category=safety&language=zh")
    assert (page.status, page.text(".//h2")) == (404, "No board for Safety · Chinese yet")


def battled(arena, *battles):
    """Give the models of the board of code so many battles."""
    arena.fake.board = arena.fake.board_data.add(board(8), CODE)
    shown = arena.fake.board_data.boards[CODE]
    rows = [row.model_copy(update={"battles": count}) for row, count in zip(shown.rows, battles, strict=True)]
    arena.fake.board_data.boards[CODE] = shown.model_copy(update={"rows": rows})


async def test_newcomers_wait_on_boards_of_categories_until_they_are_asked_for(arena):
    battled(arena, 5, 80, 80, 5)
    page = await arena.get("/leaderboard?category=code")
    assert len(page.tree.findall(ROWS)) == 2
    assert "2 provisional models with few battles are hidden." in page.text(".//p[@id='board-hidden']")
    link = page.tree.find(".//p[@id='board-hidden']/a").attrib["href"]
    assert len(await names(arena, link)) == 4


async def test_a_board_of_a_category_shows_newcomers_that_are_most_of_its_models(arena):
    battled(arena, 5, 5, 80, 5)
    page = await arena.get("/leaderboard?category=code")
    assert len(page.tree.findall(ROWS)) == 4
    assert page.tree.find(".//p[@id='board-hidden']") is None
    assert len(await names(arena, "/leaderboard?category=code&young=hide")) == 1


async def test_neighbours_that_the_votes_cannot_tell_apart_form_a_band(arena):
    whole = board(4)
    bounds = [(1100.0, 1130.0), (1090.0, 1110.0), (1080.0, 1099.0), (1060.0, 1085.0)]
    rows = [
        row.model_copy(update={"bt": (low + high) / 2, "bt_low": low, "bt_high": high})
        for row, (low, high) in zip(whole.rows, bounds, strict=True)
    ]
    arena.fake.board = whole.model_copy(update={"rows": rows})
    page = await arena.get("/leaderboard")
    assert [row.get("data-band") for row in page.tree.findall(ROWS)] == ["1", "1", "2", "2"]
    page = await arena.get("/leaderboard?sort=-battles")
    assert {row.get("data-band") for row in page.tree.findall(ROWS)} == {None}


@pytest.mark.parametrize(
    ("language", "head"), [("en", "Practice models (2)"), ("zh", "练习模型（2）"), ("zh-TW", "練習模型（2）")]
)
async def test_practice_models_stand_below_the_board_and_lead_nothing(arena: Reader, language: str, head: str) -> None:
    whole = board(8)
    practice = [row.name for row in whole.rows if row.demo]
    arena.fake.board = whole.model_copy(update={"rows": practice_apart(whole.rows)})
    page = await arena.get(f"/leaderboard?lang={language}")
    (group,) = page.texts(".//tr[@class='a-group']")
    assert group.startswith(head)
    assert page.texts(".//tbody[@id='board-rows']/tr/th[@data-key='name']//a")[-2:] == practice
    assert not set(practice) & set(page.texts(".//ol[@class='a-podium']/li//a"))


async def test_all_bars_of_the_column_of_scores_have_one_scale(arena: Reader) -> None:
    whole = board(8)
    practice = [row.model_copy(update={"demo": n > 3}) for n, row in enumerate(whole.rows)]
    wide = practice[3].model_copy(update={"bt_low": -19_278.0, "bt_high": 22_524.0, "battles": 7})
    few = [row.model_copy(update={"battles": 7}) for row in practice[:3]]
    arena.fake.board = whole.model_copy(update={"rows": practice_apart([*few, wide, *practice[4:]])})
    page = await arena.get("/leaderboard")
    bars = page.tree.findall(".//tbody[@id='board-rows']//svg[@role='img']")
    points = [float(bar.find("./*[@class='a-point']").attrib["x"].rstrip("%")) for bar in bars]
    scores = {row.name: row.bt or 0 for row in whole.rows if row.name != wide.name}
    assert len(points) == 7
    steps = [
        (scores[high] - scores[low]) / (points[n] - points[n + 1])
        for n, (high, low) in enumerate(pairwise(scores))
        if points[n + 1] > 0 and points[n] < 100
    ]
    assert steps == pytest.approx([steps[0]] * len(steps), rel=0.05)
    assert len(steps) >= 3


async def test_groups_that_never_met_are_kept_apart_everywhere(arena):
    whole = board(8)
    rows = [row.model_copy(update={"component": int(n > 4)}) for n, row in enumerate(whole.rows)]
    arena.fake.board = whole.model_copy(update={"rows": rows})
    page = await arena.get("/leaderboard?sort=battles")
    heads = page.texts(".//tr[@class='a-group']")
    assert [head.split(" They")[0] for head in heads] == ["New, not yet compared (3)"]
    assert page.texts(".//td[@data-key='rank']")[5:] == ["–"] * 3
    assert set((await names(arena, "/leaderboard?sort=battles"))[:5]) == {row.name for row in rows[:5]}
    for picture in ("intervals", "matrix", "counts"):
        assert len((await arena.get(f"/leaderboard?picture={picture}")).tree.findall(".//figure//h3")) == 1


async def test_facts_of_owners_are_columns_where_there_are_any_and_sort(arena):
    whole = board(4)
    bare = [row.model_copy(update={"licence": None}) for row in whole.rows]
    arena.fake.board = whole.model_copy(update={"rows": bare})
    heads = ".//a[@class='a-sort']"
    assert (await arena.get("/leaderboard")).texts(heads) == ["Rank", "Model", "Score", "Battles"]
    arena.fake.board_data.facts = FACTS
    page = await arena.get("/leaderboard?more=1")
    assert page.texts(heads)[5:9] == ["Weights", "Context", "Price", "Energy"]
    cells = {
        row.attrib["data-name"]: {cell.attrib["data-key"]: text(cell) for cell in row}
        for row in page.tree.findall(ROWS)
    }
    assert cells["heron-1"] | {"licence": "closed", "context": "128K", "price": "$0.50 / $2.00"} == cells["heron-1"]
    assert (
        cells["model-b-7b-chat"] | {"size": "70.6B", "energy": "0.4 kWh1,000 tokens light a 10 W lamp for 2.4 min"}
        == cells["model-b-7b-chat"]
    )
    assert cells["model-c-5b-chat"]["price"] == "–"
    assert (await names(arena, "/leaderboard?sort=-price"))[:2] == ["heron-1", "model-b-7b-chat"]


async def test_the_style_column_is_offered_where_it_exists_and_sorts(arena):
    arena.fake.board = board(8)
    assert (await arena.get("/leaderboard?style=1")).tree.find(".//a[@id='sort-style']") is None
    arena.fake.board_data.styled = True
    page = await arena.get("/leaderboard?style=1&sort=-style")
    assert page.tree.findall(ROWS)[0].attrib["data-name"] == arena.fake.board.rows[-1].name
    assert "rank 1 (↑7)" in text(page.tree.find(f"{ROWS}/td[@data-key='style']"))


async def test_pictures_are_drawn_by_the_server(arena):
    arena.fake.board = arena.fake.board_data.add(board(8), CODE, ("chat", ""), ("writing", ""), ZH)
    arena.fake.board_data.moments, arena.fake.board_data.facts = 2, FACTS

    async def drawn(name: str, more: str = ""):
        return (await arena.get(f"/leaderboard?picture={name}{more}")).tree.find(f".//div[@id='chart-{name}']")

    assert len((await drawn("intervals")).findall(".//li")) == 8
    cell = (await drawn("matrix")).findall(".//tbody/tr/td")[1]
    assert text(cell) == "60%"
    assert cell.attrib["title"].endswith("34 won, 23 lost, 6 tied, 3 both bad, 66 battles")
    assert text((await drawn("counts")).findall(".//tbody/tr/td")[1]) == "66"
    history = await drawn("history")
    assert [len(line.findall("circle")) for line in history.findall(".//g[@class='a-line']")] == [2] * 8
    orders = await drawn("orders", f"&model={arena.fake.board.rows[2].name}")
    assert "its Elo rank lies between 3 and 4" in text(orders.find("p[@class='a-note']"))
    last = await drawn("orders", f"&model={arena.fake.board.rows[-1].name}")
    assert "its Elo rank is 8 in all of them." in text(last.find("p[@class='a-note']"))
    assert len(orders.findall(".//rect")) == 2
    # It joined late: what is known of it is one moment, for three ranks and two ratings.
    assert len(orders.findall(".//g[@class='a-line']/circle")) == 5
    scatter = await drawn("scatter")
    assert text(scatter.find(".//title")) == "heron-1: 1,180, $0.88"
    assert "6 models without this figure" in text(scatter)
    assert len((await drawn("scatter", "&against=size")).findall(".//circle")) == 7


async def test_fewer_battles_make_a_fainter_cell(arena):
    whole = board(3)
    pairs = [pair.model_copy(update={"fraction": 0.8, "battles": 9 + 90 * n}) for n, pair in enumerate(whole.pairs)]
    arena.fake.board = whole.model_copy(update={"pairs": pairs})
    page = await arena.get("/leaderboard?picture=matrix")
    few, many = (int(cell.attrib["data-heat"]) for cell in page.tree.find(".//tbody/tr").findall("td[@data-heat]"))
    assert 0 < few < many


async def test_how_it_is_computed_tells_parameters_votes_exclusions_and_digest(arena):
    arena.fake.board, arena.fake.board_data.styled = board(8), True
    how = (await arena.get("/leaderboard")).text(".//div[@id='board-how']")
    for part in (
        "R₁ + 4 · (S − E)",
        "1,000 random orders of the log is published, seed 7",
        "4,200 counted here, log up to number 4,200",
        "12 × Saved, but not counted: an answer gave away who wrote it.",
        "3 × spam of one evening",
        "9f2c" * 16,
        "length: +0.31 ± 0.02",
        "Never different, so not in the fit: bold.",
        "Davidson, with both bad25.0%0.7026.0%22.0%1.0412",
        "heron1016.81012.21003.0 – 1021.5−4.5",
        "A model with a score of 912 is no more welcome than no answer at all.",
        "Below it: wren.",
        "there is no Condorcet winner",
        "In 12 of 1,050 triples, three models beat each other in a circle",
    ):
        assert part in how


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_preliminary_board_says_so_and_why(arena, language):
    words = texts(language)
    arena.fake.board = board(3)
    address = f"/leaderboard?lang={language}"
    assert (await arena.get(address)).tree.find(".//p[@id='board-preliminary']") is None
    arena.fake.board = board(3).model_copy(update={"preliminary": ["young", "closed"]})
    said = (await arena.get(address)).text(".//p[@id='board-preliminary']")
    assert said == " ".join(words[f"board.preliminary{code}"] for code in ("", ".young", ".closed"))


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_contested_model_is_named_with_the_points_in_question_on_the_board_and_on_its_page(arena, language):
    words, plain = texts(language), board(3)
    first, second, third = (row.name for row in plain.rows)
    address = f"/leaderboard?lang={language}"
    arena.fake.board = plain.model_copy(update={"preliminary": ["contested"], "contested": {first: 38.4, third: None}})
    page = await arena.get(address)
    size = words.fill("board.contested.model", model=first, points="38")
    names = words.listed([size, third])
    note = f"{words['board.preliminary']} {words.fill('board.contested', models=names)}"
    assert page.text(".//p[@id='board-preliminary']") == note
    tags = {
        row.get("data-name"): [tag.text for tag in row.iterfind(".//span[@class='a-tag']")]
        for row in page.tree.iterfind(".//tbody[@id='board-rows']/tr")
    }
    assert [words["board.contested.tag"] in tags[name] for name in (first, second, third)] == [True, False, True]
    said = [await arena.get(f"/model?name={name}&lang={language}") for name in (first, second, third)]
    assert said[0].text(".//p[@id='model-contested']") == words.fill("gate.told.contested", model=first, points="38")
    assert said[1].tree.find(".//p[@id='model-contested']") is None
    assert said[2].text(".//p[@id='model-contested']") == words.fill("gate.told.undecided", model=third)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_preliminary_model_says_so_on_its_page_with_the_reasons_of_the_board(arena, language):
    words, whole = texts(language), board(3)
    marked = whole.rows[0].model_copy(update={"preliminary": ["few_votes", "wide"]})
    arena.fake.board = whole.model_copy(update={"rows": [marked, *whole.rows[1:]]})
    pages = [await arena.get(f"/model?name={row.name}&lang={language}") for row in arena.fake.board.rows[:2]]
    said = pages[0].text(".//p[@id='model-preliminary']")
    assert said == " ".join([words["board.young"], words["row.preliminary.few_votes"], words["row.preliminary.wide"]])
    assert pages[1].tree.find(".//p[@id='model-preliminary']") is None


async def test_a_row_of_a_small_board_says_how_much_it_borrows_and_others_say_nothing(arena):
    whole = board(4)
    shares = (0.6, 0.0, 0.001, None)
    rows = [row.model_copy(update={"borrowed": share}) for row, share in zip(whole.rows, shares, strict=True)]
    arena.fake.board = whole.model_copy(update={"rows": rows})
    page = await arena.get("/leaderboard?young=show")
    cells = [text(cell) for cell in page.tree.findall(".//span[@class='a-score']")]
    assert [("borrowed from all votes: 60" in cell, "borrowed" in cell) for cell in cells] == [
        (True, True),
        *[(False, False)] * 3,
    ]


async def test_a_row_has_no_interval_yet_where_it_would_say_nothing_and_guesses_no_number_of_votes(arena):
    whole = board(4)
    bounds = {"battles": 50, "bt": 1000.0, "bt_low": -1000.0, "bt_high": 3000.0}
    wide = whole.rows[0].model_copy(update={**bounds, "score": 1000.0, "score_low": -1000.0, "score_high": 3000.0})
    arena.fake.board = whole.model_copy(update={"rows": [wide, *whole.rows[1:]]})
    page = await arena.get("/leaderboard?young=show")
    cells = [text(cell) for cell in page.tree.findall(".//span[@class='a-score']")]
    assert [cell for cell in cells if "no interval yet" in cell] == ["1,000 no interval yet"]
    assert "3,000" not in " ".join(cells)
    assert len(cells) == 4


async def test_start_page_and_board_name_one_goal(arena, monkeypatch):
    monkeypatch.setattr(fake_chats, "MODELS", ())
    whole = board(5, votes=20)
    rows = [row.model_copy(update={"battles": count}) for row, count in zip(whole.rows, (7, 5, 6, 11, 11), strict=True)]
    arena.fake.board = whole.model_copy(update={"rows": rows})
    start, table = [await arena.get(path) for path in ("/", "/leaderboard")]
    assert "20 of at least 75 votes until every model has 30 battles" in start.text(".//*[@id='life']")
    note = table.text(".//p[@id='board-note']")
    assert "until every model has 30 battles, which takes at least 75 votes in all" in note


async def test_a_young_board_says_so_and_marks_no_place_that_means_nothing(arena):
    whole = board(4, votes=12)
    rows = [row.model_copy(update={"rank_low": 1, "rank_high": 4}) for row in whole.rows]
    arena.fake.board = whole.model_copy(update={"rows": rows})
    page = await arena.get("/leaderboard")
    assert "12 votes so far" in page.text(".//p[@id='board-note']")
    assert page.tree.find(".//tr[@data-top]") is None
    arena.fake.board = board(4).model_copy(update={"rows": rows})
    assert "each may have any rank" in (await arena.get("/leaderboard")).text(".//p[@id='board-note']")
    arena.fake.board = board(8)
    assert len((await arena.get("/leaderboard")).tree.findall(".//tr[@data-top]")) == 2


async def test_before_the_first_snapshot_the_page_shows_the_way(arena):
    page = await arena.get("/leaderboard")
    assert (page.status, page.text(".//h2")) == (200, "No leaderboard yet")
    # True for whoever has just cast it, too.
    said = "The first vote makes the leaderboard. It appears here by itself, usually within half a minute."
    assert page.text(".//div[@class='a-empty']/p") == said
    arena.fake.board = board(4).model_copy(update={"rows": [], "pairs": []})
    page = await arena.get("/leaderboard")
    assert page.text(".//p[@id='board-note']") == "No vote counts yet, so there is nothing to rank."
    assert page.tree.find(".//table[@id='board-rows']") is None


async def test_a_thousand_models_begin_with_two_hundred_and_a_link_to_all(arena):
    whole = board(26)
    rows = [
        row.model_copy(update={"name": f"{row.name}-{n}", "rank": 26 * n + row.rank})
        for n in range(39)
        for row in whole.rows
    ]
    arena.fake.board = whole.model_copy(update={"rows": rows[:1000], "pairs": []})
    page = await arena.get("/leaderboard")
    assert len(page.tree.findall(ROWS)) == 200
    link = page.tree.find(".//a[@id='board-rows-all']")
    assert text(link) == "Show all 1,000 models"
    assert len(await names(arena, link.attrib["href"])) == 1000


async def test_a_snapshot_of_yesterday_tells_its_time(arena):
    whole = board(3)
    made = datetime(2026, 1, 2, 3, 4, tzinfo=UTC) - timedelta(days=1)
    arena.fake.board = whole.model_copy(update={"snapshot": whole.snapshot.model_copy(update={"created_at": made})})
    assert (await arena.get("/leaderboard")).text(".//time") == "2026-01-01 03:04 UTC"


async def test_a_name_that_is_markup_stays_text_everywhere(arena):
    whole = board(3)
    name = "<img src=x onerror=alert(1)>\"'&"
    rows = [whole.rows[0].model_copy(update={"name": name, "owner": "<b>"}), *whole.rows[1:]]
    arena.fake.board = whole.model_copy(update={"rows": rows})
    for address in ("/leaderboard", "/leaderboard?picture=matrix", "/leaderboard?picture=intervals"):
        page = await arena.get(address)
        assert page.tree.find(".//main//img") is None
        assert name in "".join(page.tree.itertext())


async def test_an_api_that_fails_is_told_in_a_sentence_and_tried_again_by_a_link(fake, pages):
    app = FastAPI()  # it has no API at all
    app.mount("/", pages)
    page = await Reader(fake, app).get("/leaderboard?sort=name")
    assert (page.status, page.text(".//h2")) == (503, "The leaderboard could not be loaded.")
    assert page.tree.find(".//a[@class='a-button']").attrib["href"] == "/leaderboard?sort=name"


async def test_an_address_that_the_api_does_not_take_is_no_failure_of_the_arena(fake, pages):
    app = FastAPI()
    app.get("/api/{rest:path}")(lambda: JSONResponse({"code": "invalid"}, 422))
    app.mount("/", pages)
    for path in PAGES.keys() - {"/direct", "/side-by-side"}:  # which pass nothing of their address on
        page = await Reader(fake, app).get(f"{path}?name=a&b=a&x=a&y=b")
        assert page.status < 500, path


async def test_a_name_with_a_slash_reads_no_other_file_of_the_api():
    app = FastAPI()
    app.get("/api/v1/evaluations/{name}/report.csv")(lambda name: name)
    assert (await ask(app, "/api/v1/evaluations/closed/report.csv"))[0] == 200
    assert (await ask(app, "/api/v1/evaluations/closed%2Freport.csv"))[0] == 404


async def test_an_arena_that_is_being_built_is_asked_again_by_itself():
    status, headers, body = await ask(create_app(), "/leaderboard")
    assert (status, headers["retry-after"]) == (503, "2")
    assert b'retry.js" data-seconds="2"' in body


async def test_the_battle_page_needs_no_arena_that_is_built():
    status, headers, body = await ask(create_app(), "/")
    assert (status, "retry-after" in headers) == (200, False)
    assert b'id="prompt"' in body
    assert b"data-status" not in body  # its script asks for the status


def test_two_own_files_never_share_a_name():
    bundle = Bundle.load()
    assert len(bundle.files) == len({path.name for path in bundle.files.values()}) == len(set(bundle.files.values()))


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_about_page_is_whole_before_the_arena_is(language):
    status, headers, body = await ask(create_app(), f"/about?lang={language}")
    page = PageAnswer(status, headers, body.decode())
    assert page.status == 200
    assert {head.get("id") for head in page.tree.findall(".//h2")} >= {"terms", "ratings"}
    assert len(page.tree.findall(".//math[@display='block']//mfrac")) == 2
    assert len(page.tree.findall(".//table//tr")) > 8


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_about_page_tells_the_pace_of_the_day_and_who_keeps_up(arena, language):
    words = texts(language)
    page = await arena.get(f"/about?lang={language}")
    told = page.text(".//div[@id='about-text']")
    assert words.fill("about.pace.rate", rate="180", start="1.2") in told
    assert words["about.pace.chosen"] in told
    assert page.text(".//tr[@aria-current]") == f"180 {words['about.pace.today']}82%"
    assert f"{words['about.pace.slow']} wren" in told
    arena.fake.board_data.pace = PACE.model_copy(update={"segment": 4.0, "by_hand": True, "sustained": [], "slow": []})
    page = await arena.get(f"/about?lang={language}")
    told = page.text(".//div[@id='about-text']")
    assert words.fill("about.pace.segment", seconds="4") in told
    assert words["about.pace.by_hand"] in told
    assert words["about.pace.slow"] not in told


async def test_the_gate_tells_rules_reasons_ratings_and_the_files_to_compute_it_again(arena):
    page = await arena.get("/integrity?lang=zh")
    assert "尚未审查任何投票。" in page.text(".//div[@id='integrity']")
    arena.fake.board_data.gate = GATE
    page = await arena.get("/integrity")
    told = page.text(".//div[@id='integrity']")
    assert "As of 2026-11-20 00:00 UTC, up to vote 1,200; later votes are not checked yet." in told
    assert "In the week of the last checked vote, 12 of 240 votes came from groups that push a model" in told
    assert "In total, 32 of 1,011 checked votes do not count" in told
    assert "an attacker would need about 30 votes today" in told
    assert "newcomer: more than a third of the days, networks or other groups push it up or down." in told
    assert "preliminary until there are 20 networks (now 7)" in told
    assert page.tree.find(".//svg[@role='img']").get("aria-label") == "5.0 % of the votes of that week do not count."
    assert "heron is contested: some votes push it one way" in told
    assert "which may move it by about 31 points" in told
    assert len(page.tree.findall(".//*[@class='a-gate-rule']")) == 2
    assert page.texts(".//div[@id='integrity']//tbody/tr[1]/td") == ["1,010.0 (990–1,030)", "1,100.5", "−90.5", "32"]
    assert page.texts(".//div[@id='integrity']//tbody/tr[2]/td") == ["–", "–", "–", "0"]
    arena.fake.board_data.gate = GATE.model_copy(update={"votes": 30})
    assert "about 1 vote today that looks like an ordinary one, from" in (await arena.get("/integrity")).html
    links = {link.attrib["href"] for link in page.tree.findall(".//div[@id='integrity']//li/a")}
    assert "/api/v1/audit/2026-W40" in links
    assert "/api/v1/audit/2099-W02" not in links


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_the_gate_holds_stands_on_its_page_as_in_the_document_for_researchers(arena, language):
    words, told = texts(language), " ".join((ROOT / "docs/researchers.md").read_text(encoding="utf-8").split())
    page = await arena.get(f"/integrity?lang={language}")
    rows = page.tree.findall(".//section[@id='integrity-measured']//tbody/tr")
    attacks = [attack for world in WORLDS for attack in world.attacks]
    assert [row.find("th").text for row in rows] == [words[f"gate.attack.{attack.name}"] for attack in attacks]
    for row, attack in zip(rows, attacks, strict=True):
        figures = [attack.undefended, attack.gated, attack.worst, attack.lost]
        assert [cell.text.removesuffix("\N{NO-BREAK SPACE}%") for cell in row.findall("td")] == [
            f"{value:.1f}" for value in figures
        ]
        assert f"| {attack.undefended} | {attack.gated} / {attack.worst} | {attack.lost} %" in told, attack.name
    commands = page.texts(".//section[@id='integrity-measured']//code")
    assert commands == [world.command for world in WORLDS]
    assert all(f"`{command}`" in told for command in commands)


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ("Arena demo", "imported")), ("zh", ("竞技场演示", "导入")), ("zh-TW", ("競技場示範", "匯入"))],
)
async def test_owners_that_are_no_people_are_named_in_the_readers_language(arena, language, words):
    whole = board(4)
    owners = ("Arena demo", "imported")
    rows = [row.model_copy(update={"owner": owners[n % 2], "demo": False}) for n, row in enumerate(whole.rows)]
    arena.fake.board = whole.model_copy(update={"rows": rows})
    page = await arena.get(f"/leaderboard?lang={language}")
    assert set(page.texts(".//span[@class='a-model']/small")) == set(words)
