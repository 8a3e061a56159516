"""The page of public question sets in a real browser, with the real API and a database of sets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from playwright.sync_api import Page, expect

from arena.adapters.store.engine import Database
from arena.evaluations.usecases.sets import importer, sets
from arena_frontend.asgi import Site
from tests.conftest import START
from tests.evaluations.usecases.sets.files import own, read

from .real_api import complete, real_api
from .serving import SharedServer

HOSTILE = "<img src=x onerror=alert(1)> 7 × 8?"
SUMS = 52
"""More than a page has."""


def sums(number: int) -> list[dict[str, Any]]:
    return [
        {"id": f"sum-{n}", "turns": [f"{n} + {n}?"], "area": "Mathematics", "category": "calculation"}
        for n in range(number)
    ]


CLOSED = {
    "id": "roots",
    "turns": [HOSTILE],
    "area": "Mathematics",
    "options": ["54", "56"],
    "key": "B",
    "reference": "56",
}
SEVERAL = {"id": "talk", "turns": ["Who was Ada?", "And Grace?"], "area": "History", "category": "People"}
PLAN = [{"area": "Mathematics", "category": "calculation", "task": "Primes", "questions": 4}]
SETS = {
    "sums": own(*sums(SUMS), CLOSED, SEVERAL, name="sums"),
    "talks": own(SEVERAL | {"turns": ["艾达是谁？"]}, name="talks", language="zh"),
    "tasks": own(*(row | {"task": f"Task {row['id'][-1]}"} for row in (*sums(7), CLOSED)), name="tasks", plan=PLAN),
}


async def publish(database: Database, *, public: bool) -> None:
    for name in SETS:
        await sets.publish(database, name, public=public)


async def fill(database: Database, folder: Path) -> None:
    for name, content in SETS.items():
        result = read(folder / f"{name}.jsonl", content)
        await importer.import_set(database, result.facts, result.questions, START)
    await publish(database, public=True)


@pytest.fixture(scope="module")
def app(empty_database: Path, pages: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    folder = tmp_path_factory.mktemp("questions")
    file = folder / "arena.db"
    file.write_bytes(empty_database.read_bytes())
    with real_api(f"sqlite:///{file}", pages) as app:
        complete(fill(app.state.runtime.database, folder))
        yield app


@pytest.fixture
def address(app: FastAPI, door: SharedServer) -> Iterator[str]:
    with door.holding(app) as address:
        yield address


def shown(page: Page):
    return page.locator(".a-set-question summary .a-set-prompt")


def test_a_set_shows_its_tree_with_counts_and_a_question_is_read_as_text(page: Page) -> None:
    page.goto("/about")
    page.goto("/questions")
    expect(page.locator(".a-set-area")).to_have_text([f"Mathematics {SUMS + 1}", "History 1"])
    expect(page.locator(".a-set-leaf")).to_have_text([f"Calculation {SUMS}", "Without a name 1", "People 1"])
    expect(page.locator("#questions")).to_contain_text(f"{SUMS + 2} questions")
    page.click(".a-set-leaf >> text=Without a name")
    expect(shown(page)).to_have_text([HOSTILE])
    page.click(".a-set-question summary")
    expect(page.locator(".a-set-question")).to_contain_text("A. 54\nB. 56")
    expect(page.locator("#questions img")).to_have_count(0)


def test_tasks_stand_below_the_category_that_is_chosen_with_numbers_planned(page: Page) -> None:
    page.goto("/questions?set=tasks")
    expect(page.locator(".a-set-task")).to_have_count(0)
    expect(page.locator(".a-set-area").first).to_have_text("Mathematics 8 of 4 planned")
    page.click(".a-set-leaf >> text=Calculation")
    expect(page.locator(".a-set-task").last).to_have_text("Primes 0 of 4 planned")
    page.click(".a-set-task >> text=Task 3")
    expect(shown(page)).to_have_text(["3 + 3?"])


def test_filters_narrow_the_list_and_stay_in_the_address(page: Page) -> None:
    page.goto("/questions")
    page.select_option("[aria-label='Number of turns']", "several")
    expect(shown(page)).to_have_text(["Who was Ada?"])
    expect(page.locator("#questions")).to_contain_text("1 question")
    page.select_option("[aria-label='Number of turns']", "")
    page.click(".a-set-area >> text=Mathematics")
    page.fill("input[type=search]", "7 + 7")
    page.press("input[type=search]", "Enter")
    expect(shown(page)).to_have_text(["7 + 7?"])
    expect(page).to_have_url(re.compile(r"area=Mathematics.*q=7"))
    page.reload()
    expect(shown(page)).to_have_text(["7 + 7?"])
    expect(page.locator(".a-set-area[aria-current]")).to_have_text([f"Mathematics {SUMS + 1}"])
    page.fill("input[type=search]", "")
    page.press("input[type=search]", "Enter")
    expect(page).to_have_url(re.compile(r"area=Mathematics(?!.*q=7)"))
    page.click("#set-tree .a-link")
    expect(page.locator("#questions")).to_contain_text(f"{SUMS + 2} questions")
    page.click(".a-set-steps a")
    expect(shown(page).first).to_have_text("50 + 50?")


def test_the_set_in_the_readers_language_comes_first_and_another_can_be_chosen(page: Page) -> None:
    page.goto("/questions?lang=zh")
    expect(page.locator("h1")).to_have_text("题集")
    expect(shown(page)).to_have_text(["艾达是谁？"])
    page.select_option("#set-choice", "tasks")
    expect(shown(page).first).to_have_text("0 + 0?")


def test_without_a_public_set_the_page_says_so(page: Page, app: FastAPI) -> None:
    database = app.state.runtime.database
    complete(publish(database, public=False))
    page.goto("/questions")
    expect(page.locator("#sets")).to_have_text("There is no public question set yet.")
    complete(publish(database, public=True))
