"""The app in Chromium before a real arena: consent, a battle, votes, languages, and what must not happen."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import permutations

import httpx2
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.frontend.conftest import AXE, FAILED
from tests.frontend.screens import Scheme, faults
from tests.gradio.conftest import PATIENCE, Served, apps, ask, opened, read, ready
from tests.processes import run_command, until

WORDS = {
    "": ("I have read this and agree", "Please tick the box above first", "You chose A", "en"),
    "/zh": ("我已阅读并同意", "请先勾选", "你选择了 A", "zh"),
    "/zh-tw": ("我已閱讀並同意", "請先勾選", "你選擇了 A", "zh-TW"),
}
PLACES = {"": " of 2 · provisional", "/zh": " 名 · 暂定", "/zh-tw": " 名 · 暫定"}
CUT = {
    "": "This answer was cut off at its length limit.",
    "/zh": "这个回答到达长度上限，未写完。",
    "/zh-tw": "這個回答到達長度上限，未寫完。",
}
ELSEWHERE = {
    "": ("Signing in", "robot check", "battles of web pages", "images"),
    "/zh": ("登录", "人机检查", "网页对战", "图片提问"),
    "/zh-tw": ("登入", "人機檢查", "網頁對戰", "圖片提問"),
}
"""What is done on the arena's own page alone."""
LOOKS: dict[str, tuple[tuple[int, ...], Scheme]] = {
    "": ((1280, 390), "light"),
    "/zh": ((1280,), "dark"),
    "/zh-tw": ((390,), "dark"),
}
"""Widths and the scheme of the page of each language."""

NO_STORAGE = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, {
    configurable: true,
    get() { throw new DOMException("Access is denied for this document.", "SecurityError"); },
  });
"""

CLEAN = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const pressed = all("[id^=vote-]:enabled, [id$=-new]:enabled, [id$=-stop]:enabled, [id$=-skip]:enabled");
  const text = all(".notice, .after, .trouble, #board-when").map((node) => node.innerText.trim()).join("");
  const values = all("textarea, [id$=-models] input").map((box) => box.value).join("");
  return !pressed.length && !text && !values && !all(".bot, .user, .token").length;
}"""
"""Function of a page: true without a conversation, message or chosen model in any room, and without a board."""


@contextmanager
def patient_context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with patient_context(browser) as context:
        yield context


@pytest.fixture
def second_context(browser: Browser) -> Iterator[BrowserContext]:
    """The browser of another voter."""
    with patient_context(browser) as context:
        yield context


@pytest.fixture(scope="module")
def rested() -> Iterator[list[Page]]:
    """The loaded page that one test leaves to the next."""
    rested: list[Page] = []
    yield rested
    for page in rested:
        page.context.close()


@pytest.fixture
def page(request: pytest.FixtureRequest, browser: Browser, served: Served, rested: list[Page]) -> Iterator[Page]:
    """The page of a visitor without a conversation who has ticked the terms; a failed test leaves none."""
    page = rested.pop() if rested else accepted(browser, served)
    yield page
    if FAILED not in request.node.stash and reset(page):
        rested.append(page)
    else:
        page.context.close()


