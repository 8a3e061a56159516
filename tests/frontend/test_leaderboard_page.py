"""The leaderboard page in a real browser, against the contract."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from .fake_api import FakeArena, board
from .resting import has_rested

pytestmark = [pytest.mark.browser, pytest.mark.resting]

CODE, ZH, BOTH = ("code", ""), ("", "zh"), ("code", "zh")


def visit(page: Page, path: str = "/leaderboard") -> None:
    """Come to the board: in a page that rested, as by the browser's way back, or by loading it."""
    if has_rested(page):
        page.evaluate("(path) => { history.pushState(null, '', path); dispatchEvent(new Event('popstate')); }", path)
    else:
        page.goto(path)


def poll(page: Page) -> None:
    """Let the page ask for the newest board at once, as it does when its tab is shown again."""
    page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")


def names(page: Page) -> list[str]:
    return [row.get_attribute("data-name") or "" for row in page.locator("#board-rows tr[data-name]").all()]


def test_without_votes_the_page_says_so_and_shows_the_way(page: Page) -> None:
    page.goto("/leaderboard")
    expect(page.locator("#board h2")).to_have_text("No leaderboard yet")
    page.click("#board .a-button")
    page.wait_for_selector("html[data-phase=empty]")


def test_the_first_snapshot_appears_without_a_reload(page: Page, fake: FakeArena) -> None:
    page.goto("/leaderboard")
    page.wait_for_selector("#board .a-empty")
    page.wait_for_selector("html[data-live=true]")
    fake.board = board(8)
    poll(page)
    expect(page.locator("#board-rows tr")).to_have_count(8)


