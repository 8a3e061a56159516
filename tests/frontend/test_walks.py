"""Every state of every page, each visited once: a finger reaches each control, a Chinese page has no word of English
left, and axe-core finds no fault.

The pages are those of a phone. For axe-core the window is a phone's in one state and a desk's in the next; every window
and scheme in every state, and the other languages, are left to `-m heavy`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, Page

from arena_frontend import template_pages

from . import fake_owners, page_steps
from .conftest import Visit
from .fake_api import FakeArena, create
from .fake_owners import FakeOwners
from .page_steps import OPERATOR, OWNER, PICTURES, PUBLIC, SECOND, TWO_ANSWERS, Walk
from .screens import SCREENS, Looks, faults_in, look
from .serving import SharedServer
from .taps import missed_controls

pytestmark = pytest.mark.usefixtures("address")

FAULTS = """<!doctype html><style>body {margin: 0} * {line-height: 20px}</style>
<a href="#" style="position: absolute; top: -200px">skip link that focus does not show</a>
<header style="position: sticky; top: 0; height: 50px; background: white; z-index: 1"><button>head</button></header>
<button>free</button> <button disabled>disabled</button>
<label>ticked <input type="checkbox" style="opacity: 0"></label>
<details><summary>closed</summary><button>inside</button></details>
<button id="covered">covered</button><div style="position: relative; height: 30px; margin-top: -30px"></div>
<h2 style="position: sticky; top: 60px; margin-top: 1000px; z-index: 3; background: white">Model B</h2>
<div style="height: 1900px"></div>
<footer style="position: sticky; bottom: 0; z-index: 2; background: white"><button id="vote">vote</button></footer>"""

TEXT = """() => {
  const data = "script, style, .a-answer, .a-prompt, .katex, code, pre, select, [lang=en], textarea";
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walk.nextNode()) {
    const { data: text, parentElement: part } = walk.currentNode;
    if (!part.closest(data) && part.checkVisibility()) found.push(text);
  }
  for (const name of ["aria-label", "title", "placeholder", "alt"])
    for (const part of document.querySelectorAll(`[${name}]`))
      if (!part.closest(data) && part.checkVisibility()) found.push(part.getAttribute(name));
  return found.map((text) => text.trim()).filter(Boolean);
}"""
"""What a reader sees or hears of the page itself, without answers, code and formulae."""

WORD = re.compile(r"[A-Za-z][A-Za-z'-]+")
METHODS = "Bradley Terry Elo Cohen kappa Fleiss Krippendorff alpha Gwet AC Davidson Kendall Pearson Spearman SHA ALTCHA"
ARENAS = "Chatbot Arena CArena CLOSE OPEN SuperCLUE LLMEval TencentLLMEval"
UNITS = "Gradio API CSV JSON UTC token exp Alt Backspace Enter Shift Cookie Python NLP Apache MIT CC BY English"
FORMS = "Base URL HTTPS POST Standard Webhooks Chat Completions Markdown KB MB JPEG PNG WebP Open WebUI gzip Top p"
PROPER = {*METHODS.split(), *ARENAS.split(), *UNITS.split(), *FORMS.split()}
"""Names of methods, arenas, licences, keys, formats and units."""
SAMPLES = [
    r"(model|abacus|exam|spring|heron|pooled|understanding)[\w/-]*(: key)?|elo-shuffled\+bt|quiet/newcomer|newcomer",
    r"(Heron|A|B) Labs|Open Collective|HL|OC|Loud Magpie|Quiet Heron|Calm Otter|nobody|Rayleigh scattering|Geography",
    r"always-[ab]|referee|taste|grades|class of 2026",
    r"capabilities(/rules/2)?|Coding|Reasoning|Writing|writing|code|score",
    re.escape(page_steps.QUESTION),
    r"SELECT name FROM users WHERE age > \(SELECT AVG.*",
    r"[\w/+]{20,}=*",
    r"spam of one evening|wren",
    r"leaderboard\.(csv|json)|votes\.jsonl",
    r"https?://\S*|\S+@heron\.example|#[0-9a-f]{6}|ARENA_OPERATOR_KEY|Ada Lovelace|Heron|[Mm]agpie|plover",
    r"\b(ar|de|en|es|fr|hi|id|it|ja|ko|nl|pl|pt|ru|th|tr|vi|zh(-TW)?)\b",
    r"“arena [a-z ]+”",
    r"line 7: winner: missing|Open WebUI takes one pass of Elo\.|A class voted\.",
    r"probe (began|passed)|registered|approved",
    r"consistency 0.42 over 12 answers, below 0.60",
]
"""What the small server's samples are called, languages' codes and commands; the last two are stored sentences."""
DATA = re.compile("|".join(SAMPLES))


@pytest.fixture
def fake() -> FakeArena:
    fake = page_steps.arena()
    assert fake.board
    owners = ["Arena demo", "imported"]
    rows = [row.model_copy(update={"owner": owners[n % 2]}) if n % 4 else row for n, row in enumerate(fake.board.rows)]
    fake.board = fake.board.model_copy(update={"rows": rows})
    return fake


@pytest.fixture(scope="module")
def owners() -> FakeOwners:
    return page_steps.owners()


@pytest.fixture
def app(fake: FakeArena, owners: FakeOwners) -> FastAPI:
    app = create(fake)
    app.router.routes.extend(fake_owners.create(owners).router.routes)
    return app


@pytest.fixture(scope="module")
def phone(browser: Browser, door: SharedServer, axe: str) -> Iterator[Page]:
    """A tab of a phone, which keeps the scripts from one test to the next, and has axe-core in every page."""
    with browser.new_context(
        base_url=door.address, locale="en-US", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    ) as context:
        context.add_init_script(axe)  # sent once; half a megabyte for each page takes 50 ms
        yield Visit.begin(context).page


def left(texts: list[str]) -> dict[str, str]:
    """English words, each with a text that has it."""
    found = {word: text for text in texts for word in WORD.findall(DATA.sub(" ", text))}
    return {word: text[:80] for word, text in found.items() if not PROPER.issuperset(filter(None, word.split("-")))}


LOOKS: Looks = (("telephone", "light"), ("desktop", "dark"))
"""The first is that of the steps: each change of the window or scheme has the whole page laid out and painted anew."""
EVERY_LOOK: Looks = (*LOOKS, ("telephone", "dark"), ("desktop", "light"))


PASSED = frozenset(
    {"running", "second answer", "after the vote", "remarks", "mine", "models again", "model of an owner"}
    | {"direct, answered", "side by side, answered", "scrolled", "category"}
)
"""States of which axe-core sees everything in a later one."""


def wrong(page: Page, fake: FakeArena, axe: str, walk: Walk, looks: Looks = ()) -> list[str]:
    """What is wrong in each state of a walk, in one tab; without `looks` each state has the next of two."""
    found: list[str] = []
    for number, (name, step) in enumerate(walk):
        look(page, "telephone", "light")
        step(page, fake)
        about = missed_controls(page)
        part = ("#board-views", f"#panel-{name}") if name in PICTURES else ()
        usual = () if name in PASSED else LOOKS[number % 2 :][:1]
        about += faults_in(page, axe, looks or usual, *part)
        if page.evaluate("document.documentElement.lang").startswith("zh"):
            page.set_viewport_size(SCREENS["desktop"])
            shown = page.evaluate(TEXT)
            assert len(shown) > 10, name
            about += [f"“{word}” in {text}" for word, text in left(shown).items()]
        found += [f"{name}, {fault}" for fault in about]
    page.evaluate("sessionStorage.clear(); localStorage.clear()")
    return found


def walked(walk: str) -> Walk:
    """The states of a walk on a phone, which shows one answer at a time."""
    states: Walk = []
    for state in PUBLIC[walk]:
        states += [state, SECOND] if state[0] in TWO_ANSWERS else [state]
    return states


def speak_as(phone: Page, address: str, language: str) -> None:
    phone.context.add_cookies([{"name": "arena_lang", "value": language, "url": address}])


@pytest.mark.parametrize("walk", PUBLIC)
def test_every_state_of_a_chinese_page_can_be_tapped_has_no_english_word_and_no_fault(
    phone: Page, fake: FakeArena, axe: str, address: str, walk: str
) -> None:
    speak_as(phone, address, "zh")
    assert wrong(phone, fake, axe, walked(walk)) == []


def test_every_state_of_owners_and_of_the_operator_can_be_tapped_has_no_english_word_and_no_fault(
    phone: Page, fake: FakeArena, axe: str, address: str
) -> None:
    speak_as(phone, address, "zh")
    assert wrong(phone, fake, axe, [*OWNER, *OPERATOR]) == []


@pytest.mark.heavy
@pytest.mark.parametrize("language", ["zh", "zh-TW", "en"])
def test_every_state_of_every_page_in_each_look(
    phone: Page, fake: FakeArena, axe: str, address: str, language: str
) -> None:
    speak_as(phone, address, language)
    assert [fault for walk in PUBLIC for fault in wrong(phone, fake, axe, walked(walk), EVERY_LOOK)] == []


def test_the_check_of_taps_names_a_control_below_another_part_and_nothing_else(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.set_content(FAULTS)
    states = {line.split(" lies below")[0] for line in missed_controls(page)}
    assert states == {
        "scrolled to: a “skip link that focus does not show”",
        *(f"{state}: button#covered “covered”" for state in ("top", "scrolled to")),
        "scrolling: button#vote “vote”",
    }


def test_each_page_is_on_a_walk() -> None:
    pages = set(template_pages.PAGES.values())
    assert pages <= {name for walk in (*PUBLIC.values(), OWNER, OPERATOR) for name, _ in walk}


def test_a_word_that_nobody_has_translated_is_found() -> None:
    assert left(["所有者：imported", "模型 model-a-70b-chat，Elo 1,021"]) == {"imported": "所有者：imported"}
