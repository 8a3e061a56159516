"""Links in answers: text before the vote, and after it a window that says where they lead, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from arena.domain.terms import Side

from .canary import Canary
from .conftest import Visit, until
from .fake_api import FakeArena
from .hostile import LINKS, aim
from .screens import LOOKS, Looks, faults_in, speak
from .serving import EMPTY
from .test_battle_page import BOX, ask, begin, load, ready
from .test_chat_page import begin as begin_chat

pytestmark = pytest.mark.resting

ANSWER = "#chat_a .a-answer"
LINK = f"{ANSWER} .a-address[data-address]"

WATCH = """window.live = [];
new MutationObserver((changes) => {
  const { phase } = document.documentElement.dataset;
  if (["empty", "voted", "shared"].includes(phase)) return;
  const link = ":is(#chat_a, #chat_b) :is([href], .a-address[data-address])";
  const within = (node) => [node, ...(node.querySelectorAll?.("*") ?? [])];
  const found = changes.flatMap(({ target, addedNodes }) => [target, ...[...addedNodes].flatMap(within)]);
  for (const node of found) if (node.matches?.(link)) window.live.push(`${phase}: ${node.outerHTML.slice(0, 200)}`);
}).observe(document, { childList: true, subtree: true, attributes: true });"""
"""Sees every change before the page's own guard does, and keeps each link that comes in a battle without a vote.