def test_a_hidden_page_asks_for_nothing_and_one_that_is_shown_again_at_once(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    page.goto("/leaderboard")
    page.wait_for_selector("html[data-live=true]")
    polls = []
    page.on("request", lambda request: polls.append(request.url) if request.url.endswith("/newest") else None)
    page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.evaluate("fetch('/api/v1/models').then((answer) => answer.text())")
    assert not polls
    with page.expect_response("**/leaderboard/newest"):
        poll(page)
    assert len(polls) == 1


def test_the_table_shows_what_the_snapshot_holds(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    visit(page)
    expect(page.locator("#board-rows tr")).to_have_count(8)
    assert names(page) == [row.name for row in fake.board.rows]
    expect(page.locator("#board-votes")).to_have_text("4,200")
    page.check("#board-more input")
    row = page.locator("#board-rows tr").first
    cells = {cell.get_attribute("data-key"): cell.inner_text() for cell in row.locator("td, th").all()}
    told = {key: text.split("\n") for key, text in cells.items()}
    assert told["rank"] == ["1", "1–2"]
    assert told["name"][-1] == "Heron Labs"
    assert (told["size"], told["licence"][-1]) == (["–"], "Apache-2.0")
    assert told["bt"] == ["1,180", "1,166 – 1,194"]
    assert told["battles"] == ["530"]
    assert told["elo"] == ["1,176 ± 0.3", "spread 9.5"]
    assert told["ppb"] == ["0.64", "340"]
    assert (told["win"], told["carena"]) == (["64.2%"], ["71.7%"])
    assert told["record"] == ["300 / 80 / 120 / 30"]
    expect(page.get_by_role("img", name="heron-1: 1,180, from 1,166 to 1,194")).to_be_visible()
    expect(page.locator("#board-rows tr").nth(3)).to_contain_text("Demo")


def test_pictures_are_tabs_beside_the_table_reached_by_keys_and_part_of_the_link(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    visit(page)
    page.click("#tab-intervals")
    expect(page.locator(".a-intervals li")).to_have_count(8)
    expect(page.locator("#board-scroll")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-matrix")).to_be_focused()
    expect(page.locator("#tab-matrix")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#chart-matrix tbody tr")).to_have_count(8)
    best = page.locator("#chart-matrix tbody tr").first.locator("td").nth(1)
    expect(best).to_have_text("60%")
    assert "34 won, 23 lost, 6 tied" in (best.get_attribute("title") or "")
    expect(page.locator("#chart-matrix thead th").nth(1)).to_have_text(fake.board.rows[1].name)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#chart-counts tbody tr").first.locator("td").nth(1)).to_have_text("66")
    page.reload()
    expect(page.locator("#tab-counts")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#chart-counts tbody tr")).to_have_count(8)
    page.focus("#tab-counts")
    page.keyboard.press("Home")
    expect(page.locator("#board-scroll")).to_be_visible()
    assert "?" not in page.url


def test_one_vote_and_one_model_are_singular(page: Page, fake: FakeArena) -> None:
    fake.board = board(1, votes=1)
    visit(page)
    expect(page.locator("#board-votes-word")).to_have_text("vote")
    expect(page.locator("#board-models-word")).to_have_text("model")


def test_a_preliminary_board_says_so_and_why(page: Page, fake: FakeArena) -> None:
    fake.board = board(3)
    visit(page)
    expect(page.locator("#board-rows tr")).to_have_count(3)
    expect(page.locator("#board-preliminary")).to_be_hidden()
    fake.board = board(3, number=2).model_copy(update={"preliminary": ["young", "closed"]})
    poll(page)
    expect(page.locator("#board-preliminary")).to_contain_text(
        "Preliminary New arena: votes come from too few networks"
    )
    expect(page.locator("#board-preliminary")).to_contain_text("Closed arena: its operator says")


def test_fewer_battles_make_a_fainter_cell(page: Page, fake: FakeArena) -> None:
    whole = board(3)
    pairs = [pair.model_copy(update={"fraction": 0.8, "battles": 9 + 90 * n}) for n, pair in enumerate(whole.pairs)]
    fake.board = whole.model_copy(update={"pairs": pairs})
    visit(page, "/leaderboard?picture=matrix")
    cells = page.locator("#chart-matrix tbody tr").first.locator("td:not(.a-self)")
    expect(cells).to_have_text(["80%", "80%"])
    shares = [re.search(r"(\d+)%", cell.get_attribute("style") or "") for cell in cells.all()]
    few, many = (int(share[1]) for share in shares if share)
    assert 0 < few < many


def test_more_columns_are_remembered_and_part_of_the_link(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    visit(page)
    expect(page.locator("#board-heads th")).to_have_count(6)
    page.check("#board-more input")
    expect(page.locator("#board-heads th")).to_have_count(11)
    assert "more=1" in page.url
    page.goto("/leaderboard")
    expect(page.locator("#board-heads th")).to_have_count(11)
    page.uncheck("#board-more input")
    expect(page.locator("#board-heads th")).to_have_count(6)
    page.goto("/leaderboard?more=1")
    expect(page.locator("#board-heads th")).to_have_count(11)
    page.goto("/leaderboard")
    expect(page.locator("#board-heads th")).to_have_count(6)


def test_a_column_explains_itself_to_keys_and_fingers(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    visit(page)
    mark = page.get_by_role("button", name="What “Score” means")
    mark.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#note-bt")).to_be_visible()
    expect(page.locator("#note-bt")).to_contain_text("The bar is its 95 % interval.")
    page.keyboard.press("Escape")
    expect(page.locator("#note-bt")).to_be_hidden()
    mark.click()
    box, size = page.locator("#note-bt").bounding_box(), page.viewport_size
    assert box
    assert size
    assert 0 <= box["x"] <= size["width"] - box["width"]
    page.click("h1")
    expect(page.locator("#note-bt")).to_be_hidden()
    assert page.locator("#board-heads [title]").count() == 0


def test_neighbours_that_the_votes_cannot_tell_apart_form_a_band(page: Page, fake: FakeArena) -> None:
    whole = board(4)
    bounds = [(1100.0, 1130.0), (1090.0, 1110.0), (1080.0, 1099.0), (1060.0, 1085.0)]
    rows = [
        row.model_copy(update={"bt": (low + high) / 2, "bt_low": low, "bt_high": high})
        for row, (low, high) in zip(whole.rows, bounds, strict=True)
    ]
    fake.board = whole.model_copy(update={"rows": rows})
    visit(page)
    expect(page.locator("#board-rows tr")).to_have_count(4)
    read = "rows => rows.map(row => row.dataset.band ?? '')"
    assert page.locator("#board-rows tr").evaluate_all(read) == ["odd", "odd", "even", "even"]
    page.click("thead button[data-key=battles]")
    assert page.locator("#board-rows tr").evaluate_all(read) == [""] * 4


@pytest.mark.parametrize("width", [390, 1280])
def test_a_row_is_low_and_heads_stay_while_the_rest_scrolls(page: Page, fake: FakeArena, width: int) -> None:
    fake.board = board(40)
    page.set_viewport_size({"width": width, "height": 800})
    visit(page, "/leaderboard?more=1")
    expect(page.locator("#board-rows tr")).to_have_count(40)
    heights = page.locator("#board-rows tr").evaluate_all("rows => rows.map(row => row.offsetHeight)")
    assert max(heights) <= 44
    page.locator("#board-rows tr").nth(30).scroll_into_view_if_needed()
    page.evaluate("document.querySelector('#board-scroll').scrollLeft = 900")
    head, cell = page.locator("#board-heads th[data-key=name]"), page.locator("#board-rows tr").nth(30).locator("th")
    for place in (head, cell):
        box = place.bounding_box()
        assert box
        assert 0 <= box["x"] < 160
        assert 0 <= box["y"] < 800
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_newcomers_wait_on_the_boards_of_categories_until_they_are_asked_for(page: Page, fake: FakeArena) -> None:
    fake.board = fake.beside.add(board(8), CODE)
    shown = fake.beside.boards[CODE]
    rows = [row.model_copy(update={"battles": 5 if n else 80}) for n, row in enumerate(shown.rows)]
    fake.beside.boards[CODE] = shown.model_copy(update={"rows": rows})
    page.goto("/leaderboard?category=code")
    expect(page.locator("#board-rows tr")).to_have_count(1)
    expect(page.locator("#board-hidden")).to_contain_text("3 provisional models with few battles are hidden.")
    page.click("#board-hidden button")
    expect(page.locator("#board-rows tr")).to_have_count(4)
    expect(page.locator("#board-hidden")).to_be_hidden()
    assert "young=show" in page.url
    fake.beside.boards[CODE] = shown.model_copy(
        update={"rows": [row.model_copy(update={"battles": 5}) for row in rows]}
    )
    page.goto("/leaderboard?category=code")
    expect(page.locator("#board-rows tr")).to_have_count(4)


def test_a_head_sorts_and_says_so_and_the_address_keeps_it(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    visit(page)
    expect(page.locator("thead [data-key=rank][aria-sort]")).to_have_attribute("aria-sort", "ascending")
    page.click("thead button[data-key=battles]")
    expect(page.locator("#board-heads th[aria-sort]")).to_have_count(1)
    expect(page.locator("thead th[data-key=battles]")).to_have_attribute("aria-sort", "descending")
    assert names(page)[0] == "heron-1"
    page.click("thead button[data-key=battles]")
    expect(page.locator("thead th[data-key=battles]")).to_have_attribute("aria-sort", "ascending")
    assert names(page)[-1] == "heron-1"
    page.reload()
    expect(page.locator("thead th[data-key=battles]")).to_have_attribute("aria-sort", "ascending")
    assert names(page)[-1] == "heron-1"


def test_a_new_snapshot_appears_by_itself_and_leaves_sorting_search_scroll_and_focus_alone(
    page: Page, fake: FakeArena
) -> None:
    fake.board = board(40)
    page.goto("/leaderboard")
    page.click("thead button[data-key=bt]")
    page.click("thead button[data-key=bt]")
    page.fill("#board-search", "labs")
    before = names(page)
    assert 0 < len(before) < 40
    page.wait_for_selector("html[data-live=true]")
    page.evaluate("scrollTo(0, 220)")
    fake.board = board(40, number=2, votes=5000)
    poll(page)
    expect(page.locator("#board-votes")).to_have_text("5,000")
    assert names(page) == [name.replace("heron-1", "heron-2") for name in before]
    expect(page.locator("#board-search")).to_have_value("labs")
    expect(page.locator("#board-search")).to_be_focused()
    assert page.evaluate("scrollY") == 220
    expect(page.locator("thead th[data-key=bt]")).to_have_attribute("aria-sort", "ascending")


def test_a_board_that_a_proxy_still_has_from_before_is_read_once_more(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    page.goto("/leaderboard")
    expect(page.locator("#board-rows tr")).to_have_count(8)
    page.wait_for_selector("html[data-live=true]")
    before = page.request.get("/api/v1/leaderboard").body()
    page.route("**/api/v1/leaderboard", lambda route: route.fulfill(body=before), times=1)
    fake.board = board(9, number=2, votes=5000)
    poll(page)
    expect(page.locator("#board-votes")).to_have_text("5,000")
    expect(page.locator("#board-rows tr")).to_have_count(9)


def test_a_new_snapshot_leaves_a_focused_row_and_a_scrolled_picture_alone(page: Page, fake: FakeArena) -> None:
    fake.board = board(40)
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/leaderboard")
    page.focus("#board-rows tr:nth-child(3) a")
    page.wait_for_selector("html[data-live=true]")
    fake.board = board(40, number=2, votes=5000)
    poll(page)
    expect(page.locator("#board-votes")).to_have_text("5,000")
    expect(page.locator("#board-rows tr:nth-child(3) a").first).to_be_focused()
    page.click("#tab-matrix")
    page.evaluate("document.querySelector('#chart-matrix .a-matrix').scrollLeft = 120")
    fake.board = board(40, number=3, votes=6000)
    poll(page)
    expect(page.locator("#board-votes")).to_have_text("6,000")
    assert page.evaluate("document.querySelector('#chart-matrix .a-matrix').scrollLeft") == 120


def test_search_without_a_match_says_so_and_shows_no_empty_card_and_a_match_narrows_the_pictures_too(
    page: Page, fake: FakeArena
) -> None:
    fake.board = board(8)
    visit(page, "/leaderboard?picture=intervals")
    expect(page.locator(".a-intervals li")).to_have_count(8)
    page.fill("#board-search", "<nothing>")
    expect(page.locator("#board-none")).to_have_text("No model matches “<nothing>”.")
    expect(page.locator("[role=tabpanel]:visible")).to_have_count(0)
    page.fill("#board-search", "示例")
    expect(page.locator(".a-intervals li")).to_have_count(2)
    page.click("#tab-matrix")
    expect(page.locator("#chart-matrix tbody tr")).to_have_count(2)
    page.click("#tab-table")
    expect(page.locator("#board-rows tr")).to_have_count(2)


def test_filters_divide_by_weights_owner_size_demo_and_few_battles(page: Page, fake: FakeArena) -> None:
    whole = board(8)
    rows = [
        row.model_copy(update={"open_weights": n < 3, "battles": 12 if n == 5 else 500})
        for n, row in enumerate(whole.rows)
    ]
    fake.board = whole.model_copy(update={"rows": rows})
    visit(page)
    expect(page.locator("#board-rows tr")).to_have_count(8)
    for name, value, count in (
        ("weights", "open", 3),
        ("owner", "Heron Labs", 3),
        ("demo", "none", 6),
        ("young", "hide", 7),
        ("size", "unknown", 1),
        ("size", "small", 7),
        ("size", "large", 0),
    ):
        page.select_option(f"#board-filters select[data-filter={name}]", value)
        expect(page.locator("#board-rows tr")).to_have_count(count)
        assert f"{name}=" in page.url
        page.click("#board-filters [data-act=unfilter]")
        expect(page.locator("#board-rows tr")).to_have_count(8)
    assert "?" not in page.url
    page.goto("/leaderboard?demo=only&q=labs")
    expect(page.locator("#board-search")).to_have_value("labs")
    expect(page.locator("#board-filters select[data-filter=demo]")).to_have_value("only")
    assert names(page) == [row.name for row in rows if row.demo and "Labs" in row.owner]


def test_tabs_appear_only_with_boards_and_lead_to_them_and_their_files(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    page.goto("/leaderboard")
    expect(page.locator("#board-rows tr")).to_have_count(8)
    expect(page.locator("#board-tabs")).to_be_hidden()
    fake.board = fake.beside.add(board(8), CODE, ZH, BOTH, ("", "en"))
    page.reload()
    expect(page.locator("#board-tabs a")).to_have_text(["All", "Code 90", "All", "Chinese 89", "English 87"])
    page.click("#board-tabs a[data-choice=code]")
    expect(page.locator("#board-votes")).to_have_text("90")
    expect(page.locator("#board-rows tr")).to_have_count(4)
    assert page.url.endswith("/leaderboard?category=code")
    assert (page.locator("#board-csv").get_attribute("href") or "").endswith("leaderboard.csv?category=code")
    page.click("#board-tabs a[data-choice=zh]")
    expect(page.locator("#board-votes")).to_have_text("88")
    assert page.url.endswith("?category=code&language=zh")
    page.click("#board-tabs a[data-choice=en]")
    expect(page.locator("#board-votes")).to_have_text("87")
    assert page.url.endswith("?language=en")
    page.goto("/leaderboard?category=code")
    expect(page.locator("#board-tabs a[data-choice=code]")).to_have_attribute("aria-current", "true")


def test_a_board_that_does_not_exist_says_so_and_leads_back(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    visit(page, "/leaderboard?category=safety&language=zh")
    expect(page.locator("#board h2")).to_have_text("No board for Safety · Chinese yet")
    page.click("#board .a-button")
    expect(page.locator("#board-rows tr")).to_have_count(8)


def test_the_style_column_is_offered_where_it_exists_and_sorts(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    page.goto("/leaderboard")
    expect(page.locator("#board-rows tr")).to_have_count(8)
    expect(page.locator("#board-style")).to_be_hidden()
    fake.beside.styled = True
    page.reload()
    expect(page.locator("#board-heads th")).to_have_count(6)
    page.check("#board-style input")
    expect(page.locator("#board-heads th")).to_have_count(7)
    page.click("thead button[data-key=style]")
    assert names(page)[0] == fake.board.rows[-1].name
    expect(page.locator("#board-rows tr").first.locator("[data-key=style]")).to_contain_text("rank 1 (↑7)")
    assert "style=1" in page.url


FACTS = {
    "heron-1": {
        "open_weights": False,
        "context_tokens": 131_072,
        "price_in": 0.5,
        "price_out": 2.0,
    },
    "model-b-7b-chat": {"open_weights": True, "billions": 70.6, "price_in": 0.1, "price_out": 0.3, "energy": 0.4},
}


def test_facts_of_owners_are_columns_where_there_are_any_and_sort(page: Page, fake: FakeArena) -> None:
    whole = board(4)
    bare = [row.model_copy(update={"licence": None}) for row in whole.rows]
    fake.board = whole.model_copy(update={"rows": bare})
    page.goto("/leaderboard")
    heads = page.locator("#board-heads [data-act=sort]")
    expect(heads).to_have_text(["Rank", "Model", "Score", "Battles", "Size"])
    fake.beside.facts = FACTS
    page.goto("/leaderboard?more=1")
    expect(heads).to_contain_text(
        ["Rank", "Model", "Score", "Battles", "Size", "Weights", "Context", "Price", "Energy"]
    )
    cell = "#board-rows tr[data-name='{}'] [data-key={}]".format
    expect(page.locator(cell("heron-1", "licence"))).to_contain_text("closed")
    expect(page.locator(cell("heron-1", "context"))).to_have_text("128K")
    expect(page.locator(cell("heron-1", "price"))).to_have_text("$0.50 / $2.00")
    expect(page.locator(cell("model-b-7b-chat", "size"))).to_have_text("70.6B")
    expect(page.locator(cell("model-b-7b-chat", "energy"))).to_have_text("0.4 kWh")
    expect(page.locator(cell("model-c-5b-chat", "price"))).to_have_text("–")
    page.click("thead button[data-key=price]")
    assert names(page)[:2] == ["heron-1", "model-b-7b-chat"]
    page.select_option("#board-filters select[data-filter=weights]", "open")
    assert names(page) == ["model-b-7b-chat"]


def test_score_stands_against_price_or_size_and_says_what_is_missing(page: Page, fake: FakeArena) -> None:
    fake.board = board(4)
    page.goto("/leaderboard?picture=scatter")
    expect(page.locator("#chart-scatter")).to_contain_text("No figures yet.")
    fake.beside.facts = FACTS
    page.reload()
    expect(page.locator("#chart-scatter circle")).to_have_count(2)
    expect(page.locator("#chart-scatter title").first).to_have_text("heron-1: 1,180, $0.88")
    expect(page.locator("#chart-scatter")).to_contain_text("2 models without this figure")
    page.get_by_role("button", name="Billions of parameters").click()
    expect(page.locator("#chart-scatter circle")).to_have_count(3)
    expect(page.locator("#chart-scatter [aria-pressed=true]")).to_be_focused()
    assert "against=size" in page.url


def test_an_organisation_has_its_initials_and_one_colour(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    visit(page)
    marks = page.locator("#board-rows .a-initials")
    expect(marks).to_have_text(["HL", "OC", "示", "HL", "OC", "示", "HL", "OC"])
    colours = marks.evaluate_all("marks => marks.map(mark => mark.textContent + mark.dataset.colour)")
    assert len(set(colours)) == 3


def test_groups_that_never_met_are_kept_apart_everywhere(page: Page, fake: FakeArena) -> None:
    whole = board(8)
    rows = [row.model_copy(update={"component": int(n > 4)}) for n, row in enumerate(whole.rows)]
    fake.board = whole.model_copy(update={"rows": rows})
    visit(page)
    expect(page.locator("#board-rows .a-group")).to_have_text([re.compile("5 models"), re.compile("3 models")])
    page.click("thead button[data-key=battles]")
    shown = names(page)
    assert set(shown[:5]) == {row.name for row in rows[:5]}
    for picture in ("intervals", "matrix", "counts"):
        page.click(f"#tab-{picture}")
        expect(page.locator(f"#chart-{picture} h3")).to_have_count(2)


def test_what_is_said_of_a_group_stays_in_the_window_of_a_phone(page: Page, fake: FakeArena) -> None:
    whole = board(8)
    rows = [row.model_copy(update={"component": int(n > 4)}) for n, row in enumerate(whole.rows)]
    fake.board = whole.model_copy(update={"rows": rows})
    page.set_viewport_size({"width": 390, "height": 800})
    visit(page, "/leaderboard?more=1")
    expect(page.locator("#board-rows .a-group")).to_have_count(2)
    page.locator("#board-rows tr[data-name] td").last.scroll_into_view_if_needed()
    box = page.locator("#board-rows .a-group span").first.bounding_box()
    assert box
    assert 0 <= box["x"] < box["x"] + box["width"] <= 390


def test_a_young_board_says_so_and_marks_no_place_that_means_nothing(page: Page, fake: FakeArena) -> None:
    whole = board(4, votes=12)
    fake.board = whole.model_copy(
        update={"rows": [r.model_copy(update={"rank_low": 1, "rank_high": 4}) for r in whole.rows]}
    )
    page.goto("/leaderboard")
    expect(page.locator("#board-note")).to_contain_text("12 votes so far")
    expect(page.locator("#board-rows tr[data-top]")).to_have_count(0)
    fake.board = fake.board.model_copy(update={"snapshot": whole.snapshot.model_copy(update={"votes": 400})})
    page.reload()
    expect(page.locator("#board-note")).to_contain_text("All intervals overlap")
    fake.board = board(8)
    page.reload()
    expect(page.locator("#board-note")).to_be_hidden()
    expect(page.locator("#board-rows tr[data-top]")).to_have_count(2)


def test_a_board_without_a_counted_vote_is_no_broken_page(page: Page, fake: FakeArena) -> None:
    whole = board(4, votes=3)
    fake.board = whole.model_copy(update={"rows": [], "pairs": []})
    visit(page)
    expect(page.locator("#board-note")).to_have_text("No vote counts yet, so there is nothing to rank.")
    expect(page.locator("[role=tabpanel]:visible")).to_have_count(0)


@pytest.mark.parametrize(
    "body", ["[]", '{"rows": [{"name": "x"}], "pairs": [], "boards": [], "snapshot": {}}', "nonsense"]
)
def test_an_answer_that_makes_no_sense_is_told_and_can_be_tried_again(page: Page, fake: FakeArena, body: str) -> None:
    fake.board = board(4)
    page.route("**/api/v1/leaderboard", lambda route: route.fulfill(body=body, content_type="application/json"))
    page.goto("/leaderboard")
    expect(page.locator("#board h2")).to_have_text("The leaderboard could not be loaded.")
    page.unroute("**/api/v1/leaderboard")
    page.click("#board .a-button")
    expect(page.locator("#board-rows tr")).to_have_count(4)


def test_history_order_and_capabilities_are_drawn_when_they_are_chosen(page: Page, fake: FakeArena) -> None:
    fake.board = fake.beside.add(board(8), CODE, ("chat", ""), ("writing", ""), ZH)
    fake.beside.moments = 2
    page.goto("/leaderboard?picture=history")
    expect(page.locator("#chart-history .a-line")).to_have_count(8)
    expect(page.locator("#chart-history .a-line").first.locator("circle")).to_have_count(2)
    page.click("#tab-overview")
    heads = page.locator("#chart-overview thead th")
    expect(heads).to_have_text(["Model", "All", "Small talk", "Code", "Writing", "Chinese"])
    last = page.locator("#chart-overview tbody tr").last
    expect(last.locator("td")).to_have_text(
        [
            "8 on the board All, score 865",
            *(f"1 on the board {n}, score 1,100" for n in ("Small talk", "Code", "Writing", "Chinese")),
        ],
        use_inner_text=False,
    )
    page.click("#tab-orders")
    expect(page.locator("#chart-orders rect")).to_have_count(2)
    page.select_option("#chart-orders select", fake.board.rows[2].name)
    expect(page.locator("#chart-orders .a-note")).to_contain_text("its Elo rank lies between 3 and 4")
    # It joined late: what is known of it is one moment, for three ranks and two ratings.
    expect(page.locator("#chart-orders .a-line circle")).to_have_count(5)


def test_how_it_is_computed_tells_parameters_votes_exclusions_and_digest(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    fake.beside.styled = True
    page.goto("/leaderboard")
    page.click("#board-method summary")
    how = page.locator("#board-how")
    expect(how).to_contain_text("R₁ + 4 · (S − E)")
    expect(how).to_contain_text("1,000 random orders of the log is published, seed 7")
    expect(how).to_contain_text("4,200 counted here, log up to number 4,200")
    expect(how).to_contain_text("12 × Saved, but not counted: an answer gave away who wrote it.")
    expect(how).to_contain_text("3 × spam of one evening")
    expect(how).to_contain_text("9f2c" * 16)
    expect(how).to_contain_text("length: +0.31 ± 0.02")
    expect(how.locator("a[href='/api/v1/votes/export']")).to_be_visible()
    expect(how.locator(".a-ties tbody tr")).to_have_text("Davidson, with both bad25.0%0.7026.0%22.0%1.0412")
    expect(how.locator(".a-weighted tbody tr")).to_have_text("heron1016.81012.31003.0 – 1021.5−4.5")
    expect(how.locator(".a-majorities")).to_contain_text("there is no Condorcet winner")
    expect(how.locator(".a-majorities")).to_contain_text("in a circle in 12 of 1,050 triples")


def test_the_downloads_are_there(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    visit(page)
    page.wait_for_selector(".a-downloads")
    assert [link.get_attribute("href") for link in page.locator(".a-downloads a").all()] == [
        "/api/v1/leaderboard.csv",
        "/api/v1/leaderboard",
        "/api/v1/votes/export",
    ]


def test_no_column_is_cut_on_a_desktop(page: Page, fake: FakeArena) -> None:
    whole = board(8)
    long = "A model with quite a long name 70B (instruct)"
    fake.beside.styled = True
    fake.board = whole.model_copy(update={"rows": [whole.rows[0].model_copy(update={"name": long}), *whole.rows[1:]]})
    page.goto("/leaderboard?style=1")
    expect(page.locator("#board-heads th")).to_have_count(7)
    cut = "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('#board-scroll'))"
    for width in (1280, 1100):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(cut) == 0, width


def test_names_that_begin_alike_can_be_told_apart_on_a_phone(page: Page, fake: FakeArena) -> None:
    whole = board(2)
    alike = [f"vendor/a-rather-long-family-name-v{n}" for n in (1, 2)]
    rows = [row.model_copy(update={"name": name}) for row, name in zip(whole.rows, alike, strict=True)]
    fake.board = whole.model_copy(update={"rows": rows, "pairs": []})
    page.set_viewport_size({"width": 390, "height": 800})
    visit(page)
    for picture in ("intervals", "matrix", "table"):
        page.click(f"#tab-{picture}")
        expect(page.locator("#board-votes")).to_have_text("4,200")
        names_ = page.locator(".a-interval-name, #chart-matrix tbody bdi, #board-rows strong >> visible=true")
        expect(names_).to_have_count(2)
        for place in names_.all():
            assert place.evaluate(
                "(node) => node.scrollWidth <= node.clientWidth + 1 && node.scrollHeight <= node.clientHeight + 1"
            )
        assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_two_tags_of_a_model_stand_apart(page: Page, fake: FakeArena) -> None:
    whole = board()
    rows = [row.model_copy(update={"battles": 12}) if row.demo else row for row in whole.rows]
    fake.board = fake.beside.add(whole.model_copy(update={"rows": rows}))
    page.goto("/leaderboard")
    gaps = """tags => tags.map((tag) =>
      tag.getBoundingClientRect().left - tag.previousElementSibling.getBoundingClientRect().right)"""
    page.locator("#board-rows .a-tag + .a-tag").first.wait_for()
    found = page.locator("#board-rows .a-tag + .a-tag").evaluate_all(gaps)
    assert found
    assert min(found) >= 4
