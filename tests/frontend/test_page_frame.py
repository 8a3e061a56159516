"""A page made by a model reaches neither the network nor the arena around it: the log of a canary is the judge."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, expect

from arena.domain.terms import Side

from .canary import Canary
from .conftest import new_tab, until
from .escapes import ATTEMPTS
from .escapes import page as page_of
from .fake_api import FakeArena
from .firefox import Firefox
from .frame_harness import Harness
from .resting import reset
from .serving import serve
from .test_page_stage import BENIGN, make, pages, run
from .webkit import WebKit


@pytest.fixture
def page(apart: BrowserContext, address: str) -> Iterator[Page]:
    """A tab whose complaints nobody hears: hostile pages make some."""
    with new_tab(apart) as page:
        yield page


DAILY = (
    *(
        "self-navigation",
        "top-navigation",
        "popup",
        "meta-refresh",
        "form-post",
        "fetch-no-cors",
        "websocket",
        "beacon",
    ),
    *("webrtc", "webrtc-of-a-frame", "speculation", "data-fetch", "worker-blob", "parent-arena", "message-forged"),
    *("sibling-location", "nested-unsandboxed", "storage-real", "dialogs", "anchor-download"),
)
LIVE = 70
"""Attempts at least that reach the canary from a page without confinement: most of the others need a person's click,
or are no requests."""
SETTLE_MS = 400
"""Milliseconds after which an attempt of a page that runs has come, if it comes at all."""


def in_pairs(names: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(names[place : place + len(Side)]) for place in range(0, len(names), len(Side))]


@contextmanager
def stun() -> Iterator[socket.socket]:
    """A STUN server that only listens."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as door:
        door.bind(("127.0.0.1", 0))
        door.setblocking(False)
        yield door


def heard(door: socket.socket) -> bool:
    try:
        return bool(door.recv(2048))
    except BlockingIOError:
        return False


def filled(name: str, bird: Canary, door: socket.socket) -> str:
    port = door.getsockname()[1]
    values = {"@U@": f"{bird.url}/{name}", "@W@": f"ws://{bird.host}/{name}", "@S@": f"stun:127.0.0.1:{port}"}
    body = ATTEMPTS[name]
    for mark, value in values.items():
        body = body.replace(mark, value)
    return body


def whole(page: Page, fake: FakeArena, address: str) -> None:
    """The arena is as it was: its page, its votes, and nothing over the buttons."""
    assert page.url.rstrip("/") == address
    assert page.evaluate("document.documentElement.dataset.phase") == "ready"
    assert fake.votes == []
    for outcome in ("a", "tie", "both_bad", "b"):
        button = page.locator(f"#vote_{outcome}")
        expect(button).to_be_enabled()
        assert button.evaluate(
            "(b) => { const r = b.getBoundingClientRect();"
            " return b.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)) }"
        )
    names = page.locator(".a-stage-name").all_inner_texts()
    assert names == ["Made by A", "Made by B"]


def attempt(page: Page, fake: FakeArena, canary: Canary, names: tuple[str, ...]) -> None:
    """Have both pages of a battle attempt something; of an odd number the last battle has an honest page."""
    before = len(page.context.pages)
    with stun() as door:
        bodies = [page_of(filled(name, canary, door)) for name in names]
        pages(fake, *[*bodies, BENIGN][:2])
        make(page)
        run(page, fake)
        page.wait_for_timeout(SETTLE_MS)
        assert canary.paths == [], names
        assert not heard(door), names
    assert len(page.context.pages) == before, names


@pytest.mark.parametrize(
    "attempts",
    [DAILY, pytest.param(sorted(set(ATTEMPTS) - set(DAILY)), marks=pytest.mark.heavy)],
    ids=["daily", "others"],
)
def test_no_attempt_reaches_anything(
    page: Page, fake: FakeArena, canary: Canary, address: str, attempts: Sequence[str]
) -> None:
    """Battle after battle on one page, which stays whole."""
    dialogs: list[str] = []

    def hear(dialog: Dialog) -> None:
        dialogs.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", hear)
    for names in in_pairs(attempts):
        attempt(page, fake, canary, names)
        assert dialogs == [], names
        whole(page, fake, address)
        reset(page)


@pytest.mark.parametrize("name", [name for name in ATTEMPTS if name.startswith("webrtc")])
def test_no_realm_inside_a_page_gets_webrtc_which_ends_its_process(browser: Browser, canary: Canary, name: str) -> None:
    """Chromium ends the process of a page that calls it under a `Connection-Allowlist`, and the arena's tab with it."""
    harness = Harness()
    crashes: list[str] = []
    with stun() as door, serve(harness) as server, browser.new_context() as context:
        harness.bodies[name] = filled(name, canary, door)
        page = context.new_page()
        page.on("crash", lambda _: crashes.append(name))
        page.goto(f"{server}/in/{name}")
        page.wait_for_timeout(2 * SETTLE_MS)
        assert crashes == []
        assert page.evaluate("1") == 1
        assert not heard(door)