Links of the voted battle before may stand until the new one is first painted; they hold no address to follow, and a
press on them is refused.
"""

PLACES = """(host) => {
  const found = [];
  const walk = document.createTreeWalker(document.getElementById("pair"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    if (walk.currentNode.data.includes(host) && range.getClientRects().length) found.push(walk.currentNode);
  }
  window.places = found;
  return found.length;
}"""
POINT = """(number) => {
  const range = document.createRange();
  range.selectNodeContents(window.places[number]);
  window.places[number].parentElement.scrollIntoView({ block: "center", inline: "nearest" });
  const { left, top, width, height } = range.getClientRects()[0];
  return [left + Math.min(width / 2, 20), top + height / 2];
}"""


@pytest.fixture
def answer(fake: FakeArena, canary: Canary) -> str:
    """A plain link and a bare address, quickly told by both sides."""
    text = f"See [the manual]({canary.url}/manual?x=1) or {canary.url}/bare for more. " * 2
    fake.answers = dict.fromkeys(Side, text)
    fake.pace = 0.01
    return text


@pytest.fixture
def watched(context: BrowserContext) -> Iterator[Page]:
    visit = Visit.begin(context)
    visit.page.add_init_script(WATCH)
    yield visit.page
    assert visit.page.evaluate("window.live") == []
    assert not visit.complaints


def others(page: Page) -> list[Page]:
    """What a press has opened."""
    return [known for known in page.context.pages if known is not page and not known.url.endswith(EMPTY)]


def vote(page: Page) -> None:
    page.click("#vote_a")
    page.wait_for_selector("#reveal-box .a-card")
    page.wait_for_selector(LINK)


def test_no_press_before_the_vote_follows_any_link(watched: Page, fake: FakeArena, canary: Canary) -> None:
    text = "\n\n".join(aim(payload, canary.url) for payload in LINKS)
    fake.answers = {Side.A: text, Side.B: "Nothing to press."}
    fake.pace = 0
    begin(watched)
    ask(watched, f"[x]({canary.url}/own) {canary.url}/own2 www.example.org a@example.org")
    ready(watched)
    until(watched, f"({PLACES})('{canary.host}') >= {len(LINKS)}")
    count = watched.evaluate(PLACES, canary.host)
    for number in range(count):
        watched.evaluate(PLACES, canary.host)
        x, y = watched.evaluate(POINT, number)
        watched.mouse.click(x, y)
        watched.mouse.click(x, y, button="middle")
        watched.keyboard.down("Control")
        watched.mouse.click(x, y)
        watched.keyboard.up("Control")
    x, y = watched.evaluate(POINT, 0)
    watched.mouse.move(x, y)
    watched.mouse.down()
    watched.mouse.move(x + 300, 5, steps=5)
    watched.mouse.up()
    focusable = watched.locator("#pair :is(.a-prompt, .a-answer) :is([tabindex], [href], button:not(.a-code button))")
    assert focusable.evaluate_all("(all) => all.filter((one) => one.tabIndex >= 0).map((one) => one.outerHTML)") == []
    assert watched.locator("#chat_a a, #chat_b a, dialog").count() == 0
    assert others(watched) == []
    assert canary.paths == []


def test_an_address_is_in_sight_before_the_vote(page: Page, answer: str, canary: Canary) -> None:
    begin(page)
    ask(page)
    ready(page)
    expect(page.locator(ANSWER)).to_contain_text(f"See the manual ({canary.url}/manual?x=1) or {canary.url}/bare for")


def test_links_stay_text_until_the_names_are_shown(watched: Page, answer: str) -> None:
    held: list[Route] = []
    watched.route("**/vote", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks what it is given
    begin(watched)
    ask(watched)
    ready(watched)
    watched.reload()
    ready(watched)
    watched.click("#vote_a")
    watched.wait_for_selector("html[data-phase=voting]")
    assert watched.locator(f"{ANSWER} a").count() == 0
    while not held:
        watched.wait_for_timeout(20)
    held[0].continue_()
    watched.wait_for_selector(LINK)
    watched.reload()
    watched.wait_for_selector(LINK)
    watched.click("#new_round")
    ask(watched)
    ready(watched)
    assert watched.locator(f"{ANSWER} a").count() == 0


def test_a_battle_that_ends_without_a_vote_keeps_its_links_closed(watched: Page, fake: FakeArena, answer: str) -> None:
    fake.answers = dict.fromkeys(Side, answer * 3)
    fake.fail_turn = True
    begin(watched)
    ask(watched)
    watched.wait_for_selector("html[data-phase=void]")
    assert watched.locator(f"{ANSWER} a").count() == 0


def test_after_the_vote_a_press_says_where_the_link_leads_and_only_then_opens_it_without_a_referrer(
    page: Page, answer: str, canary: Canary
) -> None:
    begin(page)
    ask(page)
    ready(page)
    vote(page)
    link = page.locator(LINK).first
    link.click(button="middle")
    link.click(modifiers=["Control"])
    expect(page.locator("dialog .a-leave-host")).to_have_text(canary.host)
    expect(page.locator("dialog")).to_contain_text(f"{canary.url}/manual?x=1")
    assert (others(page), canary.paths) == ([], [])
    with page.context.expect_page() as opened:
        page.click("dialog a")
    opened.value.wait_for_load_state()
    assert opened.value.evaluate("window.opener") is None
    assert canary.paths[0] == "/manual?x=1"
    assert "referer" not in canary.headers[0]
    expect(page.locator("dialog")).to_have_count(0)


def test_the_window_is_reached_and_left_by_keys(page: Page, answer: str, canary: Canary) -> None:
    begin(page)
    ask(page)
    ready(page)
    vote(page)
    link = page.locator(LINK).first
    link.focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog button")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    expect(link).to_be_focused()
    assert canary.paths == []


def test_only_web_addresses_can_be_pressed_after_the_vote(page: Page, fake: FakeArena) -> None:
    fake.answers = dict.fromkeys(
        Side,
        "[m](mailto:a@example.org) [t](tel:+1) [r](/mine) [u](http://good.example@evil.example/) [i](http://аpple.example/)",
    )
    begin(page)
    ask(page)
    ready(page)
    vote(page)
    pressable = page.locator(LINK)
    expect(pressable).to_have_text(["(http://good.example@evil.example/)", "(http://%D0%B0pple.example/)"])
    for link, host in ((pressable.nth(0), "evil.example"), (pressable.nth(1), "xn--pple-43d.example")):
        link.click()
        expect(page.locator("dialog .a-leave-host")).to_have_text(host)
        page.keyboard.press("Escape")


def test_a_shared_battle_and_a_named_chat_warn_in_the_same_way(page: Page, answer: str, canary: Canary) -> None:
    begin(page)
    ask(page)
    ready(page)
    vote(page)
    page.click("[data-act=share]")
    page.wait_for_selector(".a-share-link")
    page.goto(page.input_value(".a-share-link"))
    page.click("#chat_a .a-address[data-address] >> nth=0")
    expect(page.locator("dialog .a-leave-host")).to_have_text(canary.host)
    begin_chat(page, "/direct")
    page.fill(BOX, "go")
    page.press(BOX, "Enter")
    page.wait_for_selector("html[data-phase=ready]")
    page.click(f"{ANSWER} [data-address] >> nth=0")
    expect(page.locator("dialog .a-leave-host")).to_have_text(canary.host)
    assert canary.paths == []


@LOOKS
def test_axe_finds_no_fault_in_the_window(page: Page, answer: str, axe: str, looks: Looks) -> None:
    speak(page, "zh-TW")
    load(page)
    ask(page)
    ready(page)
    vote(page)
    page.click(f"{LINK} >> nth=0")
    page.wait_for_selector("dialog[open]")
    assert faults_in(page, axe, looks) == []
