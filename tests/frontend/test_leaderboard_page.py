"""The leaderboard page in a real browser, against the contract."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from .fake_api import FakeArena, board

pytestmark = pytest.mark.browser

CODE, ZH, BOTH = ("code", ""), ("", "zh"), ("code", "zh")


def names(page: Page) -> list[str]:
    return [row.get_attribute("data-name") or "" for row in page.locator("#board-rows tr[data-name]").all()]


def test_without_votes_the_page_says_so_and_shows_the_way(page: Page) -> None:
    page.goto("/leaderboard")
    expect(page.locator("#board h2")).to_have_text("No votes yet")
    page.click("#board .a-button")
    page.wait_for_selector("html[data-phase=empty]")


def test_the_first_snapshot_appears_without_a_reload(page: Page, fake: FakeArena) -> None:
    page.goto("/leaderboard")
    page.wait_for_selector("#board .a-empty")
    page.wait_for_selector("html[data-live=true]")
    fake.board = board(8)
    fake.snapshot.set()
    expect(page.locator("#board-rows tr")).to_have_count(8)


def test_the_table_shows_what_the_snapshot_holds(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    page.goto("/leaderboard")
    expect(page.locator("#board-rows tr")).to_have_count(8)
    assert names(page) == [row.name for row in fake.board.rows]
    expect(page.locator("#board-votes")).to_have_text("4,200")
    first = page.locator("#board-rows tr").first.locator("td, th").all_inner_texts()
    assert first[0].split() == ["1", "1–2"]
    assert first[1].split("\n")[1:] == ["Heron Labs · Apache-2.0"]
    assert first[2].split("\n") == ["1,176", "± 9.5"]
    assert first[3].split("\n") == ["1,180", "1,166 – 1,194"]
    assert first[4].split("\n") == ["0.64", "340"]
    assert first[5].split("\n") == ["64.2%", "71.7%"]
    assert first[6].split("\n") == ["530", "300 / 80 / 120 / 30"]
    expect(page.locator("#board-rows tr").nth(3)).to_contain_text("Demo")
    expect(page.locator(".a-intervals li")).to_have_count(8)
    expect(page.locator("#chart-matrix tbody tr")).to_have_count(8)
    best = page.locator("#chart-matrix tbody tr").first.locator("td").nth(1)
    expect(best).to_have_text("60%")
    assert "34 won, 23 lost, 6 tied" in (best.get_attribute("title") or "")
    expect(page.locator("#chart-counts tbody tr").first.locator("td").nth(1)).to_have_text("66")


def test_a_head_sorts_and_says_so_and_the_address_keeps_it(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    page.goto("/leaderboard")
    expect(page.locator("thead [data-key=rank][aria-sort]")).to_have_attribute("aria-sort", "ascending")
    page.click("thead button[data-key=ppb]")
    expect(page.locator("#board-heads th[aria-sort]")).to_have_count(1)
    expect(page.locator("thead th[data-key=ppb]")).to_have_attribute("aria-sort", "descending")
    assert names(page)[0] == "heron-1"
    page.click("thead button[data-key=ppb]")
    expect(page.locator("thead th[data-key=ppb]")).to_have_attribute("aria-sort", "ascending")
    assert names(page)[-1] == "heron-1"
    page.reload()
    expect(page.locator("thead th[data-key=ppb]")).to_have_attribute("aria-sort", "ascending")
    assert names(page)[-1] == "heron-1"


def test_a_new_snapshot_appears_by_itself_and_leaves_sorting_search_scroll_and_focus_alone(
    page: Page, fake: FakeArena
) -> None:
    fake.board = board(40)
    page.goto("/leaderboard")
    page.click("thead button[data-key=elo]")
    page.click("thead button[data-key=elo]")
    page.fill("#board-search", "labs")
    before = names(page)
    assert 0 < len(before) < 40
    page.wait_for_selector("html[data-live=true]")
    page.evaluate("scrollTo(0, 220)")
    fake.board = board(40, number=2, votes=5000)
    fake.snapshot.set()
    expect(page.locator("#board-votes")).to_have_text("5,000")
    assert names(page) == [name.replace("heron-1", "heron-2") for name in before]
    expect(page.locator("#board-search")).to_have_value("labs")
    expect(page.locator("#board-search")).to_be_focused()
    assert page.evaluate("scrollY") == 220
    expect(page.locator("thead th[data-key=elo]")).to_have_attribute("aria-sort", "ascending")


def test_a_new_snapshot_leaves_a_focused_row_and_a_scrolled_picture_alone(page: Page, fake: FakeArena) -> None:
    fake.board = board(40)
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/leaderboard")
    page.focus("#board-rows tr:nth-child(3) a")
    page.evaluate("document.querySelector('#chart-matrix .a-matrix').scrollLeft = 120")
    page.wait_for_selector("html[data-live=true]")
    fake.board = board(40, number=2, votes=5000)
    fake.snapshot.set()
    expect(page.locator("#board-votes")).to_have_text("5,000")
    expect(page.locator("#board-rows tr:nth-child(3) a").first).to_be_focused()
    assert page.evaluate("document.querySelector('#chart-matrix .a-matrix').scrollLeft") == 120


def test_search_without_a_match_says_so_and_a_match_narrows_the_pictures_too(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    page.goto("/leaderboard")
    page.fill("#board-search", "<nothing>")
    expect(page.locator("#board-none")).to_have_text("No model matches “<nothing>”.")
    page.fill("#board-search", "示例")
    expect(page.locator("#board-rows tr")).to_have_count(2)
    expect(page.locator(".a-intervals li")).to_have_count(2)
    expect(page.locator("#chart-matrix tbody tr")).to_have_count(2)


def test_filters_divide_by_weights_owner_size_demo_and_few_battles(page: Page, fake: FakeArena) -> None:
    whole = board(8)
    rows = [
        row.model_copy(update={"open_weights": n < 3, "battles": 12 if n == 5 else 500})
        for n, row in enumerate(whole.rows)
    ]
    fake.board = whole.model_copy(update={"rows": rows})
    page.goto("/leaderboard")
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
    page.goto("/leaderboard?category=safety&language=zh")
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
    expect(page.locator("#board-heads th")).to_have_count(7)
    page.check("#board-style input")
    expect(page.locator("#board-heads th")).to_have_count(8)
    page.click("thead button[data-key=style]")
    assert names(page)[0] == fake.board.rows[-1].name
    expect(page.locator("#board-rows tr").first.locator("[data-key=style]")).to_contain_text("rank 1 (↑7)")
    assert "style=1" in page.url


def test_groups_that_never_met_are_kept_apart_everywhere(page: Page, fake: FakeArena) -> None:
    whole = board(8)
    rows = [row.model_copy(update={"component": int(n > 4)}) for n, row in enumerate(whole.rows)]
    fake.board = whole.model_copy(update={"rows": rows})
    page.goto("/leaderboard")
    expect(page.locator("#board-rows .a-group")).to_have_text([re.compile("5 models"), re.compile("3 models")])
    page.click("thead button[data-key=battles]")
    shown = names(page)
    assert set(shown[:5]) == {row.name for row in rows[:5]}
    for picture in ("intervals", "matrix", "counts"):
        expect(page.locator(f"#chart-{picture} h3")).to_have_count(2)


def test_a_young_board_says_so_and_marks_no_place_that_means_nothing(page: Page, fake: FakeArena) -> None:
    whole = board(4, votes=12)
    fake.board = whole.model_copy(
        update={"rows": [r.model_copy(update={"rank_low": 1, "rank_high": 4}) for r in whole.rows]}
    )
    page.goto("/leaderboard")
    expect(page.locator("#board-note")).to_contain_text("Only 12 votes so far")
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
    page.goto("/leaderboard")
    expect(page.locator("#board-note")).to_have_text("No vote counts yet, so there is nothing to rank.")
    page.locator("#figure-orders").scroll_into_view_if_needed()
    expect(page.locator("#chart-orders")).to_contain_text("at least one model")


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


def test_the_pictures_over_time_by_capability_and_order_are_drawn_when_one_comes_near(
    page: Page, fake: FakeArena
) -> None:
    fake.board = fake.beside.add(board(8), CODE, ("chat", ""), ("writing", ""), ZH)
    fake.beside.moments = 5
    page.goto("/leaderboard")
    page.locator("#figure-orders").scroll_into_view_if_needed()
    expect(page.locator("#chart-history .a-line")).to_have_count(8)
    expect(page.locator("#chart-radar .a-line")).to_have_count(4)
    expect(page.locator("#chart-radar .a-spoke")).to_have_text(["Small talk", "Code", "Writing"])
    expect(page.locator("#chart-orders rect")).to_have_count(2)
    page.select_option("#chart-orders select", fake.board.rows[2].name)
    expect(page.locator("#chart-orders .a-note")).to_contain_text("its Elo rank lies between 3 and 4")


def test_how_it_is_computed_tells_parameters_votes_exclusions_and_digest(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    fake.beside.styled = True
    page.goto("/leaderboard")
    page.click("#board-method summary")
    how = page.locator("#board-how")
    expect(how).to_contain_text("R₁ + 4 · (S − E)")
    expect(how).to_contain_text("1,000 random orders of the log is published, seed 7")
    expect(how).to_contain_text("4,200 counted here, log up to number 4,200")
    expect(how).to_contain_text("12 × Kept, but not counted: an answer gave away who wrote it.")
    expect(how).to_contain_text("3 × spam of one evening")
    expect(how).to_contain_text("9f2c" * 16)
    expect(how).to_contain_text("length: +0.31 ± 0.02")
    expect(how.locator("a[href='/api/v1/votes/export']")).to_be_visible()


def test_the_downloads_are_there(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    page.goto("/leaderboard")
    page.wait_for_selector(".a-toolbar")
    assert [link.get_attribute("href") for link in page.locator(".a-toolbar a").all()] == [
        "/api/v1/leaderboard.csv",
        "/api/v1/leaderboard",
        "/api/v1/votes/export",
    ]


@pytest.mark.parametrize("width", [1280, 1100])
def test_no_column_is_cut_on_a_desktop(page: Page, fake: FakeArena, width: int) -> None:
    whole = board(8)
    long = "A model with quite a long name 70B (instruct)"
    fake.beside.styled = True
    fake.board = whole.model_copy(update={"rows": [whole.rows[0].model_copy(update={"name": long}), *whole.rows[1:]]})
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/leaderboard?style=1")
    expect(page.locator("#board-heads th")).to_have_count(8)
    assert (
        page.evaluate(
            "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('#board-scroll'))"
        )
        == 0
    )


def test_names_that_begin_alike_can_be_told_apart_on_a_phone(page: Page, fake: FakeArena) -> None:
    whole = board(2)
    alike = [f"vendor/a-rather-long-family-name-v{n}" for n in (1, 2)]
    rows = [row.model_copy(update={"name": name}) for row, name in zip(whole.rows, alike, strict=True)]
    fake.board = whole.model_copy(update={"rows": rows, "pairs": []})
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/leaderboard")
    expect(page.locator(".a-intervals li")).to_have_count(2)
    for place in page.locator(".a-interval-name, #chart-matrix tbody bdi").all():
        assert place.evaluate(
            "(node) => node.scrollWidth <= node.clientWidth + 1 && node.scrollHeight <= node.clientHeight + 1"
        )
    assert page.evaluate("document.documentElement.scrollWidth") == 390
