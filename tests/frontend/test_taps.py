"""On a phone a finger reaches every control of every page, wherever the page is scrolled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, Page

from . import fake_owners, page_steps
from .conftest import Visit
from .fake_api import FakeArena, create
from .fake_owners import FakeOwners
from .page_steps import BATTLE, OPERATOR, OWNER, PUBLIC, SECOND, Step
from .serving import Door
from .taps import missed

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("address")]

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


def out_of_reach(phone: Page, fake: FakeArena, states: Iterable[tuple[str, Step]]) -> list[str]:
    """What is missed in each state, one after the other in one tab."""
    found: list[str] = []
    for name, state in states:
        state(phone, fake)
        found += [f"{name}, {line}" for line in missed(phone)]
    return found


@pytest.mark.parametrize("walk", PUBLIC)
def test_every_control_of_a_public_page_can_be_tapped(phone: Page, fake: FakeArena, walk: str) -> None:
    states = [*PUBLIC[walk]]
    if walk == "battle":
        states.insert(1 + [name for name, _ in BATTLE].index("before the vote"), SECOND)
    assert out_of_reach(phone, fake, states) == []


def test_every_control_of_owners_and_of_the_operator_can_be_tapped(phone: Page, fake: FakeArena) -> None:
    assert out_of_reach(phone, fake, [*OWNER, *OPERATOR]) == []
