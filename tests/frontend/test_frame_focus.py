"""A page of a battle neither sees the other one nor harms it, and only what failed by itself is blamed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from arena.domain.terms import Side

from .conftest import new_tab, open_context, until
from .escapes import page as page_of
from .fake_api import FakeArena
from .firefox import Firefox
from .frame_harness import Harness
from .resting import WINDOW
from .serving import serve
from .test_page_stage import BENIGN, make, pages, run
from .webkit import WebKit

HONEST = page_of("<h1>honest</h1><script>setInterval(() => document.title += '.', 200)</script>")
WALK = """
  const windows = new Set();
  const walk = (window) => {
    if (!window || windows.has(window)) return;
    windows.add(window);
    for (let place = 0; place < Math.min(window.length, 20); place++) walk(window[place]);
    walk(window.parent), walk(window.top), walk(window.opener);
  };
  const look = () => (windows.clear(), walk(self), walk(parent.frames), walk(top), windows);
"""
"""Finds every window that a page can reach from its own."""
LOOK = page_of(
    f"<script>{WALK}"
    """
  name = "rival";
  const heard = [];
  const attempt = (act) => { try { act(); } catch {} };
  attempt(() => { const line = new BroadcastChannel("rivals"); line.onmessage = () => heard.push("channel");
                  setInterval(() => line.postMessage(1), 50); });
  addEventListener("message", ({ data }) => data === "rival" && heard.push("message"));
  addEventListener("storage", () => heard.push("storage"));
  const hold = (lock) => lock ? new Promise(() => 0) : heard.push("lock");
  attempt(() => navigator.locks.request("rival", { ifAvailable: true }, hold));
  const worker = "data:text/javascript,onconnect=(e)=>e.ports[0].postMessage(1)";
  attempt(() => new SharedWorker(worker).port.onmessage = () => heard.push("worker"));
  setInterval(() => {
    localStorage.setItem("rival", Math.random());
    for (const window of look()) if (window !== self) attempt(() => window.postMessage("rival", "*"));
    attempt(() => open("", "rival") && heard.push("name"));
  }, 100);
  setTimeout(() => {
    const counts = [self, parent, parent.parent, top].map((window) => window.length);
    const names = Object.keys(Object.getOwnPropertyDescriptors(top)).sort();
    Promise.reject(new Error(`seen ${look().size} ${counts} ${names} ${[...new Set(heard)].sort()};`));
  }, 1500);
