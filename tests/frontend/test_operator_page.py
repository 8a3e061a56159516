"""The operator's page in a real browser, against the contract."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from frontend.gate import Gate

from .fake_owners import OPERATOR_KEY, UNREACHABLE, FakeOwners, create, now, stats
from .serving import serve
from .test_access import faults

pytestmark = pytest.mark.browser


@pytest.fixture
def owners() -> FakeOwners:
    return FakeOwners()


@pytest.fixture
def address(owners: FakeOwners, pages: Gate) -> Iterator[str]:
    app = create(owners)
    app.mount("/", pages)
    with serve(app) as served:
        yield served


@pytest.fixture
def operator(page: Page, owners: FakeOwners) -> Page:
    """Signed in, with one model that waits and one that health suspended."""
    owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron")
    ill = owners.begin(name="Magpie", url="https://m.example/v1", wire_model="magpie")
    owners.move(
        ill, "suspended", "8.8% of the last 200 calls failed, more than 5%; most often with timed_out", "health"
    )
    ill |= {
        "stats": stats(400),
        "health": {"state": "open", "since": now(), "in_flight": 2},
        "fingerprint": {"checked_at": now(), "p_value": 0.0001, "flagged": True},
    }
    sign_in(page)
    expect(page.locator("#operator-rows tr")).to_have_count(2)
    return page


def sign_in(page: Page, key: str = OPERATOR_KEY) -> None:
    page.goto("/operator")
    page.fill("#operator-in-operator_key", key)
    page.click("#operator-in button[type=submit]")


def row(page: Page, name: str) -> Locator:
    return page.locator("#operator-rows tr", has=page.locator("th strong", has_text=name))


def test_a_wrong_key_shows_nothing_and_is_not_kept(page: Page, owners: FakeOwners) -> None:
    owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron")
    sign_in(page, "o" * 40)
    expect(page.locator("#operator-in-wrong")).to_be_visible()
    assert "Heron" not in page.content()
    assert page.evaluate("sessionStorage.length") == 0


def test_the_table_shows_health_errors_and_flags_with_what_waits_on_top(operator: Page) -> None:
    expect(operator.locator("#operator-count")).to_have_text("2 models, 1 waiting for approval")
    expect(operator.locator("#operator-rows tr").first).to_contain_text("Heron")
    ill = row(operator, "Magpie")
    for told in (
        "resting after failures",
        "8.8%",
        "its answers have changed",
        "more than 5%; most often with: too slow",
    ):
        expect(ill).to_contain_text(told)


def test_approval_is_one_press(operator: Page, owners: FakeOwners) -> None:
    operator.get_by_role("button", name="Approve: Heron").click()
    expect(row(operator, "Heron").locator(".a-state")).to_have_text("In battles")
    assert owners.endpoints[1]["state"] == "active"


@pytest.mark.parametrize(("act", "state"), [("Suspend", "suspended"), ("Retire", "retired")])
def test_what_hurts_an_owner_is_asked_with_a_reason(operator: Page, owners: FakeOwners, act: str, state: str) -> None:
    button = operator.get_by_role("button", name=f"{act}: Heron")
    button.click()
    operator.keyboard.press("Escape")
    assert owners.endpoints[1]["state"] == "pending"
    button.click()
    operator.fill("#confirm-reason", "It answers with adverts.")
    operator.click("dialog [data-name=confirm]")
    expect(row(operator, "Heron")).to_contain_text("It answers with adverts.")
    assert owners.endpoints[1]["state"] == state


def test_what_was_suspended_is_resumed(operator: Page, owners: FakeOwners) -> None:
    operator.get_by_role("button", name="Resume: Magpie").click()
    expect(row(operator, "Magpie").locator(".a-state")).to_have_text("In battles")
    assert owners.asked[-1] == ("POST", "/operator/endpoints/2/resume", None)


def test_a_draft_says_what_its_probe_met(page: Page, owners: FakeOwners) -> None:
    owners.report = UNREACHABLE
    owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron")
    sign_in(page)
    expect(row(page, "Heron")).to_contain_text("A sentence of the server that says what to do.")


def test_signing_out_forgets_the_key(operator: Page) -> None:
    kept: Any = operator.evaluate("JSON.stringify({...localStorage}) + document.cookie + location.href")
    assert OPERATOR_KEY not in kept
    operator.click("[data-name=signout]")
    expect(operator.locator("#operator-in")).to_be_visible()
    assert operator.evaluate("sessionStorage.length") == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault_in_the_table(operator: Page, axe: str, scheme: str) -> None:
    operator.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    assert faults(operator, axe) == []


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_sticks_out(operator: Page, width: int) -> None:
    operator.set_viewport_size({"width": width, "height": 800})
    assert operator.evaluate("document.documentElement.scrollWidth") <= width
