"""On a phone a finger reaches every control of every page, wherever the page is scrolled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, Page

from . import fake_owners, page_steps
from .conftest import Visit
from .fake_api import FakeArena, create
from .fake_owners import FakeOwners
from .page_steps import STEPS
from .serving import Door
from .taps import missed

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("address")]
State = Callable[[Page, FakeArena], object]

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


def test_the_check_names_a_control_below_another_part_and_nothing_else(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.set_content(FAULTS)
    states = {line.split(" lies below")[0] for line in missed(page)}
    assert states == {
        "scrolled to: a “skip link that focus does not show”",
        *(f"{state}: button#covered “covered”" for state in ("top", "scrolled to")),
        "scrolling: button#vote “vote”",
    }


@pytest.fixture
def fake() -> FakeArena:
    return page_steps.arena()


@pytest.fixture(scope="module")
def owners() -> FakeOwners:
    return page_steps.owners()


@pytest.fixture
def app(fake: FakeArena, owners: FakeOwners) -> FastAPI:
    app = create(fake)
    app.router.routes.extend(fake_owners.create(owners).router.routes)
    return app


@pytest.fixture(scope="module")
def phone(browser: Browser, door: Door) -> Iterator[Page]:
    """A tab of a phone, which keeps the scripts from one test to the next."""
    with browser.new_context(
        base_url=door.address,
        locale="en-US",
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
    ) as context:
        yield Visit.begin(context).page


def out_of_reach(phone: Page, fake: FakeArena, states: Iterable[tuple[str, State]]) -> list[str]:
    """What is missed in each state, one after the other in one tab."""
    found: list[str] = []
    for name, state in states:
        state(phone, fake)
        found += [f"{name}, {line}" for line in missed(phone)]
    return found


def steps(*names: str) -> list[tuple[str, State]]:
    return [(name, STEPS[name]) for name in names]


def press(selector: str, ready: str) -> State:
    """A state one tap away from the one before."""

    def state(page: Page, _: FakeArena) -> None:
        page.locator(selector).first.click()
        page.wait_for_selector(ready)

    return state


def ask(page: Page, _: FakeArena) -> None:
    page_steps.ask(page, page_steps.QUESTION)
    page.wait_for_selector(".a-agree")


def agree(page: Page, fake: FakeArena) -> None:
    fake.held = True
    page.click(".a-agree")
    page.wait_for_selector("html[data-phase=running]")


def end(page: Page, fake: FakeArena) -> None:
    fake.held = False
    page_steps.ready(page)


def follow_link(page: Page, _: FakeArena) -> None:
    page.goto(page.input_value(".a-share-link"))
    page.wait_for_selector("#reveal-box .a-card")


BATTLE: list[tuple[str, State]] = [
    *steps("start"),
    ("terms", ask),
    ("running", agree),
    ("before the vote", end),
    ("second answer", press("#switch [data-side=b]", "#pair[data-facing=b]")),
    ("after the vote", press("#vote_a", ".a-crowd-bar")),
    ("remarks", press(".a-remarks summary", ".a-save")),
    ("link", press("[data-act=share]", ".a-share-link")),
    ("shared", follow_link),
    *steps("mine"),
    ("forget", press("[data-act=forget]", ".a-forget")),
]


def test_every_control_of_a_battle_can_be_tapped(phone: Page, fake: FakeArena) -> None:
    assert out_of_reach(phone, fake, BATTLE) == []


def test_every_control_of_chats_and_of_images_asked_about_can_be_tapped(phone: Page, fake: FakeArena) -> None:
    states = steps("direct", "direct-answered", "side-by-side-answered", "image")
    assert out_of_reach(phone, fake, states) == []


def test_every_control_of_an_annotator_can_be_tapped(phone: Page, fake: FakeArena) -> None:
    states = steps("annotate", "annotate-pair", "annotate-said", "annotate-stars")
    assert out_of_reach(phone, fake, states) == []


def picture(name: str) -> tuple[str, State]:
    return name, press(f"#tab-{name}", f"#chart-{name} :is(li, td, svg)")


PICTURES = ("intervals", "matrix", "counts", "history", "orders", "overview", "scatter")


def test_every_control_of_the_board_and_of_a_model_can_be_tapped(phone: Page, fake: FakeArena) -> None:
    states = [
        *steps("board-note", "board-scrolled"),
        ("method", press("#board-method summary", "#board-how > *")),
        *map(picture, PICTURES),
        *steps("board-category", "board-nothing", "model"),
    ]
    assert out_of_reach(phone, fake, states) == []


def test_every_control_of_the_pages_to_read_can_be_tapped(phone: Page, fake: FakeArena) -> None:
    names = ("integrity", "questions", "evaluations", "evaluation", "evaluation-open", "judges", "predictors")
    assert out_of_reach(phone, fake, steps(*names, "about", "no-such-page")) == []


OWNER: list[tuple[str, State]] = [
    *steps("owners", "owners-models"),
    ("form", press("#register-new", "#register")),
    ("models", press(".a-back a", "#account")),
    ("model", press("#endpoint-list a", "#endpoint-state")),
    ("question of a step", press("[data-name=retire]", "dialog[open]")),
]
OPERATOR: list[tuple[str, State]] = [
    *steps("operator"),
    ("question of a step", press("#operator-rows button:has-text('Suspend')", "dialog[open]")),
]


def test_every_control_of_owners_and_of_the_operator_can_be_tapped(phone: Page, fake: FakeArena) -> None:
    assert out_of_reach(phone, fake, [*OWNER, *OPERATOR]) == []
