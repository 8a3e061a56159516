"""The page of one model in a real browser, against the contract."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import quote

from playwright.sync_api import Page, expect

from arena.domain.schemas.models import VersionView
from arena.domain.terms import EndpointState

from .fake_api import FakeArena, board
from .sample_reports import PREDICTORS


def test_it_is_reached_from_the_table_and_tells_all_that_is_known(page: Page, fake: FakeArena) -> None:
    fake.board = fake.board_data.add(board(8), ("code", ""), ("chat", ""), ("writing", ""), ("", "zh"), ("code", "zh"))
    fake.board_data.moments = 3
    name = fake.board.rows[6].name
    page.goto("/leaderboard")
    page.click(f"#board-rows tr[data-name='{name}'] strong a")
    expect(page.locator("#model h1")).to_have_text(name)
    expect(page).to_have_title(f"{name} – Battle Arena")
    expect(page.locator("#model")).to_contain_text("A calm bird.")
    facts = page.locator(".a-model-facts")
    expect(facts).to_contain_text("1.5% (3 of the last 200)")
    expect(facts).to_contain_text("in battles")
    expect(facts).to_contain_text("2026-01-02")
    boards = page.locator("section:has(#model\\.boards) tbody tr")
    expect(boards.locator("th")).to_have_text(["All", "Chinese", "Small talk", "Code", "Writing"])
    opponents = page.locator("section:has(#model\\.opponents) tbody tr")
    expect(opponents).to_have_count(1)
    expect(opponents.first).to_contain_text("34 / 6 / 23 / 3")
    expect(page.locator("#chart-history .a-line")).to_have_count(1)
    expect(page.locator("#chart-radar .a-spoke")).to_have_count(3)
    expect(page.locator("#model\\.place")).to_have_text("Rank 7 of 8, with its neighbours")
    expect(page.locator(".a-neighbours li")).to_have_count(4)
    expect(page.locator(".a-neighbours [aria-current]")).to_contain_text(name)
    expect(page.locator(".a-best li")).to_contain_text(f"{fake.board.rows[7].name} 59.6% of 57 decided")
    expect(page.locator(".a-worst")).to_have_count(0)
    boards.nth(3).locator("a").click()
    expect(page.locator("#board-votes")).to_have_text("90")


def test_an_elo_has_its_interval_or_none_yet_and_never_the_spread_of_random_orders(page: Page, fake: FakeArena) -> None:
    whole = board(4)
    few = whole.rows[0].model_copy(update={"order_spread": 0.1, "elo_low": None, "elo_high": None})
    many = whole.rows[1].model_copy(update={"order_spread": 0.1, "elo": 998.0, "elo_low": 980.0, "elo_high": 1010.0})
    fake.board = whole.model_copy(update={"rows": [few, many, *whole.rows[2:]]})
    for row, interval in ((few, f"{few.elo:,.0f} · no interval yet"), (many, "998 (980–1,010)")):
        page.goto(f"/model?name={quote(row.name)}")
        elo = page.locator(".a-model-facts dt:text-is('Elo') + dd")
        expect(elo).to_contain_text(interval)
        assert "0.1" not in elo.inner_text()
        assert "±" not in elo.inner_text()


def test_a_model_without_a_vote_says_so(page: Page, fake: FakeArena) -> None:
    fake.board = board(4)
    page.goto("/model?name=quiet/newcomer")
    expect(page.locator("#model h1")).to_have_text("quiet/newcomer")
    expect(page.locator(".a-young")).to_have_text("No counted vote yet.")
    expect(page.locator(".a-model-facts")).to_contain_text("no figures yet")
    expect(page.locator(".a-figure")).to_have_count(0)
    expect(page.locator(".a-forecast")).to_have_count(0)


def test_a_model_without_a_vote_has_its_forecast_marked_as_one(page: Page, fake: FakeArena) -> None:
    fake.board, fake.annotating.predictors = board(4), PREDICTORS
    page.goto("/model?name=quiet/newcomer")
    forecast = page.locator(".a-forecast")
    expect(forecast).to_contain_text("Forecast before the first vote: 1,050 points (980 to 1,120, 90%)")
    expect(forecast).to_contain_text("It is not a score and appears on no leaderboard.")
    page.goto("/leaderboard")
    expect(page.locator("#board-rows tr")).to_have_count(4)
    expect(page.locator("#board-rows")).not_to_contain_text("newcomer")


def test_versions_of_a_model_are_told_where_there_are_several(page: Page, fake: FakeArena) -> None:
    fake.board = board(4)
    name = fake.board.rows[0].name
    made = [
        VersionView(name=each, version=n, state=EndpointState.ACTIVE, joined_at=datetime(2026, n, 1, tzinfo=UTC))
        for each, n in ((name, 2), ("heron-0", 1))
    ]
    fake.board_data.versions = {name: made}
    page.goto(f"/model?name={name}")
    lines = page.locator("section:has(#model\\.versions) tbody tr")
    expect(lines).to_have_count(2)
    expect(lines.first).to_contain_text("2026-02-01")
    expect(lines.nth(1).locator("a")).to_have_attribute("href", "/model?name=heron-0")


def test_an_unknown_model_is_told_and_leads_back(page: Page, fake: FakeArena) -> None:
    fake.board = board(4)
    for where in ("/model?name=nobody", "/model?name=<script>alert(1)</script>", "/model"):
        page.goto(where)
        expect(page.locator("#model .a-empty")).to_contain_text("There is no public model with this name.")
    page.click("#model .a-button")
    expect(page.locator("#board-rows tr")).to_have_count(4)


def test_it_speaks_chinese(page: Page, fake: FakeArena) -> None:
    fake.board = board(4)
    page.goto(f"/model?name={fake.board.rows[0].name}&lang=zh")
    expect(page.locator("#model")).to_contain_text("一只安静的鸟。")
    expect(page.locator("#model h2", has_text="各能力与语言的得分")).to_be_visible()


def test_an_interval_stays_in_its_row_on_a_telephone(page: Page, fake: FakeArena) -> None:
    fake.board = board()
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/model?name={fake.board.rows[2].name}")
    page.wait_for_selector(".a-neighbours li")
    assert page.evaluate("""[...document.querySelectorAll(".a-neighbours li")].every((row) => {
      const track = row.querySelector(".a-track").getBoundingClientRect();
      return track.bottom <= row.getBoundingClientRect().bottom + 0.5;
    })""")
