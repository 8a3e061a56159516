"""The room of a battle: the page scrolls, names stay above, votes below, and the reveal leaves room for the answers."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from arena.domain.schemas.votes import CrowdView
from arena.domain.shown_intervals import WIDEST
from arena.domain.terms import Side
from arena_frontend.markup import PAGES
from arena_frontend.texts import LANGUAGES, texts

from .conftest import until
from .fake_api import NAMES, FakeArena, board
from .screens import SCREENS, speak
from .test_battle_page import BOX, ask, begin, load, ready

pytestmark = pytest.mark.resting

LONG = "\n\n".join(
    f"Paragraph {number} of an answer that is long enough to need the whole page." for number in range(60)
)
WINDOWS: list[ViewportSize] = [
    {"width": 640, "height": 400},  # twice as large
    {"width": 320, "height": 568},
    {"width": 390, "height": 844},
    {"width": 1280, "height": 800},
]

ROOM = """() => {
  const edges = (selector) => [...document.querySelectorAll(selector)]
    .filter((part) => part.offsetHeight && ["sticky", "fixed"].includes(getComputedStyle(part).position))
    .map((part) => part.getBoundingClientRect()).filter((box) => box.bottom > 0 && box.top < innerHeight);
  const top = Math.max(0, ...edges("#bar, #switch, #head_a").map((box) => box.bottom));
  const bottom = Math.min(innerHeight, ...edges("#dock, #composer").map((box) => box.top));
  return (bottom - top) / innerHeight;
}"""


def long(page: Page, fake: FakeArena) -> None:
    fake.answers, fake.pace = dict.fromkeys(Side, LONG), 0.0
    begin(page)
    ask(page)
    read(page)


def read(page: Page) -> None:
    """Wait for the end of the answers, and scroll into them."""
    ready(page)
    until(page, "document.querySelector('#chat_a').textContent.includes('Paragraph 59')")
    page.evaluate("scrollTo(0, 700)")
    page.wait_for_timeout(200)


def look_at_both(page: Page) -> None:
    """See the answer that a phone does not show, and return to the first."""
    ready(page)
    for side in ("b", "a"):
        if page.is_visible("#switch"):
            page.click(f"#switch [data-side={side}]")
            page.wait_for_selector(f"#switch [data-side={side}][aria-pressed=true]")


def test_half_of_each_window_is_answer_before_and_after_the_vote(page: Page, fake: FakeArena) -> None:
    fake.crowd = CrowdView(a=20, b=21)
    fake.answers, fake.pace = dict.fromkeys(Side, LONG), 0.0
    begin(page)
    for window in WINDOWS:
        page.set_viewport_size(window)
        page.evaluate("scrollTo(0, 0)")
        ask(page)
        look_at_both(page)
        read(page)
        assert page.evaluate(ROOM) >= 0.5, window
        page.click("#vote_a")
        expect(page.locator(".a-crowd")).to_be_visible()
        page.wait_for_timeout(400)
        assert page.evaluate(ROOM) >= 0.5, window
        assert page.evaluate("scrollY") == 700, window
        page.click("#new_round")
        page.wait_for_selector("html[data-phase=empty]")


def test_answers_are_shown_in_full_length_and_only_the_page_scrolls(page: Page, fake: FakeArena) -> None:
    long(page, fake)
    inner = """() => [...document.querySelectorAll("#pair, #pair *")].filter((part) =>
      part.scrollHeight > part.clientHeight + 2 && /auto|scroll/.test(getComputedStyle(part).overflowY)).length"""
    assert page.evaluate(inner) == 0
    assert page.evaluate("document.documentElement.scrollHeight > 2 * innerHeight")
    for part in ("#head_a", "#head_b", "#vote_a", "#bar"):
        expect(page.locator(part)).to_be_in_viewport(ratio=0.9)


def test_a_cue_says_that_an_answer_goes_on_below_and_is_gone_at_its_end(page: Page, fake: FakeArena) -> None:
    long(page, fake)
    cue = page.get_by_role("button", name="more below")
    expect(cue).to_be_visible()
    cue.click()
    until(page, "scrollY > 900")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    expect(cue).to_be_hidden()


def test_the_cue_and_the_height_of_the_box_follow_the_window(page: Page, fake: FakeArena) -> None:
    page.set_viewport_size(SCREENS["telephone"])
    long(page, fake)
    page.fill(BOX, "as many words as a line of a telephone does not hold")
    high = page.locator(BOX).evaluate("box => box.offsetHeight")
    cue = page.get_by_role("button", name="more below")
    for height, is_below in ((6000, False), (800, True)):
        page.set_viewport_size({"width": 1280, "height": height})
        expect(cue).to_be_visible(visible=is_below)
    assert page.locator(BOX).evaluate("box => box.offsetHeight") < high


def test_a_follow_up_begins_at_the_top_of_the_room(page: Page, fake: FakeArena) -> None:
    long(page, fake)
    fake.answers = dict.fromkeys(Side, "Nothing more.")
    ask(page, "And then?")
    ready(page)
    page.wait_for_timeout(400)
    asked = page.locator("#chat_a .a-question").last.bounding_box()
    assert asked
    assert 57 < asked["y"] < 200


BLANK = """() => document.querySelector('#chat_a').getBoundingClientRect().bottom
  - [...document.querySelectorAll('#chat_a .a-answer')].at(-1).getBoundingClientRect().bottom"""


def test_the_card_of_a_short_answer_is_as_tall_as_its_text(page: Page, fake: FakeArena) -> None:
    fake.answers, fake.pace = {Side.A: "Yes.", Side.B: LONG}, 0.0
    page.set_viewport_size(SCREENS["telephone"])
    begin(page)
    ask(page)
    ready(page)
    ask(page, "And with milk?")
    expect(page.locator("#chat_b .a-answer")).to_have_count(2)
    ready(page)
    assert page.evaluate(BLANK) < 60
    expect(page.locator(BOX)).to_be_in_viewport()
    page.set_viewport_size(SCREENS["desktop"])
    page.click("#vote_b")
    page.wait_for_selector("#reveal-box .a-card")
    assert page.evaluate(BLANK) < 60


def test_the_page_follows_the_growing_text_until_its_reader_scrolls_back(page: Page, fake: FakeArena) -> None:
    fake.answers, fake.pace = dict.fromkeys(Side, LONG), 0.01
    begin(page)
    ask(page)
    until(page, "scrollY > 300")
    assert page.evaluate("document.documentElement.dataset.phase") == "running"
    page.evaluate("scrollTo(0, 0)")
    ready(page)
    assert page.evaluate("scrollY") == 0


def test_the_shorter_answer_stays_in_view_beside_the_longer_one(page: Page, fake: FakeArena) -> None:
    fake.answers, fake.pace = {Side.A: "A short answer.", Side.B: LONG}, 0.0
    begin(page)
    ask(page)
    ready(page)
    until(page, "document.querySelector('#chat_b').textContent.includes('Paragraph 59')")
    for place in (0, 700, 10_000):
        page.evaluate("(place) => scrollTo(0, place)", place)
        expect(page.locator("#chat_a .a-answer")).to_be_in_viewport(ratio=0.9)
        expect(page.get_by_text("A short answer.")).to_be_visible()
    expect(page.get_by_text("Paragraph 59")).to_be_in_viewport()


def put_on_board(fake: FakeArena, **facts: float | list[str] | None) -> None:
    """Make the model of side A the second of the board."""
    whole, changes = board(), {"name": NAMES[Side.A], **facts}
    rows = [row.model_copy(update=changes) if n == 1 else row for n, row in enumerate(whole.rows)]
    fake.board = fake.board_data.add(whole.model_copy(update={"rows": rows}))


def test_a_rating_without_an_interval_is_shown_without_one(page: Page, fake: FakeArena) -> None:
    put_on_board(fake, bt=1290.0, bt_low=None, bt_high=None)
    load(page)
    ask(page)
    ready(page)
    page.click("#vote_b")
    expect(page.locator(".a-card[data-side=a] .a-card-rank")).to_have_text("1,290, number 2 of 8")


def test_the_reveal_withholds_the_interval_that_the_board_withholds(page: Page, fake: FakeArena) -> None:
    put_on_board(fake, bt=1290.0, bt_low=1290 - WIDEST, bt_high=1291.0)
    load(page)
    ask(page)
    ready(page)
    page.click("#vote_b")
    rank = page.locator(".a-card[data-side=a] .a-card-rank")
    expect(rank).to_have_text("1,290, number 2 of 8")
    put_on_board(fake, bt=1290.0, bt_low=1290 - WIDEST, bt_high=1290.0)
    page.reload()
    expect(rank).to_have_text("1,290, number 2 of 8 (290 to 1,290)")


def test_a_place_after_few_votes_is_called_provisional(page: Page, fake: FakeArena) -> None:
    put_on_board(fake, bt=1290.0, bt_low=None, bt_high=None, preliminary=["few_votes"])
    load(page)
    ask(page)
    ready(page)
    page.click("#vote_b")
    expect(page.locator(".a-card[data-side=a] .a-card-rank")).to_have_text("1,290, number 2 of 8 Provisional")


def test_names_lead_to_their_pages_with_rank_and_rating(page: Page, fake: FakeArena) -> None:
    put_on_board(fake)
    fake.board_data.facts[NAMES[Side.A]] = {"price_in": 1.0, "price_out": 5.0, "energy": 0.4}
    load(page)
    ask(page)
    ready(page)
    assert page.locator("#reveal-box").inner_text().strip() == ""
    page.click("#vote_b")
    card = page.locator(".a-card[data-side=a]")
    expect(card.locator("h3 a")).to_have_attribute("href", "/model?name=Quiet%20Heron")
    expect(card.locator(".a-card-rank")).to_contain_text("number 2 of 8")
    expect(card.locator(".a-meters span")).to_have_text(["$ 2.00", "0.4 kWh"])
    expect(page.locator(".a-card[data-side=b] .a-card-rank")).to_have_text("not ranked yet")


def test_names_are_the_largest_news_of_the_reveal_and_a_vote_by_keyboard_draws_no_ring(page: Page) -> None:
    load(page)
    ask(page)
    ready(page)
    page.keyboard.press("Alt+ArrowLeft")
    box = page.locator("#reveal-box")
    expect(box).to_be_focused()
    assert box.evaluate("(box) => [box.matches(':focus-visible'), getComputedStyle(box).outlineStyle]") == [
        True,
        "none",
    ]
    sizes = box.evaluate(
        "(box) => ['.a-card h3', '.a-reveal-title', '.a-card-rank'].map((part) =>"
        " parseFloat(getComputedStyle(box.querySelector(part)).fontSize))"
    )
    assert sizes[0] > sizes[1] > sizes[2]
    winner = box.locator("[data-winner]")
    winner.evaluate("(card) => Promise.all(card.getAnimations().map(({ finished }) => finished))")
    assert winner.evaluate("(card) => getComputedStyle(card).backgroundSize") == "100% 100%"


def test_the_cards_turn_unless_motion_is_unwelcome(page: Page) -> None:
    page.emulate_media(reduced_motion="no-preference")
    begin(page)
    ask(page)
    ready(page)
    page.click("#vote_a")
    card = page.locator(".a-card").first
    card.wait_for()
    turn = "(card) => parseFloat(getComputedStyle(card).animationDuration)"
    assert card.evaluate(turn) == pytest.approx(0.3)
    page.emulate_media(reduced_motion="reduce")
    assert card.evaluate(turn) == pytest.approx(0.00001)


def test_a_tie_colours_both_sides(page: Page) -> None:
    begin(page)
    ask(page)
    ready(page)
    colour = "(side) => getComputedStyle(side).borderTopColor"
    before = page.locator("#side_a").evaluate(colour)
    page.click("#vote_tie")
    page.wait_for_selector("#reveal-box .a-card")
    page.wait_for_timeout(500)
    after = [page.locator(f"#side_{side}").evaluate(colour) for side in Side]
    assert after[0] == after[1] != before


def test_an_empty_box_after_the_vote_is_focused_and_remarks_speak_of_names(page: Page) -> None:
    begin(page)
    ask(page)
    ready(page)
    page.click("#vote_a")
    page.click(".a-remarks summary")
    expect(page.locator(".a-remarks-side legend")).to_contain_text([NAMES[Side.A], NAMES[Side.B]])
    page.click("#send")
    expect(page.locator(BOX)).to_be_focused()
    expect(page.locator("#notice-box")).to_be_hidden()


def test_a_text_sent_while_answers_stream_stays_and_the_page_says_so(page: Page, fake: FakeArena) -> None:
    fake.paused = True
    begin(page)
    ask(page)
    page.wait_for_selector("html[data-phase=running]")
    expect(page.locator(BOX)).to_have_value("")
    ask(page, "too early")
    expect(page.locator("#notice-box")).to_contain_text("Your text is kept")
    expect(page.locator(BOX)).to_have_value("too early")
    fake.paused = False
    ready(page)
    expect(page.locator(BOX)).to_have_value("too early")
    expect(page.locator("#notice-box")).to_be_hidden()


def test_an_empty_box_while_answers_stream_asks_for_no_question(page: Page, fake: FakeArena) -> None:
    fake.paused = True
    begin(page)
    ask(page)
    page.wait_for_selector("html[data-phase=running]")
    page.press(BOX, "Enter")
    expect(page.locator("#notice-box")).to_be_hidden()
    fake.paused = False
    ready(page)


def test_the_title_of_the_tab_is_the_title_of_the_page(page: Page) -> None:
    for name in ("battle", "side_by_side", "direct"):
        page.goto(PAGES[name])
        page.wait_for_selector("#foot", state="attached")
        page.wait_for_timeout(800)
        assert page.title() == texts("en")["title." + name]


def test_a_click_made_before_the_page_can_act_on_it_is_not_lost(page: Page) -> None:
    load(page)
    page.evaluate(
        """async () => {
          const button = document.createElement("button");
          button.dataset.act = "later";
          document.body.append(button);
          button.click();
          const { href, src } = document.querySelector(':is(link[href$="/shell.js"], script[src$="/shell.js"])');
          const shell = href || src;
          const { on } = await import(shell);
          on("later", () => { document.body.dataset.acted = "yes"; });
        }"""
    )
    page.wait_for_selector("body[data-acted=yes]")


def test_a_name_is_not_broken_for_its_rank(page: Page, fake: FakeArena) -> None:
    whole = board()
    rows = [row.model_copy(update={"name": name}) for row, name in zip(whole.rows, NAMES.values(), strict=False)]
    fake.board = whole.model_copy(update={"rows": rows, "pairs": []})
    load(page)
    ask(page)
    ready(page)
    page.click("#vote_a")
    expect(page.locator(".a-card-rank").first).to_contain_text("number 1 of 2")
    for width in (721, 820, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        names = page.locator(".a-card h3 a").evaluate_all("links => links.map(link => link.getClientRects().length)")
        assert names == [1, 1], width


EDGES = """selector => {
  const { left, right } = document.querySelector(selector).getBoundingClientRect();
  return [left, right];
}"""


def test_votes_and_box_are_as_wide_as_the_answers_and_lie_over_all_of_them(page: Page) -> None:
    begin(page)
    ask(page)
    ready(page)
    for width in (390, 820, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        pair, box, dock = (page.evaluate(EDGES, part) for part in ("#pair", "#box", "#dock"))
        assert box == pair, width
        assert (dock[0] <= pair[0], dock[1] >= pair[1]) == (True, True), width


CUT = """selector => {
  const box = document.querySelector(selector), style = getComputedStyle(box);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = style.font;
  const room = box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return pen.measureText(box.placeholder).width > room ? box.placeholder : "";
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_empty_box_says_is_not_cut_on_a_telephone(page: Page, fake: FakeArena, language: str) -> None:
    page.set_viewport_size(SCREENS["telephone"])
    speak(page, language)
    load(page)
    expect(page.locator("html")).to_have_attribute("lang", texts(language)["lang.code"])
    assert not page.evaluate(CUT, BOX)
    ask(page)
    look_at_both(page)
    assert not page.evaluate(CUT, BOX)
    page.click("#vote_a")
    page.wait_for_selector(".a-card")
    assert not page.evaluate(CUT, BOX)
