"""The part of the operator's page about the site: drafts, a preview that is inert, settings, and errors in one line."""

from __future__ import annotations

from typing import get_args

import pytest
from playwright.sync_api import Page, expect

from arena.domain.schemas.site import SiteChangeRequest, Tag
from arena.domain.site import SitePage

from .canary import Canary
from .fake_owners import FakeOwners
from .hostile import payloads_for
from .resting import load_once
from .sign_in_steps import show_part, sign_in_operator

pytestmark = [pytest.mark.resting, pytest.mark.owners]

OTHER = """(allowed) => [...document.querySelectorAll("#operator-page-preview *")]
  .filter((node) => !allowed.includes(node.localName)
    || [...node.attributes].some(({ name }) => !["href", "rel", "target"].includes(name))
    || !/^(https?:|mailto:|)$/.test(node.href ? new URL(node.href).protocol : ""))
  .map((node) => node.outerHTML.slice(0, 200))"""
ALLOWED = sorted(filter(None, get_args(Tag)))


@pytest.fixture
def site(page: Page) -> Page:
    load_once(page, lambda: page.goto("/operator"))
    sign_in_operator(page)
    show_part(page, "site")
    expect(page.locator("#operator-page-text")).to_be_visible()
    return page


def test_an_arena_without_an_imprint_says_so_until_one_is_published(site: Page, owners: FakeOwners) -> None:
    expect(site.locator("#operator-imprint")).to_contain_text("has no imprint")
    expect(site.locator("#operator-page-text")).to_have_value(owners.site.view().drafts[SitePage.IMPRINT]["en"])
    site.click("[data-name=page-publish]")
    expect(site.locator("#operator-page-wrong")).to_contain_text("fill in or remove > **Draft first")
    site.fill("#operator-page-text", "# We")
    site.click("[data-name=page-publish]")
    expect(site.locator("#operator-page-state")).to_have_text("Published: version 1 of 2026-01-02.")
    expect(site.locator("#operator-imprint")).to_be_hidden()
    site.select_option("#operator-page-language", "zh")
    expect(site.locator("#operator-page-state")).to_contain_text("Not published")
    site.fill("#operator-page-text", "我们")
    site.click("[data-name=page-publish]")
    expect(site.locator("#operator-page-state")).to_contain_text("version 2")
    assert owners.site.site.pages == {"imprint": {"en": "# We", "zh": "我们"}}
    site.click("[data-name=page-withdraw]")
    expect(site.locator("#operator-page-state")).to_contain_text("Not published")
    assert owners.site.site.pages == {"imprint": {"en": "# We"}}


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.heavy)])
def test_the_preview_of_hostile_markdown_is_inert(site: Page, canary: Canary, step: int) -> None:
    """Every fourth answer each day: `test_branding` gives them all to what renders pages and previews alike."""
    site.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
    for payload in payloads_for(canary.url)[::step]:
        site.fill("#operator-page-text", payload)
        with site.expect_response("**/operator/part?view=preview*"):
            site.click("[data-name=page-preview]")
        expect(site.locator("[data-name=page-preview]")).to_be_enabled()
        assert site.evaluate(OTHER, ALLOWED) == [], payload
    assert canary.paths == []


def test_settings_are_saved_and_a_wrong_one_is_said_at_its_field(site: Page, owners: FakeOwners) -> None:
    form = site.locator("#operator-site-form")
    form.locator("[name=name]").fill("Arena of Example")
    form.locator("[name=languages]").fill("en, zh")
    form.locator("[name='announcement.en']").fill("Closed on Monday.")
    form.locator("[name='ideas.zh']").fill("写一首关于海的诗\n\n 解释钥匙的原理 ")
    form.locator("[name=prompt_checks]").select_option("warn")
    form.locator("button[type=submit]").click()
    expect(form.locator(".a-saved")).to_have_text("Saved.")
    (asked,) = owners.site.requested_changes
    assert asked.model_dump(exclude_none=True, exclude={"versions"}) == {
        "name": "Arena of Example",
        "languages": ["en", "zh"],
        "announcement": {"en": "Closed on Monday."},
        "ideas": {"zh": ["写一首关于海的诗", "解释钥匙的原理"]},
        "prompt_checks": "warn",
    }


def test_only_what_was_edited_is_sent_and_what_another_has_changed_is_not_overwritten(
    site: Page, owners: FakeOwners
) -> None:
    form = site.locator("#operator-site-form")
    notice = form.locator("[name='announcement.en']")
    owners.site.change(
        SiteChangeRequest(name="Theirs", announcement={"zh": "周一关闭。"}, pages={"imprint": {"zh": "我们"}})  # pyright: ignore[reportArgumentType]
    )
    site.fill("#operator-page-text", "# We")
    site.click("[data-name=page-publish]")
    expect(site.locator("#operator-page-state")).to_contain_text("Published")
    for text in ("Closed on Monday.", "Open again.", ""):
        notice.fill(text)
        form.locator("button[type=submit]").click()
        expect(form.locator(".a-saved")).to_have_text("Saved.")
        assert owners.site.requested_changes[-1].announcement == {"en": text}
    assert owners.site.site.pages == {"imprint": {"en": "# We", "zh": "我们"}}
    assert owners.site.site.announcement == {"zh": "周一关闭。"}
    form.locator("[name=name]").fill("Mine")
    form.locator("button[type=submit]").click()
    expect(site.locator("#operator-site-form-wrong")).to_contain_text("Somebody else has changed name since")
    expect(form.locator("[name=name]")).to_have_value("Mine")
    owners.site.change(SiteChangeRequest(pages={SitePage.IMPRINT: {"en": "# They"}}))
    site.fill("#operator-page-text", "# Mine")
    site.click("[data-name=page-publish]")
    expect(site.locator("#operator-page-wrong")).to_contain_text("has changed imprint.en since")
    expect(site.locator("#operator-page-text")).to_have_value("# Mine")
    assert (owners.site.site.name, owners.site.site.pages["imprint"]["en"]) == ("Theirs", "# They")  # pyright: ignore[reportArgumentType]