def accepted(browser: Browser, served: Served) -> Page:
    """The page of a new visitor, with the box of the terms ticked."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    page = visit(context, served.url)
    page.check("#agree input")
    return page


def reset(page: Page) -> bool:
    """Begin a new round of battles; returns whether nothing of any test is left on the page."""
    for other in page.context.pages[1:]:
        other.close()
    page.context.clear_cookies()
    page.get_by_role("tab", name="Battle").click()
    if page.is_enabled("#battle-new"):
        page.click("#battle-new")
        expect(page.locator("#battle-new")).to_be_disabled()
    return page.evaluate(CLEAN)


def visit(context: BrowserContext, url: str, width: int = 1280, scheme: Scheme = "light") -> Page:
    page = context.new_page()
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(url)
    page.wait_for_selector("#battle-prompt textarea")
    page.wait_for_selector("#practice:visible")  # the page has asked the arena
    read(page)
    return page


def axe_faults(page: Page, widths: tuple[int, ...]) -> list[str]:
    """What axe-core finds at each width, and whether the page goes beyond it; nothing without npm."""
    found = list[str]()
    if AXE.is_file():
        page.evaluate(AXE.read_text("utf-8"))
    for width in widths:
        page.set_viewport_size({"width": width, "height": 844})
        found += faults(page, "") if AXE.is_file() else []
        found += [] if page.evaluate("document.documentElement.scrollWidth <= innerWidth") else [f"wider than {width}"]
    return found


@pytest.mark.parametrize("path", WORDS)
def test_a_battle_goes_from_the_terms_to_the_names_and_axe_finds_nothing(context, served: Served, path):
    agree, first, chose, language = WORDS[path]
    widths, scheme = LOOKS[path]
    elsewhere, errors = [], []
    context.on("request", lambda request: None if request.url.startswith(served.url) else elsewhere.append(request.url))
    page = visit(context, f"{served.url}{path}", widths[0], scheme)
    page.on("pageerror", lambda error: errors.append(str(error)))
    assert page.evaluate("document.documentElement.lang") == language
    expect(page.get_by_label(agree)).to_be_visible()
    assert [word for word in ELSEWHERE[path] if word not in page.inner_text("#elsewhere")] == []
    expect(page.locator("#elsewhere a")).to_have_attribute("href", f"{served.arena.url}/")
    ask(page, "What is 17 × 23?", agree=False)
    expect(page.locator("#battle-trouble")).to_contain_text(first)
    read(page)
    assert page.input_value("#battle-prompt textarea") == "What is 17 × 23?"
    ask(page, "What is 17 × 23?")
    ready(page)
    names = [model["name"] for model in httpx2.get(f"{served.arena.url}/api/v1/models").json()]
    assert [name for name in names if name in page.content()] == [], "no name before the vote"
    ask(page, "And 3 + 4?", agree=False)
    page.wait_for_function("document.querySelectorAll('#battle-b .user').length >= 2")
    ready(page)
    cut_last_answer(served)
    assert CUT[path] not in page.content()
    page.click("#vote-a")
    expect(page.locator("#battle-after")).to_contain_text(chose)
    assert [page.get_by_text(CUT[path]).count(), page.locator("#battle-b").get_by_text(CUT[path]).count()] == [1, 1]
    assert sum(name in page.inner_text("#battle-after") for name in names) >= 2
    expect(page.locator("#battle-after h3")).to_be_visible()
    assert axe_faults(page, widths) == []
    until(lambda: len(httpx2.get(f"{served.arena.url}/api/v1/leaderboard").json()["rows"]) == len(names))
    page.reload()
    expect(page.locator("#battle-after")).to_contain_text(chose)
    expect(page.locator("#battle-after")).to_contain_text(PLACES[path])
    expect(page.locator("#terms")).to_be_hidden()
    assert elsewhere == []
    assert errors == []


def test_a_second_tab_and_a_reload_amid_the_answers_have_the_same_battle(page, served):
    ask(page, "Write a long poem about rivers and the sea, with many lines", agree=False)
    page.wait_for_selector("#battle-a .bot")
    page.reload()
    other = visit(page.context, served.url)
    ready(other)
    ready(page)
    assert other.inner_text("#battle-a") == page.inner_text("#battle-a")
    other.click("#vote-tie")
    expect(other.locator("#battle-after")).to_contain_text("equally good")
    page.click("#vote-a")  # the arena has one vote, and this tab is told so
    expect(page.locator("#battle-after")).to_contain_text("equally good")


@pytest.mark.parametrize(("locale", "title"), [("zh-CN", "对战竞技场（Gradio）"), ("zh-TW", "對戰競技場（Gradio）")])
def test_the_address_of_the_app_opens_in_the_language_of_the_browser_and_english_can_be_chosen(
    browser, served, locale, title
):
    with browser.new_context(locale=locale) as context:
        context.set_default_timeout(PATIENCE)
        page = visit(context, f"{served.url}/")
        expect(page.locator("#lead h1")).to_have_text(title)
        page.get_by_role("link", name="English").first.click()
        expect(page.locator("#lead h1")).to_have_text("Arena on Gradio")
        page.reload()
        expect(page.locator("#lead h1")).to_have_text("Arena on Gradio")


def test_both_models_are_asked_again(page):
    ask(page, "What is 17 × 23?", agree=False)
    ready(page)
    expect(page.locator("#battle-regenerate")).to_be_enabled()
    page.click("#battle-regenerate")
    expect(page.locator("#vote-a")).to_be_disabled()
    ready(page)
    page.click("#vote-tie")
    expect(page.locator("#battle-after")).to_contain_text("equally good")


def test_a_stopped_battle_can_be_skipped(page):
    ask(page, "Write a long poem about rivers and the sea, with many lines", agree=False)
    page.wait_for_selector("#battle-a .bot")  # what is stopped before its first word is void
    expect(page.locator("#battle-stop")).to_be_enabled()
    page.click("#battle-stop")
    ready(page)
    page.click("#battle-skip")
    expect(page.locator("#battle-a .bot")).to_have_count(0)
    expect(page.locator("#vote-a")).to_be_disabled()


def test_a_direct_chat_waits_for_a_chosen_model_and_the_board_opens_beside_it(page):
    page.get_by_role("tab", name="Direct chat").click()
    page.fill("#direct-prompt textarea", "What is 2 + 2?")
    page.click("#direct-send")
    expect(page.locator("#direct-trouble")).to_contain_text("Choose a model")
    read(page)
    page.click("#direct-models input")
    page.get_by_role("option").first.click()
    page.click("#direct-send")
    page.wait_for_selector("#direct-a .bot")
    page.get_by_role("tab", name="Leaderboard").click()
    expect(page.locator("#board-when")).not_to_be_empty()


def test_a_chat_side_by_side_asks_two_chosen_models(page):
    page.get_by_role("tab", name="Side by side").click()
    page.fill("#pair-prompt textarea", "What is 2 + 2?")
    choose_model(page, 0)
    page.click("#pair-send")
    expect(page.locator("#pair-trouble")).to_contain_text("Choose two models")
    read(page)
    assert page.input_value("#pair-prompt textarea") == "What is 2 + 2?"
    choose_model(page, 1)
    page.click("#pair-send")
    expect(page.locator("#pair-new")).to_be_enabled()
    ask_pair(page, "And 3 + 4?")
    assert [page.locator(f"#pair-{side} .bot").count() for side in "ab"] == [2, 2]
    expect(page.locator("#pair-notice")).to_contain_text("not rated")
    assert page.locator(".votes:visible, #pair-after a").count() == 0
    answers = [page.inner_text(f"#pair-{side}") for side in "ab"]
    page.reload()
    page.get_by_role("tab", name="Side by side").click()
    expect(page.locator("#pair-new")).to_be_enabled()
    assert [page.inner_text(f"#pair-{side}") for side in "ab"] == answers
    page.click("#pair-new")
    expect(page.locator("#pair-b .bot")).to_have_count(0)


def choose_model(page: Page, number: int) -> None:
    """Choose one of the models that the list of side by side offers."""
    page.click("#pair-models input")
    page.get_by_role("option").nth(number).click()
    page.keyboard.press("Escape")


def ask_pair(page: Page, text: str) -> None:
    """Ask both chosen models once more, and wait for their answers."""
    page.fill("#pair-prompt textarea", text)
    page.click("#pair-send")
    page.wait_for_function("document.querySelectorAll('#pair-b .user').length >= 2")
    expect(page.locator("#pair-new")).to_be_enabled()


def test_the_app_is_another_origin_that_cannot_act_with_the_cookies_of_the_arena(page, served):
    context = page.context
    sent = """url => fetch(url, {method: "POST", credentials: "include", headers: {"content-type": "application/json"},
      body: '{"prompt": "x", "terms": 1}'}).then(reply => reply.status, String)"""
    assert "Failed to fetch" in page.evaluate(sent, f"{served.arena.url}/api/v1/battles"), "its policy forbids it"
    apart = context.new_page()  # without the policy the arena still refuses
    apart.route(f"{served.url}/apart", lambda route: route.fulfill(body="<p>apart</p>", content_type="text/html"))
    # Another port is the same site: the cookie of an operator's sitting is sent along, whatever its SameSite says.
    sitting = {"name": "arena_operator", "value": "sitting", "domain": "127.0.0.1", "path": "/api/v1/operator"}
    context.add_cookies([{**sitting, "httpOnly": True, "sameSite": "Strict"}])
    form = """url => { document.body.innerHTML = `<form method=post enctype=text/plain target=_self action="${url}">
      <input name=x></form>`; document.forms[0].submit(); }"""
    for path in ("/battles", "/operator/endpoints/1/approve"):
        apart.goto(f"{served.url}/apart")
        with apart.expect_response(f"**/api/v1{path}") as answered:
            apart.evaluate(form, f"{served.arena.url}/api/v1{path}")
        assert (answered.value.status, answered.value.json()["code"]) == (403, "cross_origin")
        if path != "/battles":
            assert "arena_operator=sitting" in answered.value.request.all_headers()["cookie"]
    apart.goto(f"{served.url}/apart")
    read = "url => fetch(url, {credentials: 'include'}).then(reply => reply.status, String)"
    assert "Failed to fetch" in apart.evaluate(read, f"{served.arena.url}/api/v1/operator/endpoints")
    headers = {"origin": served.url, "sec-fetch-site": "same-site", "content-type": "application/json"}
    reply = httpx2.post(f"{served.arena.url}/api/v1/battles", json={"prompt": "x", "terms": 1}, headers=headers)
    assert (reply.status_code, reply.json()["code"]) == (403, "cross_origin")


def test_a_visitor_without_storage_asks_votes_and_sees_the_names(context, served):
    """As Chromium with all site data blocked: each access to the storage throws, and no cookie is stored."""
    errors: list[str] = []
    context.add_init_script(NO_STORAGE)
    context.on("weberror", lambda error: errors.append(str(error.error)))
    page = visit(context, served.url)
    ask(page, "What is 17 × 23?")
    ready(page)
    ask(page, "And 3 + 4?", agree=False)
    page.wait_for_function("document.querySelectorAll('#battle-b .user').length >= 2")
    ready(page)
    page.click("#vote-a")
    expect(page.locator("#battle-after")).to_contain_text("You chose A")
    expect(page.locator("#battle-trouble")).to_be_empty()
    page.reload()  # each load is a new voter, who is asked for the terms and has no battle
    expect(page.get_by_label("I have read this and agree")).to_be_visible()
    expect(page.locator("#agree input")).not_to_be_checked()
    expect(page.locator("#battle-after")).to_be_empty()
    ask(page, "What is 2 + 2?")
    ready(page)
    assert context.cookies() == []
    assert errors == []


def test_the_board_of_a_category_has_its_own_rows_plot_and_digest(page, served, tmp_path):
    questions = ("Write a Python function that sorts a list.", "Write a short poem about a river.")
    rows = [
        {
            "model_a": a,
            "model_b": b,
            "winner": f"model_{'ab'[(a < b) == (number % 3 == 0)]}",
            "judge": f"person {number % 7}",
        }
        | {"conversation_a": [{"role": "user", "content": question}], "turn": 1, "tstamp": 1.7e9 + number}
        for number in range(12)
        for question, names in zip(questions, (("ibis", "kite", "lark", "wren"), ("ibis", "kite")), strict=True)
        for a, b in permutations(names, 2)
    ]
    (tmp_path / "battles.json").write_text(json.dumps(rows))
    data = served.arena.folder / "arena-data"
    imported = run_command(data, "votes", "import", str(tmp_path / "battles.json"), "--with-texts")
    assert imported.returncode == 0, imported.stdout
    address = f"{served.arena.url}/api/v1/leaderboard"
    until(lambda: any(part["category"] == "code" for part in httpx2.get(address).json()["boards"]))
    code = httpx2.get(address, params={"category": "code"}).json()
    page.get_by_role("tab", name="Leaderboard").click()
    page.click("#board-category input")
    page.get_by_role("option", name="Code", exact=True).click()
    digests = [part["digest"] for part in code["boards"] if (part["category"], part["language"]) == ("code", "")]
    expect(page.locator("#board-when code")).to_have_text(digests)
    plot = page.locator("#board-picture svg")
    expect(plot.locator("circle")).to_have_count(len(code["rows"]))
    assert plot.get_attribute("aria-label") == "Ratings with 95 % intervals"
    names = [row["name"] for row in code["rows"]]
    assert plot.locator("text").all_text_contents() == names
    assert set(names) == {"ibis", "kite", "lark", "wren"}
    table = page.locator("#board-table")
    for row in code["rows"]:
        shown = re.compile(f"{row['name']} imported {round(row['score'])} {round(row['score_low'])} ")
        expect(table.get_by_role("row", name=shown).first).to_be_attached()


def test_a_killed_app_loses_neither_a_battle_nor_a_vote_whose_answer_never_came(context, second_context, served):
    page = visit(context, served.url)
    ask(page, "What is 17 × 23?")
    ready(page)
    before = votes(served)
    page.route("**/gradio_api/queue/data**", lambda route: route.abort())  # by it the page would learn of the answer
    page.click("#vote-b")
    until(lambda: votes(served) == before + 1)
    other = visit(second_context, served.url)
    ask(other, "What is 17 × 23?")
    other.wait_for_selector("#battle-a .user")
    kill_app(served)
    assert page.inner_text("#battle-after").strip() == ""
    page.unroute_all(behavior="ignoreErrors")
    assert opened(served.arena).rstrip("/") == served.url, "the same port, and so the same storage of browsers"
    page.reload()
    expect(page.locator("#battle-after")).to_contain_text("You chose B")
    expect(page.locator("#vote-a")).to_be_disabled()
    ask(page, "What is 2 + 2?", agree=False)  # the next question opens the next battle
    expect(page.locator("#battle-a .user")).to_have_count(1)
    ready(page)
    assert votes(served) == before + 1
    other = visit(second_context, served.url)
    ready(other)
    other.click("#vote-b")
    expect(other.locator("#battle-after")).to_contain_text("You chose B")


def votes(served: Served) -> int:
    """The number of rows in the arena's log."""
    with closing(sqlite3.connect(served.arena.folder / "arena-data" / "arena.db")) as database:
        return database.execute("SELECT count(*) FROM votes").fetchone()[0]


def cut_last_answer(served: Served) -> None:
    """Let the newest answer of side b have ended at its length limit, of which the page is told after the vote."""
    newest = "(SELECT max(id) FROM replies WHERE side = 'b')"
    with closing(sqlite3.connect(served.arena.folder / "arena-data" / "arena.db")) as database, database:
        database.execute(f"UPDATE replies SET finish = 'length' WHERE id = {newest}")  # noqa: S608 - no value in it


def kill_app(served: Served) -> None:
    """Kill the process that listens at the app's port, which is a child of the arena."""
    (app,) = apps(served.arena)
    os.kill(app, signal.SIGKILL)
    until(lambda: httpx2.get(f"{served.arena.url}/gradio").status_code == 503)
