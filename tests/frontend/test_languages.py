"""No English is left on a Chinese page: what the server calls something in English has a word of its own there."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, Page

from arena_frontend.board_markup import top_rows
from arena_frontend.render import PAGES
from arena_frontend.texts import texts

from . import page_steps
from .conftest import Visit
from .fake_api import FakeArena, create
from .page_steps import OPERATOR, OWNER, PUBLIC
from .serving import Door

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("address")]

TEXT = """() => {
  const data = "script, style, .message-content, .katex, code, pre, select, [lang=en], textarea";
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
ARENAS = "Chatbot Arena CArena SuperCLUE LLMEval TencentLLMEval"
UNITS = "API CSV JSON UTC token exp Alt Backspace Enter Shift Cookie Python NLP Apache MIT CC BY English"
PROPER = {*METHODS.split(), *ARENAS.split(), *UNITS.split()}
"""Names of methods, arenas, licences, keys, formats and units."""
SAMPLES = [
    r"(model|abacus|exam|spring|heron|pooled|understanding)[\w/-]*(: key)?|elo-shuffled\+bt|quiet/newcomer|newcomer",
    r"(Heron|A|B) Labs|Open Collective|HL|OC|Loud Magpie|Quiet Heron|Calm Otter|nobody|Rayleigh scattering",
    r"always-a|referee|taste|grades|class of 2026",
    r"capabilities(/rules/2)?|Coding|Writing|writing|code|score",
    re.escape(page_steps.QUESTION),
    r"SELECT name FROM users WHERE age > \(SELECT AVG.*",
    r"[\w/+]{20,}=*",
    r"spam of one evening",
    r"consistency 0.42 over 12 answers, below 0.60",
]
"""What the small server's samples are called; the last two are stored sentences: an operator's and a report's."""
DATA = re.compile("|".join(SAMPLES))


@pytest.fixture
def fake() -> FakeArena:
    fake = page_steps.arena()
    assert fake.board
    owners = ["Arena demo", "imported"]
    rows = [row.model_copy(update={"owner": owners[n % 2]}) if n % 4 else row for n, row in enumerate(fake.board.rows)]
    fake.board = fake.board.model_copy(update={"rows": rows})
    return fake


@pytest.fixture
def app(fake: FakeArena) -> FastAPI:
    return create(fake)


@pytest.fixture(scope="module")
def desk(browser: Browser, door: Door) -> Iterator[Page]:
    """A tab that keeps the scripts from one language to the next."""
    with browser.new_context(base_url=door.address, reduced_motion="reduce") as context:
        yield Visit.begin(context).page


def left(texts: list[str]) -> dict[str, str]:
    """English words, each with a text that has it."""
    found = {word: text for text in texts for word in WORD.findall(DATA.sub(" ", text))}
    return {word: text[:80] for word, text in found.items() if not PROPER.issuperset(filter(None, word.split("-")))}


@pytest.mark.parametrize("language", ["zh", pytest.param("zh-TW", marks=pytest.mark.heavy)])
def test_no_english_word_is_left_on_a_chinese_page(desk: Page, fake: FakeArena, address: str, language: str) -> None:
    desk.context.add_cookies([{"name": "arena_lang", "value": language, "url": address}])
    found: dict[str, dict[str, str]] = {}
    for walk in PUBLIC.values():
        for name, step in walk:
            step(desk, fake)
            desk.wait_for_timeout(150)
            shown = desk.evaluate(TEXT)
            assert len(shown) > 10, name
            if words := left(shown):
                found[name] = words
        desk.evaluate("sessionStorage.clear(); localStorage.clear()")
    assert found == {}


def test_each_page_is_on_a_walk() -> None:
    """Those of owners and operators have the words of the API's fields, so no language is asked of them."""
    assert set(PAGES.values()) <= {name for walk in (*PUBLIC.values(), OWNER, OPERATOR) for name, _ in walk}


def test_a_word_that_nobody_has_translated_is_found() -> None:
    assert left(["所属方：imported", "模型 model-a-70b-chat，Elo 1,021"]) == {"imported": "所属方：imported"}


def test_the_first_bytes_of_a_board_name_owners_in_the_readers_language(fake: FakeArena) -> None:
    assert fake.board
    for language, words in {
        "en": ("Arena demo", "imported"),
        "zh": ("竞技场演示", "导入"),
        "zh-TW": ("競技場示範", "匯入"),
    }.items():
        assert all(f"<small>{word}</small>" in top_rows(texts(language), fake.board) for word in words)