</script>"""
)
"""Says in an error all that it sees of windows and hears of other pages."""
SNATCH = page_of(
    f"<input id=i><script>{WALK} setInterval(() => "
    "{ for (const window of look()) try { window.focus(); } catch {} i.focus(); }, 60)</script>"
)
"""Focuses every window that it can reach."""
HANG = f"<script>{WALK} setTimeout(() => {{ if (look().size > 2 || parent.length > 1) for (;;); }}, 600)</script>"
"""Hangs only if it sees another page."""


@pytest.fixture
def page(apart: BrowserContext, address: str) -> Iterator[Page]:
    with new_tab(apart) as page:
        yield page


def pair(side: Side, body: str, other: str) -> dict[Side, str]:
    return {side: body, side.other: other}


def start(page: Page, fake: FakeArena, answers: Mapping[Side, str]) -> None:
    pages(fake, answers[Side.A], answers[Side.B])
    make(page)
    run(page, fake)


def notes(page: Page, side: Side) -> str:
    return page.locator(f"[data-side={side}] .a-stage-notes").inner_text()


def body_of(answer: str) -> str:
    """The body of the page in an answer."""
    return answer.partition("<p>page</p>\n")[2].rpartition("\n</body>")[0]


def sees(page: Page, side: Side) -> str:
    note = page.locator(f"[data-side={side}] [data-note=error]")
    expect(note).to_contain_text("seen ")
    found = re.search(r"seen [^;]*;", note.inner_text())
    assert found
    return found[0]


def both_run(page: Page) -> bool:
    return all(page.locator(f"[data-side={side}] iframe").count() == 1 and not notes(page, side) for side in Side)


def test_a_page_sees_and_hears_the_same_alone_and_beside_another(page: Page, fake: FakeArena) -> None:
    start(page, fake, {Side.A: LOOK, Side.B: LOOK})
    beside = {sees(page, side) for side in Side}
    page.reload()
    fake.answers = {Side.A: LOOK, Side.B: "No."}
    until(page, "document.documentElement.dataset.phase === 'ready'")
    page.click("#skip")
    make(page)
    page.click("[data-act=pages-run]")
    assert beside == {sees(page, Side.A)}


@pytest.mark.parametrize("side", Side)
def test_no_page_has_the_other_stopped_by_moving_the_focus(page: Page, fake: FakeArena, side: Side) -> None:
    start(page, fake, pair(side, SNATCH, HONEST))
    page.mouse.move(2, 2)
    page.wait_for_timeout(2_500)
    assert both_run(page)


def test_the_keyboard_comes_back_from_a_page_that_takes_it_and_nobody_is_stopped(page: Page, fake: FakeArena) -> None:
    start(page, fake, {Side.A: SNATCH, Side.B: HONEST})
    page.mouse.move(2, 2)
    page.focus("#prompt textarea")
    page.wait_for_timeout(1_500)
    until(page, "document.activeElement === document.querySelector('#prompt textarea')")
    assert both_run(page)


@pytest.mark.parametrize("side", Side)
def test_what_hangs_only_beside_another_page_finds_no_moment_to_hang(page: Page, fake: FakeArena, side: Side) -> None:
    start(page, fake, pair(side, page_of(HANG), HONEST))
    page.wait_for_timeout(6_000)
    assert both_run(page)


@pytest.mark.parametrize("side", Side)
def test_a_page_that_hangs_later_than_its_trial_lasts_is_the_only_one_blamed(
    page: Page, fake: FakeArena, side: Side
) -> None:
    """It runs well in the trial; then both run one at a time."""
    start(page, fake, pair(side, page_of("<script>setTimeout(() => { for (;;); }, 4500)</script>"), HONEST))
    expect(page.locator(".a-stage-say")).to_contain_text("one at a time")
    assert [notes(page, each) for each in Side] == ["", ""]
    expect(page.locator("#stage iframe")).to_have_count(0)
    page.click(f"[data-act=pages-alone][data-side={side}]")
    expect(page.locator(f"[data-side={side}] .a-stage-notes")).to_contain_text("stopped answering")
    page.click(f"[data-act=pages-alone][data-side={side}]")
    page.click(f"[data-act=pages-alone][data-side={side.other}]")
    page.wait_for_timeout(5_000)
    expect(page.frame_locator(f"[data-side={side.other}] iframe").locator("h1")).to_have_text("honest")
    assert notes(page, side.other) == ""


def test_a_page_whose_loop_holds_the_tab_itself_is_stopped(browser: Browser, fake: FakeArena, address: str) -> None:
    """Where a page has no process of its own, a loop that ends by itself delays the heartbeat that it would miss."""
    loop = "setInterval(() => { const end = Date.now() + 4300; while (Date.now() < end); }, 300)"
    with open_context(browser.new_context, locale="en-US", base_url=address, viewport=WINDOW) as context:
        page = context.new_page()
        pages(fake, page_of(f"<script>{loop}</script>"), "No page.")
        make(page)
        page.click("[data-act=pages-run]")
        expect(page.locator("[data-side=a] .a-stage-notes")).to_contain_text("stopped answering")
        expect(page.locator("#stage iframe")).to_have_count(0)


@pytest.mark.heavy
def test_two_pages_are_apart_and_nobody_is_blamed_in_another_engine(other_browser: Firefox | WebKit) -> None:
    harness = Harness()
    bodies = {"look": LOOK, "snatch": SNATCH, "hang": page_of(HANG), "honest": HONEST}
    harness.bodies |= {name: body_of(answer) for name, answer in bodies.items()}
    with serve(harness) as server:
        other_browser.look(f"{server}/beside/look", seconds=6)
        alone = {text[len("a error ") :] for text in harness.told if "seen" in text}
        harness.told.clear()
        other_browser.look(f"{server}/beside/look-look", seconds=6)
        beside = [text for text in harness.told if "seen" in text]
        assert {text[:1] for text in beside} == set(Side)
        assert {text[len("a error ") :] for text in beside} == alone
        for pages in ("snatch-honest", "honest-snatch", "hang-honest", "honest-hang"):
            harness.told.clear()
            other_browser.look(f"{server}/beside/{pages}", seconds=7)
            assert {text[:6] for text in harness.told if "text" in text} == {"a text", "b text"}, pages
            assert [text for text in harness.told if "ended" in text] == [], pages


FLOODS = {
    "window": "for (let n = 0; n < 500; n++) { parent.postMessage(n, '*'); top.postMessage('begun', '*'); }",
    "port": "for (let n = 0; n < 500; n++) port?.postMessage({ alive: true });",
}
PORT = (
    "let port; const set = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');"
    "Object.defineProperty(MessagePort.prototype, 'onmessage',"
    "{ set(heard) { port = this; set.set.call(this, heard); }, get: set.get });"
)
"""Takes the port that the arena has handed to the prelude."""


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_of_messages_stops_the_page_that_sends_it(page: Page, fake: FakeArena, side: Side, kind: str) -> None:
    flood = page_of(f"<script>{PORT} setTimeout(() => setInterval(() => {{ {FLOODS[kind]} }}), 500)</script>")
    start(page, fake, pair(side, flood, HONEST))
    expect(page.locator(f"[data-side={side}] .a-stage-notes")).to_contain_text("messages")
    page.wait_for_timeout(4_500)
    expect(page.frame_locator(f"[data-side={side.other}] iframe").locator("h1")).to_have_text("honest")
    assert notes(page, side.other) == ""


HISTORY = {
    "hash": "location.hash = Math.random()",
    "push": "History.prototype.pushState.call(history, 0, '')",
    "link": "const a = document.createElement('a'); a.href = '#' + Math.random(); a.click()",
}


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize(("way", "pause"), [*((way, 40) for way in HISTORY), ("hash", 350)])
def test_a_page_that_fills_the_history_of_the_tab_is_stopped(
    page: Page, fake: FakeArena, side: Side, way: str, pause: int
) -> None:
    """Also one so slow that a trial alone ends before it has made as many entries as end a page."""
    fill = f"<script>setInterval(() => {{ {HISTORY[way]} }}, {pause})</script>"
    start(page, fake, pair(side, page_of(fill), HONEST))
    expect(page.locator(f"[data-side={side}] .a-stage-notes")).to_contain_text("Back")
    expect(page.frame_locator(f"[data-side={side.other}] iframe").locator("h1")).to_have_text("honest")
    assert notes(page, side.other) == ""
    assert page.evaluate("history.length") < 50


STEPS = "<script>for (let n = 0; n < 4; n++) setTimeout(() => location.hash = n, 200 * n)</script>"


def test_a_few_steps_of_an_honest_page_are_no_fault(page: Page, fake: FakeArena) -> None:
    start(page, fake, {Side.A: page_of(STEPS), Side.B: BENIGN})
    page.wait_for_timeout(2_500)
    assert both_run(page)


INNER = "const inner = document.createElement('iframe');"
LEAVE = {
    "back": "history.back()",
    "go": "history.go(-1)",
    "far": "for (let n = -5; n < 0; n++) history.go(n)",
    "called": "History.prototype.back.call(history)",
    "deleted": "delete History.prototype.back; history.back?.()",
    "realm": f"{INNER} document.body.append(inner); inner.contentWindow.history.back()",
    "inner": f"{INNER} inner.src = 'javascript:history.back()'; document.body.append(inner)",
    "source": f"{INNER} inner.srcdoc = '<script>history.back()<\\/script>'; document.body.append(inner)",
    "link": "const a = document.createElement('a'); a.href = 'javascript:history.back()'; a.click()",
    "address": "location.href = 'javascript:history.back()'",
    "navigation": "window.navigation?.back()",
    "parent": "parent.history.back()",
    "top": "top.history.go(-1)",
    "pushed": "location.hash = 1; setTimeout(() => history.go(-2), 300)",
    "later": "setTimeout(() => history.back(), 2500)",
}
"""Ways in which a page tries to lead the tab back to where its visitor was before the battle."""


def leaving(*ways: str) -> str:
    """A page that tries these ways one after the other."""
    acts = (f"setTimeout(() => {{ {LEAVE[way]} }}, {300 + 250 * place});" for place, way in enumerate(ways))
    return f"<script>{' '.join(acts)}</script>"


def test_a_page_cannot_lead_the_tab_away_from_its_battle(page: Page, fake: FakeArena) -> None:
    page.goto("/about")
    start(page, fake, {Side.A: page_of(leaving(*LEAVE)), Side.B: HONEST})
    address = page.url
    page.wait_for_timeout(5_000)
    assert page.url == address
    expect(page.frame_locator("[data-side=b] iframe").locator("h1")).to_have_text("honest")


@pytest.mark.heavy
def test_a_page_neither_fills_the_history_nor_leads_the_tab_away_in_another_engine(
    other_browser: Firefox | WebKit,
) -> None:
    harness = Harness()
    fills = {f"fill{way}": f"<script>setInterval(() => {{ {act} }}, 40)</script>" for way, act in HISTORY.items()}
    harness.bodies |= fills | {way: leaving(way) for way in LEAVE} | {"steps": STEPS}
    harness.bodies["before"] = "<script>addEventListener('pageshow', () => fetch('/told/before shown'))</script>"
    with serve(harness) as server:
        for name in (*fills, *LEAVE, "steps"):
            harness.told.clear()
            other_browser.look(f"{server}/free/before", f"{server}/beside/{name}", seconds=4)
            assert harness.told.count("before shown") == 1, name
            ended = [text for text in harness.told if "ended" in text]
            assert ended == (["a ended history"] if name in fills else []), name
            if name not in fills:
                assert [text for text in harness.told if text.startswith("a text")], name
