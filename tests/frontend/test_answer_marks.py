"""Answers as a reader sees them in a real browser: emphasis, tables, lists, code, ink and measure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from arena.domain.terms import Side

from .canary import Canary
from .conftest import until
from .fake_api import FakeArena
from .hostile import payloads_for
from .screens import LOOKS, Looks, faults_in, speak
from .test_battle_page import ask, begin, load, ready
from .test_sanitiser import FIND

pytestmark = [pytest.mark.browser, pytest.mark.resting]

SNIPPETS: list[tuple[str, list[str], list[str]]] = json.loads(
    (Path(__file__).parent / "emphasis.json").read_text(encoding="utf-8")
)
"""What models write, with what is to be bold and what slanted."""

HARD: list[tuple[str, dict[str, int], str]] = json.loads(
    (Path(__file__).parent / "hard_answers.json").read_text(encoding="utf-8")
)
"""What models write, with how many elements it leads to, and the signs that are no mark there."""
RAW = ("*", "__", "`", "<", "$", "|", "#", "[^", "[!", "==", "\\", "~~", "]:", "[ ]", "&")
"""Marks that nobody should see."""
BLOCKS = """(names) => [...document.querySelectorAll("#chat_a .bot-row")].map((row, place) => {
  const count = (name) => [name, row.querySelectorAll(`.prose ${name}`).length];
  const copy = row.cloneNode(true);
  copy.querySelectorAll("code, pre, button, .katex, .code_wrap").forEach((part) => part.remove());
  return [Object.fromEntries(names[place].map(count)), copy.textContent];
})"""

PAINT = """async (texts) => {
  const engine = document.querySelector("script-path").dataset.src;
  const {columns} = await import(engine.replace("battle.js", "chatbot_messages.js"));
  document.documentElement.dataset.phase = "ready";
  window.arena.columns = () => columns(texts.map((text) => ({prompt: "?", answers: {a: text, b: "x"}})), false);
  window.arena.paint();
  const rows = () => document.querySelectorAll("#chat_a .bot-row");
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  for (let tries = 0; tries < 200 && rows().length !== texts.length; tries++) await pause(20);
  const empty = () => [...rows()].some((row) => !row.innerText.trim());
  for (let tries = 0; tries < 200 && empty(); tries++) await pause(20);
  await pause(600);
  return rows().length;
}"""

LOOK = """() => [...document.querySelectorAll("#chat_a .bot-row")].map((row) => {
  const seen = {bold: [], slanted: [], text: ""};
  let last = {};
  const walk = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const parent = walk.currentNode.parentElement;
    if (!parent.closest(".prose") || parent.closest(".katex, button")) continue;
    const style = getComputedStyle(parent);
    const text = walk.currentNode.data;
    if (!parent.closest("code")) seen.text += text;
    const heading = parent.closest("h1, h2, h3, h4, h5, h6, th") && !parent.closest("strong");
    const kinds = {bold: Number(style.fontWeight) >= 600 && !heading, slanted: style.fontStyle === "italic"};
    for (const kind of ["bold", "slanted"]) {
      const owner = parent.closest(kind === "bold" ? "strong" : "em");
      if (!kinds[kind]) last[kind] = null;
      else if (last[kind] === owner) seen[kind][seen[kind].length - 1] += text;
      else { seen[kind].push(text); last[kind] = owner; }
    }
  }
  return seen;
})"""


def shown(page: Page, text: str) -> None:
    assert page.evaluate(PAINT, [text]) == 1


@pytest.fixture
def runtime(page: Page) -> Iterator[Page]:
    """The battle page, whose columns `PAINT` fills."""
    begin(page)
    until(page, "!!window.arena")
    page.evaluate("window.own = window.arena.columns")
    yield page
    page.evaluate("window.arena.columns = window.own")


def test_emphasis_of_every_script_is_seen_and_leaves_no_mark(runtime: Page) -> None:
    assert len(SNIPPETS) >= 60
    assert runtime.evaluate(PAINT, [text for text, _, _ in SNIPPETS]) == len(SNIPPETS)
    found: list[dict[str, Any]] = runtime.evaluate(LOOK)
    wrong = [
        (text, look)
        for (text, bold, slanted), look in zip(SNIPPETS, found, strict=True)
        if look["bold"] != bold or look["slanted"] != slanted or "*" in look["text"] or "__" in look["text"]
    ]
    assert wrong == []


def test_a_hard_answer_has_its_blocks_and_no_raw_mark(runtime: Page) -> None:
    assert len(HARD) >= 80
    assert runtime.evaluate(PAINT, [text for text, _, _ in HARD]) == len(HARD)
    found: list[tuple[dict[str, int], str]] = runtime.evaluate(BLOCKS, [list(blocks) for _, blocks, _ in HARD])
    wrong = [
        (text, counts, seen)
        for (text, blocks, usual), (counts, seen) in zip(HARD, found, strict=True)
        if counts != blocks or any(mark in seen and mark not in usual for mark in RAW)
    ]
    assert wrong == []


def test_signs_that_are_no_emphasis_stay(runtime: Page) -> None:
    texts = [
        "算式 2 ** 3 和 4 ** 5 不同",
        "调用__init__方法，再调用__main__模块",
        "\\*不是强调\\*的文字",
        "文件名_日期_版本.txt",
    ]
    assert runtime.evaluate(PAINT, texts) == len(texts)
    for text, look in zip(texts, runtime.evaluate(LOOK), strict=True):
        assert (look["bold"], look["slanted"]) == ([], [])
        assert look["text"].strip() == text.replace("\\", "")


@pytest.mark.parametrize(
    ("text", "selector", "inside"),
    [
        ("H<sub>2</sub>O", "sub", "2"),
        ("10<sup>3</sup>", "sup", "3"),
        ("Press <kbd>Ctrl</kbd>.", "kbd", "Ctrl"),
        ("This ==matters== most.", "mark", "matters"),
        ("<details><summary>More</summary>\n\nInside\n\n</details>", "strong", "More"),
        ("See [one][1].\n\n[1]: https://a.example", ".bot p", "See one (https://a.example)."),
        ("> [!NOTE]\n> Mind this.", "blockquote strong", "Note"),
        ("\\begin{equation}\na = b\n\\end{equation}", ".katex-display mi >> nth=0", "a"),
    ],
)
def test_what_markdown_allows_is_shown_and_not_its_marks(runtime: Page, text: str, selector: str, inside: str) -> None:
    shown(runtime, text)
    expect(runtime.locator("#chat_a").locator(selector).first).to_have_text(inside)
    said = runtime.locator("#chat_a .bot").last.inner_text()
    assert not [mark for mark in ("<", "==", "[!") if mark in said]


def test_each_block_runs_in_the_direction_of_its_letters(runtime: Page) -> None:
    shown(runtime, "مرحبا بالعالم\n\nHello")
    assert runtime.locator("#chat_a .bot p").first.evaluate("(p) => getComputedStyle(p).unicodeBidi") == "plaintext"


def test_a_growing_answer_shows_no_mark_that_says_nothing_yet(runtime: Page) -> None:
    parts = """async ([text, growing]) => {
      const engine = document.querySelector("script-path").dataset.src;
      return (await import(engine.replace("battle.js", "sanitiser.js"))).parts(text, { growing }).join("");
    }"""
    for text, held in (("Yes.\n\n| a | b |", "Yes.\n"), ("A **bold", "A bold"), ("**a** b", "**a** b")):
        assert runtime.evaluate(parts, [text, True]) == held
        assert (runtime.evaluate(parts, [text, False]) == held) is (text == held)


def test_figures_do_not_break_and_a_wide_table_scrolls_inside_the_answer(runtime: Page) -> None:
    head = "|".join(f"Column {number}" for number in range(20))
    rows = "\n".join("|" + "|".join(f"{row},000.{cell:02} ms" for cell in range(20)) + "|" for row in range(4))
    runtime.set_viewport_size({"width": 390, "height": 844})
    shown(runtime, f"|{head}|\n|{'---:|' * 20}\n{rows}")
    table = runtime.locator("#chat_a table")
    facts = table.evaluate(
        """(table) => ({
          scrolls: table.scrollWidth > table.clientWidth + 400,
          inside: table.getBoundingClientRect().right <= innerWidth,
          lines: Math.max(...[...table.querySelectorAll("td")].map((cell) => cell.getClientRects()[0].height)),
          align: getComputedStyle(table.querySelector("td")).textAlign,
          cue: getComputedStyle(table).backgroundImage.includes("gradient"),
        })"""
    )
    assert facts["scrolls"]
    assert facts["inside"]
    assert facts["cue"]
    assert facts["align"] in {"right", "end"}
    assert facts["lines"] < 50
    assert not runtime.evaluate("document.documentElement.scrollWidth > innerWidth")
    expect(table).to_have_attribute("tabindex", "0")


def test_lists_keep_their_size_headings_have_a_scale_and_boxes_look_as_they_are(runtime: Page) -> None:
    lists = "- one\n  - two\n    - three\n\n- [x] done\n- [ ] open"
    shown(runtime, f"# A\n\n## B\n\n### C\n\n{lists}\n\nSo[^1].\n\n[^1]: Why.")
    size = "(part) => parseFloat(getComputedStyle(part).fontSize)"
    assert {runtime.locator("#chat_a li").nth(place).evaluate(size) for place in range(3)} == {16}
    scale = [runtime.locator(f"#chat_a {tag}").evaluate(size) for tag in ("h1", "h2", "h3")]
    assert scale == sorted(scale, reverse=True)
    assert len(set(scale)) == 3
    look = "(box) => getComputedStyle(box).backgroundColor"
    boxes = runtime.locator("#chat_a input[type=checkbox]")
    assert boxes.nth(0).evaluate(look) != boxes.nth(1).evaluate(look)
    assert [boxes.nth(place).get_attribute("aria-label") for place in range(2)] == ["done", "to do"]
    said = runtime.locator("#chat_a .bot-row").inner_text()
    assert "So¹." in said
    assert "¹ Why." in said
    assert "[^" not in said


def test_code_is_apart_readable_and_copied_by_a_button_with_a_name(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    speak(page, "zh-CN")
    load(page)
    until(page, "!!window.arena")
    shown(page, "```python\nprint(1)\n```\n```sql\nSELECT 2;\n```\n")
    first, second = (page.locator("#chat_a .code_wrap").nth(place) for place in range(2))
    upper, lower = first.bounding_box(), second.bounding_box()
    assert upper
    assert lower
    assert lower["y"] - (upper["y"] + upper["height"]) >= 8
    assert first.locator("code").evaluate("(code) => parseFloat(getComputedStyle(code).fontSize)") >= 13
    button = page.get_by_role("button", name="复制", exact=True).first
    assert button.evaluate("(button) => getComputedStyle(button, '::after').content") == '"复制"'
    button.click()
    expect(page.get_by_role("button", name="已复制。", exact=True)).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "print(1)"


def test_an_answer_has_full_ink_and_lines_that_can_be_read(runtime: Page) -> None:
    runtime.set_viewport_size({"width": 1600, "height": 900})
    shown(runtime, "word " * 300)
    facts = runtime.locator("#chat_a .bot-row p").evaluate(
        """(part) => {
          let opacity = 1;
          for (let at = part; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
          const whole = document.createRange();
          whole.selectNodeContents(part);
          const lines = new Set([...whole.getClientRects()].map((line) => Math.round(line.top))).size;
          const long = part.textContent.length / lines > 75;
          const style = getComputedStyle(part);
          const ink = getComputedStyle(document.documentElement).getPropertyValue("--a-ink").trim();
          const page = document.createElement("i");
          page.style.color = ink;
          document.body.append(page);
          const wanted = getComputedStyle(page).color;
          page.remove();
          return { opacity, size: style.fontSize, same: style.color === wanted, long };
        }"""
    )
    assert facts == {"opacity": 1, "size": "16px", "same": True, "long": False}


def test_a_block_that_is_finished_is_not_painted_again(runtime: Page) -> None:
    shown(runtime, "First.\n\n```python\nx = 1\n```\n\nLa")
    runtime.evaluate("window.kept = document.querySelector('#chat_a .code_wrap')")
    shown(runtime, "First.\n\n```python\nx = 1\n```\n\nLast, and more.\n\nEnd.")
    assert runtime.evaluate("window.kept.isConnected && window.kept === document.querySelector('#chat_a .code_wrap')")


def test_parts_of_a_hostile_answer_reach_out_as_little_as_the_whole(runtime: Page, canary: Canary) -> None:
    payloads = payloads_for(canary.url)
    for start in range(0, len(payloads), 12):
        part = payloads[start : start + 12]
        assert runtime.evaluate(PAINT, part) == len(part)
        assert runtime.evaluate(FIND) == [], part
    assert canary.paths == []


def test_a_page_at_rest_draws_no_frame(context: BrowserContext) -> None:
    page = context.new_page()
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script(
        """window.frames_asked = 0;
        const ask = window.requestAnimationFrame;
        window.requestAnimationFrame = (step) => { window.frames_asked += 1; return ask.call(window, step); };"""
    )
    for path in ("/about", "/"):
        page.goto(path)
        page.wait_for_selector("#foot")
        page.wait_for_timeout(1500)
        before = page.evaluate("window.frames_asked")
        page.wait_for_timeout(1000)
        assert page.evaluate("window.frames_asked") - before <= 2


RICH = (
    "## Result\n\n**注意：**先看表。\n\n| a | b |\n|---|---:|\n"
    + "| a rather long cell that wraps | 12,000 |\n" * 3
    + "\n- [x] done\n- [ ] open\n\nInline `code` and $x^2$.\n\n$$\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}$$\n\n"
    + "```python\n# a comment that is long enough to scroll sideways in a narrow column of the page, as many are\n"
    + "def f(x: int) -> str:\n    return 'text' + str(1.5)\n```\n\n"
    + "```sql\nSELECT a, count(*) FROM b WHERE c = 'd';\n```\n"
    + "\n> A quotation[^1].\n\n[^1]: Where it is from.\n"
)


@LOOKS
def test_axe_finds_no_fault_in_rich_answers(page: Page, fake: FakeArena, axe: str, looks: Looks) -> None:
    fake.answers = dict.fromkeys(Side, RICH)
    begin(page)
    ask(page)
    ready(page)
    page.wait_for_selector("#chat_b .katex")
    found = {"ready": faults_in(page, axe, looks)}
    page.click("#vote_a")
    page.wait_for_selector("#reveal-box .a-card")
    found["voted"] = faults_in(page, axe, looks)
    assert [f"{state}: {fault}" for state, wrong in found.items() for fault in wrong] == []