@pytest.mark.heavy
def test_the_attempts_are_live_where_nothing_confines_a_page(isolated: Browser, canary: Canary) -> None:
    harness = Harness()
    with stun() as door, serve(harness) as server, isolated.new_context() as context:
        for name in ATTEMPTS:
            harness.bodies[name] = filled(name, canary, door)
            page = context.new_page()
            page.on("dialog", lambda dialog: dialog.dismiss())
            page.goto(f"{server}/free/{name}", wait_until="commit")
            page.wait_for_timeout(SETTLE_MS)
            for left in context.pages:
                left.close()
        assert heard(door)
    assert len(reached(canary)) >= LIVE


@pytest.mark.heavy
def test_none_of_all_attempts_reaches_anything_in_another_engine(
    canary: Canary, other_browser: Firefox | WebKit
) -> None:
    harness = Harness()
    with stun() as door, serve(harness) as server:
        harness.bodies |= {name: filled(name, canary, door) for name in ATTEMPTS}
        for name in ATTEMPTS:
            other_browser.look(f"{server}/in/{name}", seconds=SETTLE_MS / 1000)
        assert canary.paths == []
        assert not heard(door)
        assert set(harness.framed) >= set(ATTEMPTS)
        for name in ("fetch-no-cors", "image", "self-navigation", "webrtc"):
            other_browser.look(f"{server}/free/{name}", seconds=1)
        # WebKitGTK's small browser has no WebRTC.
        assert heard(door) is isinstance(other_browser, Firefox)
    assert len(reached(canary)) == 3


def reached(bird: Canary) -> set[str]:
    return {path.split("?")[0].strip("/") for path in bird.paths} & set(ATTEMPTS)


def test_a_page_that_stops_answering_is_stopped_and_nothing_is_lost(page: Page, fake: FakeArena, address: str) -> None:
    pages(fake, page_of("<script>setTimeout(() => { while (true); }, 200)</script>"), BENIGN)
    make(page)
    run(page, fake)
    expect(page.locator("[data-side=a] .a-stage-notes")).to_contain_text("stopped answering")
    expect(page.locator("[data-side=a] iframe")).to_have_count(0)
    expect(page.frame_locator("[data-side=b] iframe").locator("h1")).to_have_text("benign")
    whole(page, fake, address)
    assert page.locator("[data-side=b] .a-stage-notes").inner_text() == ""


@pytest.mark.parametrize(
    "body",
    [
        "<script>while (true);</script>",
        "<script>const all = []; for (let n = 0; n < 128; n++) all.push(Array(1e6).fill(n)); while (true);</script>",
        "<script>for (let n = 1e6; n; n--) document.body.append(document.createElement('p')); while (true);</script>",
    ],
    ids=["loop", "memory", "nodes"],
)
@pytest.mark.heavy
def test_a_page_that_never_begins_to_answer_is_stopped(page: Page, fake: FakeArena, address: str, body: str) -> None:
    pages(fake, page_of(body), BENIGN)
    make(page)
    run(page, fake)
    expect(page.locator("[data-side=a] iframe")).to_have_count(0)
    whole(page, fake, address)


def test_the_keyboard_stays_with_the_arena_while_a_page_grabs_for_it(page: Page, fake: FakeArena) -> None:
    grab = "<input id=i><script>setInterval(() => { window.focus(); i.focus() }, 100)</script>"
    pages(fake, page_of(grab), BENIGN)
    make(page)
    page.mouse.move(2, 2)
    run(page, fake)
    page.focus("#prompt textarea")
    text = "a follow-up that is typed for the arena"
    again = sum(not typed(page, text[:length]) for length in range(1, len(text) + 1))
    assert again <= 2
    until(page, "!document.activeElement?.shadowRoot")
    expect(page.locator("#prompt textarea")).to_have_value(text)


def typed(page: Page, text: str) -> bool:
    """Type the last letter of a text; False if it has to be typed twice, as the focus came back too late for it."""
    for attempt in range(5):
        # A busy machine gives the focus back too late for the next of fifty keys a second.
        until(page, "document.activeElement === document.querySelector('#prompt textarea')")
        page.keyboard.type(text[-1], delay=20)
        for _ in range(10):
            if page.input_value("#prompt textarea") == text:
                return attempt == 0
            page.wait_for_timeout(50)
    raise AssertionError(f"{text[-1]!r} never arrived")


def test_honest_pages_have_storage_and_cookies_that_last_as_long_as_they_do(page: Page, fake: FakeArena) -> None:
    body = (
        "<p id=o></p><script>localStorage.x = 1; localStorage.setItem('y', '2'); document.cookie = 'z=3; Path=/';"
        "o.textContent = [localStorage.x, localStorage.getItem('y'), localStorage.length, document.cookie,"
        "sessionStorage.getItem('none'), document.compatMode]</script>"
    )
    pages(fake, page_of(body), BENIGN)
    make(page)
    run(page, fake)
    expect(page.frame_locator("[data-side=a] iframe").locator("#o")).to_have_text("1,2,2,z=3,,CSS1Compat")


def test_errors_of_a_page_are_told_and_a_flood_of_them_is_not(page: Page, fake: FakeArena) -> None:
    body = "<script>setInterval(() => { throw new Error('<b>ouch</b>') }, 1)</script>"
    pages(fake, page_of(body), BENIGN)
    make(page)
    run(page, fake)
    note = page.locator("[data-side=a] [data-note=error]")
    expect(note).to_contain_text("<b>ouch</b>")
    page.wait_for_timeout(2_000)
    assert int(note.inner_text().split()[0]) <= 40
