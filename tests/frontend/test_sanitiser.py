"""What a hostile answer can do to the page: nothing, even with the page's second wall, its CSP, taken away."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from arena.domain.terms import Side

from .canary import Canary
from .conftest import until
from .fake_api import FakeArena
from .hostile import PAYLOADS, payloads_for, random_texts

pytestmark = pytest.mark.browser

PAINT = """async ([texts, links]) => {
  const message = (text) => ({role: "assistant", content: [{type: "text", text}], metadata: null, options: null});
  const engine = document.querySelector("script-path").dataset.src;
  const {sanitise} = await import(engine.replace("battle.js", "sanitiser.js"));
  const clean = texts.map((text) => sanitise(text, { links }));
  document.documentElement.dataset.phase = "ready";
  window.arena.columns = () => [clean.map(message), []];
  window.arena.paint();
  const boxes = () => document.querySelectorAll("#chat_a .bot .message-content");
  const painted = (box) => box.querySelector(".md")?.textContent.trim() || true;
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  for (let tries = 0; tries < 200 && boxes().length !== texts.length; tries++) await pause(20);
  await pause(80);
  const last = [...boxes()].at(-1);
  return [boxes().length, last ? painted(last) : ""];
}"""

FIND = """() => {
  const allowed = new Set(("P BR STRONG EM DEL CODE PRE SPAN A UL OL LI H1 H2 H3 H4 H5 H6 BLOCKQUOTE TABLE THEAD"
    + " TBODY TR TH TD HR DIV SUB SUP KBD MARK").split(" "));
  const classes = /^(language-|token|code_wrap|md|chatbot|prose|svelte-|latex|katex|contains-task|task-)/;
  const found = [];
  for (const node of document.querySelectorAll("#chat_a .message-content *, #chat_b .message-content *")) {
    if (node.closest(".katex, .katex-error, .code_wrap > button")) continue;
    const box = node.tagName === "INPUT" && node.type === "checkbox" && node.disabled;
    if (!box && !allowed.has(node.tagName)) found.push(node.outerHTML.slice(0, 200));
    for (const {name, value} of node.attributes) {
      if (name === "id" || name === "style" || name === "src" || name.startsWith("on")) found.push(`${name}=${value}`);
      if (name === "class" && !classes.test(value)) found.push(`class=${value}`);
    }
  }
  for (const node of document.querySelectorAll("#chat_a .katex *, #chat_b .katex *"))
    if (node.matches("img, [id], iframe")) found.push(node.outerHTML.slice(0, 200));
  for (const node of document.querySelectorAll(":is(#chat_a, #chat_b) :is([href], [*|href], [draggable=true])"))
    found.push(node.outerHTML.slice(0, 200));
  return found;
}"""


LINKS = "() => [...document.querySelectorAll('#chat_a a, #chat_b a')].map((link) => link.outerHTML.slice(0, 200))"


@pytest.fixture(scope="module")
def bare(browser: Browser) -> Iterator[BrowserContext]:
    """A visitor whose pages have no CSP."""
    with browser.new_context(locale="en-US", bypass_csp=True) as context:
        yield context


@pytest.fixture
def without_csp() -> bool:
    return True


@pytest.fixture
def runtime(
    without_csp: bool,  # noqa: FBT001 - a fixture
    bare: BrowserContext,
    context: BrowserContext,
    address: str,
) -> Iterator[Page]:
    """The battle page without its CSP, so that the sanitiser is seen to hold alone."""
    with (bare if without_csp else context).new_page() as page:
        page.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
        page.goto(address)
        until(page, "!!window.arena")
        yield page


def prefixes(text: str, step: int) -> list[str]:
    """Every `step`-th prefix, the whole text among them."""
    return [text[:end] for end in range(len(text), 0, -step)]


@pytest.mark.parametrize(
    ("links", "step"),
    [(False, 29), (True, 61), *(pytest.param(links, 1, marks=pytest.mark.heavy) for links in (False, True))],
)
def test_no_prefix_of_a_hostile_answer_reaches_out_or_leaves_an_element(
    runtime: Page, canary: Canary, *, links: bool, step: int
) -> None:
    assert len(PAYLOADS) >= 71
    for payload in payloads_for(canary.url):
        texts = prefixes(payload, step)
        count, shown = runtime.evaluate(PAINT, [texts, links])
        assert count == len(texts), payload
        assert shown, payload
        assert runtime.evaluate(FIND) == [], payload
        assert links or runtime.evaluate(LINKS) == [], payload
    assert canary.paths == []


@pytest.mark.parametrize("count", [500, pytest.param(4_000, marks=pytest.mark.heavy)])
def test_no_mixture_of_markup_reaches_out_or_leaves_an_element(runtime: Page, canary: Canary, count: int) -> None:
    texts = random_texts(count, seed=20_25, canary=canary.url)
    for start in range(0, len(texts), 100):
        part = [text or "x" for text in texts[start : start + 100]]
        painted, _ = runtime.evaluate(PAINT, [part, False])
        assert painted == len(part)
        found = runtime.evaluate(FIND) + runtime.evaluate(LINKS)
        if found:
            culprits = [
                text
                for text in part
                if runtime.evaluate(PAINT, [[text], False]) and runtime.evaluate(FIND) + runtime.evaluate(LINKS)
            ]
            pytest.fail(f"{found[:3]} from {culprits[:2]!r}")
    assert canary.paths == []


@pytest.mark.parametrize("without_csp", [True, False])
def test_without_the_sanitiser_a_picture_calls_home_unless_the_csp_stops_it(
    runtime: Page, canary: Canary, *, without_csp: bool
) -> None:
    """So silence in the tests above means something, and each wall holds alone."""
    runtime.evaluate(
        """(url) => {
          const content = [{type: "text", text: `![x](${url}/heard.png)`}];
          document.documentElement.dataset.phase = "ready";
          window.arena.columns = () => [[{role: "assistant", content}], []];
          window.arena.paint();
        }""",
        canary.url,
    )
    runtime.wait_for_selector("#chat_a .message-content img", state="attached")
    runtime.wait_for_timeout(500)
    assert canary.paths == (["/heard.png"] if without_csp else [])


def test_code_and_formulae_stay_what_they_were(runtime: Page) -> None:
    text = (
        "Use `List<String> a = b[0] | c` and ``x ` y``.\n\n"
        "1. First\n\n   ```python\n   if a < b and c > d:\n       print(f\"{a}\", '$x$', `1`)\n   ```\n\n"
        "2. Second: $a < b$ and $$\\frac{1}{2}$$\n\n"
        "It costs $5 and $10, x<br>y, a < b, **bold** ![alt](http://127.0.0.1:9/x.png) <https://example.org/a?b=1>\n\n"
        "| a | b |\n|---|---|\n| `x|y` | \\(z\\) |\n"
    )
    runtime.evaluate(PAINT, [[text], True])
    box = runtime.locator("#chat_a .message-content").last
    expect(box.locator(".katex")).to_have_count(3)
    expect(box.locator("pre code")).to_have_text(
        "if a < b and c > d:\n    print(f\"{a}\", '$x$', `1`)\n", use_inner_text=True
    )
    inline = [code.inner_text() for code in box.locator(":not(pre) > code").all()]
    assert inline == ["List<String> a = b[0] | c", "x ` y", "x|y"]
    assert box.locator("a").all_inner_texts() == ["alt (http://127.0.0.1:9/x.png)", "https://example.org/a?b=1"]
    assert box.locator("table td").count() == 2
    plain = box.inner_text()
    assert "It costs $5 and $10" in plain
    assert "a < b, bold" in plain
    assert runtime.evaluate(FIND) == []


def test_control_and_direction_characters_are_gone(runtime: Page) -> None:
    runtime.evaluate(PAINT, [["a\u202eb\u2066c\u0000d\u001be\u200ff\ue000g\U000e0041h\u2028i"], False])
    assert runtime.locator("#chat_a .message-content").last.inner_text().strip() == "abcde\u200ffgh\ni"


def test_votes_stay_clickable_under_a_hostile_answer(page: Page, fake: FakeArena, canary: Canary) -> None:
    bad = "\n\n".join(payloads_for(canary.url))
    fake.answers = dict.fromkeys(Side, bad)
    fake.pace = 0.001
    page.goto("/")
    page.fill("#prompt textarea", "go")
    page.press("#prompt textarea", "Enter")
    page.wait_for_selector("#vote_b:not([disabled])", timeout=60_000)
    page.click("#vote_b")
    page.wait_for_selector("#reveal-box .a-card")
    assert fake.votes[0][2] == "b"
    assert page.evaluate(FIND) == []
    assert canary.paths == []
