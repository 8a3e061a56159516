"""The owners' page for a whole proxy: what is chosen is what is sent, and each model has its line."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from arena.domain.schemas.discovery import DiscoveryView, ListRemarkView, OfferedModelView, TwinsView

from .fake_owners import UNREACHABLE_REPORT, FakeOwners
from .resting import load_once
from .sign_in_steps import sign_in_owner

pytestmark = pytest.mark.owners
LONG = "team/" + "x" * 150


def offered(wire: str, name: str | None, *, registered: bool = False, vision: bool = False) -> OfferedModelView:
    return OfferedModelView(
        wire_model=wire,
        name=name,
        registered=registered,
        context_tokens=131_072,
        modalities=["text", "image"] if vision else ["text"],
        price_in=0.05,
        price_out=None,
    )


@pytest.fixture
def owners() -> FakeOwners:
    models = [
        offered("qwen/qwen3-8b", "qwen3-8b", vision=True),
        offered("acme/known", "known", registered=True),
        offered("acme/heron", "heron"),
        offered(LONG, None),
    ]
    remarks = [ListRemarkView(code="list_silent", title="?", count="2")]
    view = DiscoveryView(
        url="https://proxy.example/v1",
        models=models,
        gone=["plover"],
        twins=[TwinsView(first="acme/heron", second="other/heron")],
        remarks=remarks,
        calls=48,
    )
    return FakeOwners(offered=view, signed_up=True)


@pytest.fixture
def listed(page: Page, owners: FakeOwners) -> Page:
    load_once(page, lambda: page.goto("/owners"))
    page.set_checked("#signin-stay", checked=True)
    sign_in_owner(page, owners)
    page.click("#register-proxy")
    return ask(page)


def ask(page: Page) -> Page:
    page.fill("#proxy-url", "https://proxy.example")
    page.fill("#proxy-key", "sk-1")
    page.click("#proxy button[type=submit]")
    page.wait_for_selector("#proxy-models")
    return page


def test_the_list_says_what_is_new_gone_left_out_and_perhaps_one_model(listed: Page, owners: FakeOwners) -> None:
    assert owners.requests[-1][2] == {"url": "https://proxy.example", "key": "sk-1"}
    said = listed.locator("#proxy-models .a-hint").all_inner_texts()
    assert said[0] == "3 of 4 are new."
    assert said[1].startswith("Some write no text")
    assert said[2].startswith("plover is registered but no longer in the list")
    assert said[3].startswith("acme/heron and other/heron may be the same model")
    assert listed.locator("#proxy-models input[type=checkbox]").count() == 2


def test_the_chosen_models_are_sent_with_their_facts_and_the_one_key(listed: Page, owners: FakeOwners) -> None:
    listed.check("#proxy-0")
    expect(listed.locator("[data-name=register-many]")).to_contain_text("(1)")
    listed.locator("#proxy-models input[type=text]").first.fill("Qwen3 8B")
    listed.get_by_role("button", name="Register and test").click()
    listed.wait_for_selector("#proxy-results table")
    sent = next(said for method, path, said in owners.requests if path.endswith("/endpoints/batch"))
    assert sent == {
        "url": "https://proxy.example/v1",
        "key": "sk-1",
        "models": [
            {
                "name": "Qwen3 8B",
                "wire_model": "qwen/qwen3-8b",
                "context_tokens": 131_072,
                "price_in": 0.05,
                "price_out": None,
                "vision": True,
            }
        ],
    }


def test_each_model_has_one_line_of_what_is_wrong(listed: Page, owners: FakeOwners) -> None:
    owners.report, owners.taken = UNREACHABLE_REPORT, {"heron"}
    listed.get_by_role("button", name="Select all shown").click()
    listed.get_by_role("button", name="Register and test").click()
    lines = listed.locator("#proxy-results tbody tr")
    expect(lines).to_have_count(2)
    expect(lines.nth(0)).to_contain_text("A sentence of the server that says what to do.")
    expect(lines.nth(1)).to_contain_text("Another model already has this name.")
    expect(listed.locator("#proxy-results [role=status]")).to_have_text("2 of 2 done.")


def test_the_filter_hides_lines_and_choosing_all_takes_only_those_shown(listed: Page) -> None:
    listed.get_by_role("searchbox").fill("HERON")
    expect(listed.locator("#proxy-models tbody tr:visible")).to_have_count(1)
    listed.get_by_role("button", name="Select all shown").click()
    assert listed.locator("#proxy-models input:checked").count() == 1


def test_a_list_that_cannot_be_had_is_one_sentence(listed: Page, owners: FakeOwners) -> None:
    remark = ListRemarkView(code="key_wrong", title="?")
    owners.offered = DiscoveryView(url="https://proxy.example", models=[], gone=[], twins=[], remarks=[remark])
    ask(listed)
    said = listed.locator("#proxy-models .a-hint")
    expect(said).to_have_count(1)
    expect(said).to_contain_text("The server rejects the key")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_sticks_out_and_every_box_has_a_name(listed: Page, language: str) -> None:
    listed.goto(f"/owners?lang={language}#proxy")
    listed.wait_for_selector("#proxy")
    ask(listed)
    for width in (1280, 390):
        listed.set_viewport_size({"width": width, "height": 800})
        listed.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert listed.evaluate("document.documentElement.scrollWidth") <= width
    nameless = "(all) => all.filter((box) => !box.labels?.length && !box.ariaLabel).map((box) => box.outerHTML)"
    assert listed.locator(".a-page :is(input, select, textarea)").evaluate_all(nameless) == []


def test_two_names_of_one_model_are_compared_at_a_cost_that_is_said_before(listed: Page, owners: FakeOwners) -> None:
    press = listed.locator("[data-name=compare-twins]")
    expect(press).to_have_text("Compare their answers: 48 calls")
    assert not [path for _, path, _ in owners.requests if path.endswith("/twins")]
    press.click()
    expect(listed.locator("#proxy-models [role=status]").first).to_have_text(
        "They answer differently (p = 0.0002): two models."
    )
    (asked,) = [body for _, path, body in owners.requests if path.endswith("/twins")]
    assert (asked["first"], asked["second"]) == ("acme/heron", "other/heron")


def test_a_key_typed_for_another_proxy_is_not_sent_to_the_one_whose_list_is_shown(
    listed: Page, owners: FakeOwners
) -> None:
    listed.fill("#proxy-url", "https://other.example")
    listed.fill("#proxy-key", "sk-2")
    listed.check("#proxy-0")
    listed.get_by_role("button", name="Register and test").click()
    listed.wait_for_selector("#proxy-results table")
    sent = next(said for _, path, said in owners.requests if path.endswith("/endpoints/batch"))
    assert (sent["url"], sent["key"]) == ("https://proxy.example/v1", "sk-1")
