"""The leaderboard in a real browser: what is live of it, and how it looks; its content is in test_template_pages.py."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from http import HTTPStatus

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from arena.domain.schemas.leaderboard import MergedHostsView

from .fake_api import FakeArena, board

SHIFT = """() => new Promise((done) => new PerformanceObserver((list) =>
  done(list.getEntries().reduce((sum, { value }) => sum + value, 0))).observe({ type: "layout-shift", buffered: true })
  || setTimeout(() => done(0), 300))"""
WIDTHS = (320, 360, 390, 768, 820, 1024, 1280)


def poll(page: Page) -> None:
    """Let the page ask for the newest board at once, as it does when its tab is shown again."""
    page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")


def names(page: Page) -> list[str]:
    return [row.get_attribute("data-name") or "" for row in page.locator("#board-rows tr[data-name]").all()]


def test_the_first_snapshot_appears_without_a_reload(page: Page, fake: FakeArena) -> None:
    page.goto("/leaderboard")
    page.wait_for_selector("html[data-live=true]")
    fake.board = board(8)
    poll(page)
    expect(page.locator("#board-rows tr")).to_have_count(8)


@pytest.mark.parametrize(
    ("language", "blind", "mixed"),
    [
        (
            "en",
            "Computed only from blind votes.",
            "Computed from blind votes and imported ones (60 of 100 in the log).",
        ),
        ("zh", "只由匿名投票计算得出", "由匿名投票和导入的投票计算得出（记录中的 100 票有 60 票是导入的）"),
        ("zh-TW", "只由匿名投票計算得出", "由匿名投票和匯入的投票計算得出（紀錄中的 100 票有 60 票是匯入的）"),
    ],
)
def test_the_board_is_called_blind_only_without_imported_votes(
    page: Page, fake: FakeArena, language: str, blind: str, mixed: str
) -> None:
    fake.board = board(votes=90)
    page.goto(f"/leaderboard?lang={language}")
    lead = page.locator(".a-page-head p")
    expect(lead).to_contain_text(blind)
    fake.board, fake.board_data.imported = board(number=2, votes=100), 60
    poll(page)
    expect(lead).to_contain_text(mixed)


def test_a_board_ranked_by_elo_says_what_has_not_yet_settled(page: Page, fake: FakeArena) -> None:
    fake.board = board(2)
    few = fake.board.rows[0].model_copy(update={"battles": 20})
    many = fake.board.rows[1].model_copy(update={"battles": 5_000})
    fake.board = fake.board.model_copy(update={"rows": [few, many]})
    page.goto("/leaderboard?by=elo")
    rows = page.locator("#board-rows tr")
    expect(rows.filter(has_text=few.name)).to_contain_text("not yet settled")
    expect(rows.filter(has_text=many.name)).not_to_contain_text("not yet settled")


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


def test_an_arena_out_of_reach_is_said_and_its_return_too(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    page.goto("/leaderboard")
    page.wait_for_selector("html[data-live=true]")
    page.route("**/leaderboard/newest", lambda route: route.abort())
    poll(page)
    page.wait_for_selector("html[data-live=false]")
    page.unroute("**/leaderboard/newest")
    poll(page)
    page.wait_for_selector("html[data-live=true]")


def test_a_new_snapshot_leaves_sorting_search_scroll_and_focus_alone(page: Page, fake: FakeArena) -> None:
    fake.board = board(40)
    page.goto("/leaderboard")
    page.click("#sort-bt")
    expect(page.locator("th[data-key=bt][aria-sort=descending]")).to_be_visible()
    page.click("#sort-bt")
    expect(page.locator("th[data-key=bt][aria-sort=ascending]")).to_be_visible()
    page.fill("#board-search", "labs")
    expect(page.locator("#board-rows tr")).to_have_count(14)
    before = names(page)
    assert page.url.endswith("/leaderboard?q=labs&sort=bt")
    page.evaluate("scrollTo(0, 220)")
    fake.board = board(40, number=2, votes=5000)
    poll(page)
    expect(page.locator("#board-votes")).to_have_text("5,000")
    assert names(page) == [name.replace("heron-1", "heron-2") for name in before]
    expect(page.locator("#board-search")).to_have_value("labs")
    expect(page.locator("#board-search")).to_be_focused()
    assert page.evaluate("scrollY") == 220


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
    expect(page.locator("#tab-matrix[aria-current]")).to_be_focused()
    page.evaluate("document.querySelector('.a-matrix').scrollLeft = 120")
    fake.board = board(40, number=3, votes=6000)
    poll(page)
    expect(page.locator("#board-votes")).to_have_text("6,000")
    assert page.evaluate("document.querySelector('.a-matrix').scrollLeft") == 120


def test_a_choice_of_filter_column_or_model_is_followed_at_once(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    page.goto("/leaderboard")
    page.check("#board-more")
    expect(page.locator("#board-heads th")).to_have_count(11)
    page.select_option("#filter-demo", "none")
    expect(page.locator("#board-rows tr")).to_have_count(6)
    page.click("#board-clear")
    expect(page.locator("#board-rows tr")).to_have_count(8)
    assert page.url.endswith("/leaderboard?more=1")
    page.click("#tab-orders")
    page.select_option("#order-model", fake.board.rows[2].name)
    expect(page.locator("#chart-orders .a-note")).to_contain_text(fake.board.rows[2].name)


def test_reading_sorting_filters_and_pictures_need_no_script(browser: Browser, address: str, fake: FakeArena) -> None:
    fake.board = fake.board_data.add(board(8), ("code", ""))
    with browser.new_context(java_script_enabled=False, base_url=address, locale="en-US") as context:
        page = context.new_page()
        page.goto("/leaderboard")
        page.click("#sort-battles")
        expect(page.locator("th[data-key=battles][aria-sort=descending]")).to_be_visible()
        page.fill("#board-search", "示例")
        page.select_option("#filter-demo", "none")
        page.click("#board-form button")
        expect(page.locator("#board-rows tr")).to_have_count(2)
        page.click("#board-clear")
        page.click("#tab-intervals")
        expect(page.locator(".a-intervals li")).to_have_count(2)
        page.click("#category-code")
        page.click("#tab-table")
        page.click("#board-rows tr:first-child a")
        expect(page.locator("#model h1")).to_be_visible()


@pytest.mark.alone
def test_the_page_is_eight_requests_and_sixty_kilobytes_and_nothing_moves(page: Page, fake: FakeArena) -> None:
    fake.board = board(30)
    requests: set[Request] = set()
    page.on("requestfinished", lambda request: requests.add(request))  # noqa: PLW0108 - a bound method is refused
    page.goto("/leaderboard")
    page.wait_for_selector("html[data-live=true]")
    assert len(requests) <= 8
    sizes = [request.sizes() for request in requests]
    assert sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes) < 60_000
    assert page.evaluate(SHIFT) <= 0.01


@pytest.mark.alone
def test_nothing_moves_on_a_phone_when_a_script_writes_the_time(page: Page, fake: FakeArena) -> None:
    standings = board(2, votes=2)
    hours_ago = standings.snapshot.model_copy(update={"created_at": datetime.now(UTC) - timedelta(hours=2)})
    fake.board = standings.model_copy(update={"snapshot": hours_ago, "preliminary": ["young"]})
    page.set_viewport_size({"width": 412, "height": 823})
    page.goto("/leaderboard")
    expect(page.locator("#board-updated")).not_to_contain_text("UTC")
    assert page.evaluate(SHIFT) < 0.001


@pytest.mark.parametrize(
    "path", ["/leaderboard?more=1", "/leaderboard?picture=matrix", "/leaderboard?picture=overview", "/model?name="]
)
def test_a_name_of_300_characters_makes_no_page_scroll_sideways(page: Page, fake: FakeArena, path: str) -> None:
    whole = board(8)
    name = "an/endless-model-name" + "x" * 280
    rows = [whole.rows[0].model_copy(update={"name": name, "owner": "o" * 300}), *whole.rows[1:]]
    pairs = [pair.model_copy(update={"a": name}) if pair.a == "heron-1" else pair for pair in whole.pairs]
    fake.board = fake.board_data.add(
        whole.model_copy(update={"rows": rows, "pairs": pairs}), ("code", ""), ("chat", "")
    )
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(path + (name if path.endswith("=") else ""))
        assert page.evaluate("document.documentElement.scrollWidth") == width, width


def test_a_column_explains_itself_to_keys_and_fingers(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    page.goto("/leaderboard")
    mark = page.get_by_role("button", name="What “Score” means")
    mark.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#note-bt")).to_be_visible()
    expect(page.locator("#note-bt")).to_contain_text("The bar is its 95 % interval at this look,")
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


def test_on_a_phone_only_the_page_scrolls_and_each_figure_has_its_name(page: Page, fake: FakeArena) -> None:
    fake.board = board(40)
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/leaderboard?more=1")
    expect(page.locator("#board-rows tr")).to_have_count(40)
    inside = page.locator("#board-scroll, #board-scroll *").evaluate_all(
        "parts => parts.filter((part) => /auto|scroll/.test(getComputedStyle(part).overflow))"
        ".filter((part) => part.scrollHeight > part.clientHeight || part.scrollWidth > part.clientWidth).length"
    )
    assert inside == 0
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    label = "(cell) => getComputedStyle(cell, '::before').content"
    cells = page.locator("#board-rows tr:first-child td:not([data-key=rank], [data-main])")
    assert [cell.evaluate(label) for cell in cells.all()] == [
        f'"{name}: "' for name in ("Battles", "Size", "Weights", "Elo", "Points", "Win rate", "CArena rate", "Record")
    ]


def test_a_phone_shows_twenty_models_first_and_all_of_them_by_a_link(page: Page, fake: FakeArena) -> None:
    fake.board = board(26)
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/leaderboard")
    expect(page.locator("#board-rows tr:visible")).to_have_count(20)
    page.click("#board-rows-all")
    expect(page.locator("#board-rows tr:visible")).to_have_count(26)
    expect(page.locator("#board-rows-all")).to_have_count(0)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/leaderboard")
    expect(page.locator("#board-rows tr:visible")).to_have_count(26)
    expect(page.locator("#board-rows-all")).to_be_hidden()


def test_the_heads_of_the_first_columns_are_one_line_on_a_phone(page: Page, fake: FakeArena) -> None:
    fake.board = board(3)
    page.set_viewport_size({"width": 390, "height": 800})
    for language in ("en", "zh"):
        page.goto(f"/leaderboard?lang={language}")
        heads = page.locator(".a-board thead th:visible")
        expect(heads.nth(3)).to_be_visible()
        assert len({round((head.bounding_box() or {})["y"]) for head in heads.all()}) == 1


def test_a_row_is_low_and_heads_stay_while_the_rest_scrolls(page: Page, fake: FakeArena) -> None:
    width = 1280
    fake.board = board(40)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/leaderboard?more=1")
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


def test_what_is_said_of_a_group_stays_in_the_window_of_a_phone(page: Page, fake: FakeArena) -> None:
    whole = board(8)
    rows = [row.model_copy(update={"component": int(n > 4)}) for n, row in enumerate(whole.rows)]
    fake.board = whole.model_copy(update={"rows": rows})
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/leaderboard?more=1")
    expect(page.locator("#board-rows .a-group")).to_have_count(1)
    page.locator("#board-rows tr[data-name] td").last.scroll_into_view_if_needed()
    box = page.locator("#board-rows .a-group span").first.bounding_box()
    assert box
    assert 0 <= box["x"] < box["x"] + box["width"] <= 390


def test_no_column_is_cut_on_a_desktop(page: Page, fake: FakeArena) -> None:
    whole = board(8)
    long = "A model with quite a long name 70B (instruct)"
    fake.board_data.styled = True
    fake.board = whole.model_copy(update={"rows": [whole.rows[0].model_copy(update={"name": long}), *whole.rows[1:]]})
    page.goto("/leaderboard?style=1")
    expect(page.locator("#board-heads th")).to_have_count(5)
    cut = "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('#board-scroll'))"
    for width in (1280, 1100):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(cut) == 0, width


def test_names_that_begin_alike_can_be_told_apart_on_a_phone(page: Page, fake: FakeArena) -> None:
    whole = board(2)
    alike = [f"vendor/a-rather-long-family-name-v{n}" for n in (1, 2)]
    rows = [row.model_copy(update={"name": name}) for row, name in zip(whole.rows, alike, strict=True)]
    pairs = [pair.model_copy(update=dict(zip("ab", alike, strict=True))) for pair in whole.pairs]
    fake.board = whole.model_copy(update={"rows": rows, "pairs": pairs})
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/leaderboard")
    for picture in ("intervals", "matrix", "table"):
        page.click(f"#tab-{picture}")
        expect(page.locator("#board-votes")).to_have_text("4,200")
        names_ = page.locator(".a-interval-name, .a-matrix tbody bdi, #board-rows strong >> visible=true")
        expect(names_).to_have_count(2)
        for place in names_.all():
            assert place.evaluate(
                "(node) => node.scrollWidth <= node.clientWidth + 1 && node.scrollHeight <= node.clientHeight + 1"
            )
        assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_two_tags_of_a_model_stand_apart(page: Page, fake: FakeArena) -> None:
    whole = board()
    rows = [row.model_copy(update={"battles": 12}) if row.demo else row for row in whole.rows]
    fake.board = fake.board_data.add(whole.model_copy(update={"rows": rows}))
    page.goto("/leaderboard")
    gaps = """tags => tags.map((tag) =>
      tag.getBoundingClientRect().left - tag.previousElementSibling.getBoundingClientRect().right)"""
    page.locator("#board-rows .a-tag + .a-tag").first.wait_for()
    found = page.locator("#board-rows .a-tag + .a-tag").evaluate_all(gaps)
    assert found
    assert min(found) >= 4


def test_no_tag_of_a_model_is_cut(page: Page, fake: FakeArena) -> None:
    whole = board()
    rows = [row.model_copy(update={"battles": 12, "demo": True}) for row in whole.rows]
    fake.board = fake.board_data.add(whole.model_copy(update={"rows": rows}))
    overflow = "tags => tags.map((tag) => [tag.parentElement.scrollWidth, tag.parentElement.clientWidth])"
    for width in (390, 820, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto("/leaderboard")
        page.locator("#board-rows .a-tag + .a-tag").first.wait_for()
        lines = page.locator("#board-rows .a-tag + .a-tag").evaluate_all(overflow)
        assert len(lines) == len(rows)
        assert [line for line in lines if line[0] > line[1] + 1] == [], width


def hold_first(page: Page, pattern: str) -> list[Route]:
    """Leave the first request for a pattern of addresses without an answer."""
    routes: list[Route] = []
    page.route(pattern, lambda route: route.continue_() if routes else routes.append(route))
    return routes


def test_a_search_typed_while_a_sort_is_on_its_way_keeps_the_sort(page: Page, fake: FakeArena) -> None:
    fake.board = board(4)
    page.goto("/leaderboard")
    routes = hold_first(page, "**/leaderboard?sort=*")
    page.click("#sort-battles")
    page.fill("#board-search", "a")
    expect(page).to_have_url(re.compile(r"leaderboard[?]sort=-battles&q=a$"))
    expect(page.locator("thead th[data-key=battles]")).to_have_attribute("aria-sort", "descending")
    expect(page.locator("#board-search")).to_have_value("a")
    assert len(routes) == 1


def test_a_new_snapshot_takes_the_place_of_no_choice_on_its_way(page: Page, fake: FakeArena) -> None:
    fake.board = board(4)
    page.goto("/leaderboard")
    routes = hold_first(page, "**/leaderboard?sort=*")
    page.click("#sort-battles")
    fake.board = board(5, number=2, votes=5000)
    poll(page)
    expect(page.locator("#board-rows tr")).to_have_count(5)
    expect(page.locator("thead th[data-key=battles]")).to_have_attribute("aria-sort", "descending")
    assert len(routes) == 1


def test_a_new_snapshot_leaves_the_fragment_of_the_address(page: Page, fake: FakeArena) -> None:
    fake.board = board(4)
    page.goto("/leaderboard?q=a")
    page.evaluate("location.hash = 'board-rows'")
    fake.board = board(5, number=2, votes=5000)
    poll(page)
    expect(page.locator("#board-votes")).to_have_text("5,000")
    assert page.url.endswith("/leaderboard?q=a#board-rows")


def test_a_note_closes_when_the_page_moves_but_not_by_a_scroll_that_ended_before_it_opened(
    page: Page, fake: FakeArena
) -> None:
    fake.board = board(8)
    page.set_viewport_size({"width": 390, "height": 600})
    page.goto("/leaderboard")
    states = """async () => {
      const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const open = () => document.getElementById("note-bt").matches(":popover-open");
      scrollBy(0, 60);
      document.querySelector("[popovertarget=note-bt]").click();
      await frames();
      const before = open();
      scrollBy(0, 60);
      await frames();
      return [before, open()];
    }"""
    assert page.evaluate(states) == [True, False]


def test_speed_and_failures_of_seven_days_are_columns_of_those_that_have_them(page: Page, fake: FakeArena) -> None:
    fake.board = board(4)
    fast, slow, *_ = (row.name for row in fake.board.rows)
    of_week = {"as_of": "2026-01-08T03:00:00Z", "void": {"rounds": 200, "share": 0.025}}
    for name, median in ((fast, 0.4), (slow, 3.0)):
        spreads = {"first_token": {"answers": 321, "median": median, "p90": 2 * median}}
        spreads["speed"] = {"answers": 300, "median": 90 / median, "p90": 40 / median}
        fake.board_data.facts[name] = {"week": {**of_week, **spreads}}
    page.goto("/leaderboard?more=1&sort=-first")
    first = page.locator(f"#board-rows tr[data-name='{slow}']")
    expect(first).to_contain_text("3.0 s")
    expect(first).to_contain_text("9 of 10 reach 6.0 · n = 321")
    expect(first).to_contain_text("30.0/s")
    expect(first).to_contain_text("2.5%")
    expect(first).to_contain_text("n = 200")
    page.goto("/leaderboard")
    expect(page.locator("#board-rows")).not_to_contain_text("9 of 10")
    fake.board_data.facts.clear()
    page.goto("/leaderboard?more=1")
    expect(page.locator("#board-rows")).not_to_contain_text("9 of 10")


def test_hosts_of_one_model_count_once_where_a_reader_asks_for_it(page: Page, fake: FakeArena) -> None:
    fake.board = fake.board_data.add(board(8), ("code", ""))
    page.goto("/leaderboard")
    expect(page.locator("#board-hosts")).to_have_count(0)
    one, other, *rest = [row.name for row in fake.board.rows]
    shown = fake.board.snapshot.model_copy(update={"votes": 4_000})
    rows = [row for row in fake.board.rows if row.name != other]
    hosts = MergedHostsView(groups=[[one, other]], left_out=1_200)
    fake.board_data.merged = fake.board.model_copy(update={"rows": rows, "snapshot": shown, "hosts": hosts})
    page.goto("/leaderboard")
    expect(page.locator("#board-hosts-note")).to_have_count(0)
    page.check("#board-hosts")
    expect(page.locator("#board-rows tr")).to_have_count(1 + len(rest))
    assert page.url.endswith("/leaderboard?hosts=1")
    note = page.locator("#board-hosts-note")
    expect(note).to_contain_text("1,200 votes between them are left out.")
    expect(note).to_contain_text(f"{one} stands for {other} too.")
    assert page.get_attribute("#board-downloads a[download='leaderboard.csv']", "href").endswith(".csv?hosts=merged")
    page.click("#category-code")
    expect(page.locator("#board-hosts-note")).to_have_count(0)
    page.click("#category-all")
    page.uncheck("#board-hosts")
    expect(page.locator("#board-rows tr")).to_have_count(8)
    for word in ("1", "merged"):
        assert page.goto(f"/leaderboard?hosts={word}").status == HTTPStatus.OK
        expect(page.locator("#board-hosts-note")).to_have_count(1)
    for word in ("apart", "0", "bogus"):
        page.goto(f"/leaderboard?hosts={word}")
        expect(page.locator("#board-hosts-note")).to_have_count(0)
        expect(page.locator("#board-hosts")).not_to_be_checked()
    fake.board_data.merged = None
    assert page.goto("/leaderboard?hosts=1").status == HTTPStatus.NOT_FOUND


def test_who_copies_the_link_to_a_view_is_told_so(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/leaderboard?sort=win")
    page.wait_for_selector("html[data-live=true]")
    page.click("#board-link")
    page.wait_for_timeout(1_000)  # longer than a page takes to be fetched again
    expect(page.locator("#board-link")).to_have_text("Link copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_where_all_of_the_table_is_in_sight_the_page_alone_scrolls(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/leaderboard")
    assert page.locator("#board-scroll").evaluate("(board) => getComputedStyle(board).overflowX") == "visible"
