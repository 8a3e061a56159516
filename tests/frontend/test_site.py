"""The part of the operator's page about the site, with the real API: drafts, a preview that is inert, settings, and
errors in one line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any, get_args

import httpx2
import pytest
from PIL import Image
from playwright.sync_api import FilePayload, Page, expect

from arena.domain.schemas.site import Tag
from arena.domain.site import SitePage
from arena.usecases.operated_site.pages import drafts
from arena_frontend.asgi import Site

from .canary import Canary
from .fake_owners import OPERATOR_KEY
from .hostile import payloads_for
from .real_api import real_api
from .resting import load_once
from .serving import SharedServer
from .sign_in_steps import show_part, sign_in_operator

pytestmark = pytest.mark.resting

OTHER = """(allowed) => [...document.querySelectorAll("#operator-page-preview *")]
  .filter((node) => !allowed.includes(node.localName)
    || [...node.attributes].some(({ name }) => !["href", "rel", "target"].includes(name))
    || !/^(https?:|mailto:|)$/.test(node.href ? new URL(node.href).protocol : ""))
  .map((node) => node.outerHTML.slice(0, 200))"""
ALLOWED = sorted(filter(None, get_args(Tag)))


class Operated:
    """The site's settings by the API, as another operator has them."""

    def __init__(self, address: str) -> None:
        headers = {"Authorization": f"Bearer {OPERATOR_KEY}"}
        self.api = httpx2.Client(base_url=f"{address}/api/v1/operator", headers=headers, timeout=60)

    def read(self) -> dict[str, Any]:
        """What is set."""
        answer = self.api.get("/site").raise_for_status().json()["site"]
        return {name: value for name, value in answer.items() if value}

    def change(self, **wanted: Any) -> None:
        self.api.patch("/site", json=wanted).raise_for_status()


@pytest.fixture
def address(sqlite_url: str, pages: Site, door: SharedServer) -> Iterator[str]:
    with real_api(sqlite_url, pages) as app, door.holding(app) as address:
        yield address


@pytest.fixture
def operated(address: str) -> Iterator[Operated]:
    operated = Operated(address)
    yield operated
    operated.api.close()


@pytest.fixture
def site(page: Page) -> Page:
    load_once(page, lambda: page.goto("/operator"))
    sign_in_operator(page)
    show_part(page, "site")
    expect(page.locator("#operator-page-text")).to_be_visible()
    return page


def test_an_arena_without_an_imprint_says_so_until_one_is_published(site: Page, operated: Operated) -> None:
    expect(site.locator("#operator-imprint")).to_contain_text("has no imprint")
    expect(site.locator("#operator-page-text")).to_have_value(drafts()[SitePage.IMPRINT]["en"])
    site.click("[data-name=page-publish]")
    expect(site.locator("#operator-page-wrong")).to_contain_text(
        re.compile(r"^Imprint \(English\): fill in or remove these blanks, and remove the line .*: name of the person")
    )
    expect(site.locator("#operator-page-wrong")).not_to_contain_text(re.compile(r"imprint\.en|\[\[|\*\*"))
    expect(site.locator("[data-name=page-withdraw]")).to_have_count(0)
    site.fill("#operator-page-text", "# We")
    site.click("[data-name=page-publish]")
    expect(site.locator("#operator-page-state")).to_have_text(re.compile(r"Published: version 1 of \d{4}-\d\d-\d\d\."))
    expect(site.locator("#operator-imprint")).to_be_hidden()
    site.select_option("#operator-page-language", "zh")
    expect(site.locator("#operator-page-state")).to_contain_text("Not published")
    site.fill("#operator-page-text", "我们")
    site.click("[data-name=page-publish]")
    expect(site.locator("#operator-page-state")).to_contain_text("version 2")
    assert operated.read()["pages"] == {"imprint": {"en": "# We", "zh": "我们"}}
    site.click("[data-name=page-withdraw]")
    expect(site.locator("#operator-page-state")).to_contain_text("Not published")
    assert operated.read()["pages"] == {"imprint": {"en": "# We"}}


def test_an_empty_text_withdraws_a_page_only_once_it_is_confirmed(site: Page, operated: Operated) -> None:
    site.fill("#operator-page-text", "# We")
    site.click("[data-name=page-publish]")
    expect(site.locator("#operator-page-state")).to_contain_text("version 1")
    site.fill("#operator-page-text", " ")
    site.click("[data-name=page-publish]")
    expect(site.locator("dialog")).to_contain_text("An empty text withdraws what is published in this language.")
    site.click("dialog [data-name=cancel]")
    assert operated.read()["pages"] == {"imprint": {"en": "# We"}}
    expect(site.locator("#operator-page-text")).to_have_value(" ")
    site.click("[data-name=page-publish]")
    expect(site.locator("dialog [data-name=confirm]")).to_have_text("Withdraw")
    site.click("dialog [data-name=confirm]")
    expect(site.locator("#operator-page-state")).to_contain_text("Not published")
    assert "pages" not in operated.read()


def test_a_typed_page_outlasts_a_look_at_others_and_is_said_not_to_be_published(site: Page, operated: Operated) -> None:
    text, line = site.locator("#operator-page-text"), site.locator("#operator-page-typed")
    expect(line).to_be_hidden()
    site.fill("#operator-page-text", "# Mine")
    expect(line).to_contain_text("not published")
    site.select_option("#operator-page", "privacy")
    expect(text).to_have_value(drafts()[SitePage.PRIVACY]["en"])
    expect(line).to_be_hidden()
    site.select_option("#operator-page-language", "zh")
    expect(text).to_have_value(drafts()[SitePage.PRIVACY]["zh"])
    site.fill("#operator-page-text", "# 我的")
    site.select_option("#operator-page", "imprint")
    expect(text).to_have_value(drafts()[SitePage.IMPRINT]["zh"])
    site.select_option("#operator-page-language", "en")
    expect(text).to_have_value("# Mine")
    expect(line).to_be_visible()
    site.click("[data-name=page-publish]")
    expect(site.locator("#operator-page-state")).to_contain_text("Published")
    expect(line).to_be_hidden()
    assert operated.read()["pages"] == {"imprint": {"en": "# Mine"}}
    site.select_option("#operator-page", "privacy")
    site.select_option("#operator-page-language", "zh")
    expect(text).to_have_value("# 我的")
    site.click("[data-name=page-discard]")
    expect(text).to_have_value(drafts()[SitePage.PRIVACY]["zh"])
    expect(line).to_be_hidden()


def test_a_kept_text_is_not_published_over_that_of_another_operator(site: Page, operated: Operated) -> None:
    site.fill("#operator-page-text", "# Mine")
    site.select_option("#operator-page", "terms")
    expect(site.locator("#operator-page-text")).not_to_have_value("# Mine")
    operated.change(pages={"imprint": {"en": "# Theirs"}})
    site.select_option("#operator-page", "imprint")
    expect(site.locator("#operator-page-text")).to_have_value("# Mine")
    site.click("[data-name=page-publish]")
    expect(site.locator("#operator-page-wrong")).to_contain_text("has changed Imprint (English) since")
    site.click("[data-name=page-discard]")
    expect(site.locator("#operator-page-text")).to_have_value("# Theirs")


def test_wrong_settings_are_said_at_their_fields_all_at_once(site: Page) -> None:
    site.fill("#operator-site-form-languages", "en, fr")
    site.fill("#operator-site-form-accent", "#ffff00")
    site.click("#operator-site-form button[type=submit]")
    expect(site.locator("#operator-site-form-languages-wrong")).to_have_text(re.compile("^One of"))
    expect(site.locator("#operator-site-form-accent-wrong")).not_to_be_empty()
    expect(site.locator("#operator-site-form-languages")).to_be_focused()
    expect(site.locator("#operator-site-form-wrong")).to_be_empty()


def test_a_refused_site_file_names_the_setting_by_its_words(site: Page) -> None:
    file = json.dumps({"format": "arena-site", "version": 1, "announcement": {"en": "x" * 301}}).encode()
    site.set_input_files("#operator-site-file", FilePayload(name="site.json", mimeType="application/json", buffer=file))
    expect(site.locator("#operator-site-wrong")).to_have_text(re.compile(r"^Announcement \(English\): "))


@pytest.mark.alone
def test_a_change_of_the_site_is_at_once_among_the_acts(page: Page, operated: Operated) -> None:
    page.clock.install()
    page.goto("/operator")
    sign_in_operator(page)
    show_part(page, "site")
    expect(page.locator("#operator-page-text")).to_be_visible()
    page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))  # nothing is fetched again by itself
    acts = page.locator("#acts tbody tr", has_text="changed the site")
    before = acts.count()
    page.fill("#operator-page-text", "# We")
    for count, button in enumerate(("[data-name=page-publish]", "#operator-site-form button[type=submit]"), 1):
        page.fill("#operator-site-form [name=name]", f"Arena {count}")
        page.click(button)
        expect(acts).to_have_count(before + count)
    page.set_input_files("#operator-mark", FilePayload(name="mark.png", mimeType="image/png", buffer=picture()))
    expect(acts).to_have_count(before + 3)


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


def sent(site: Page) -> dict[str, Any]:
    """The settings that a press of *Save* sends, without the versions they were edited from."""
    form = site.locator("#operator-site-form")
    with site.expect_request("**/api/v1/operator/site") as request:
        form.locator("button[type=submit]").click()
    wanted: dict[str, Any] = request.value.post_data_json or {}
    return {name: value for name, value in wanted.items() if name != "versions"}


def test_settings_are_saved_and_a_wrong_one_is_said_at_its_field(site: Page, operated: Operated) -> None:
    form = site.locator("#operator-site-form")
    form.locator("[name=name]").fill("Arena of Example")
    form.locator("[name=languages]").fill("en, zh")
    form.locator("[name='announcement.en']").fill("Closed on Monday.")
    form.locator("[name='ideas.zh']").fill("写一首关于海的诗\n\n 解释钥匙的原理 ")
    form.locator("[name=prompt_checks]").select_option("warn")
    settings = {
        "name": "Arena of Example",
        "languages": ["en", "zh"],
        "announcement": {"en": "Closed on Monday."},
        "ideas": {"zh": ["写一首关于海的诗", "解释钥匙的原理"]},
        "prompt_checks": "warn",
    }
    assert sent(site) == settings
    expect(form.locator(".a-saved")).to_have_text("Saved.")
    expect(site.locator(".a-brand")).to_have_text("Arena of Example")
    expect(site.locator(".a-announcement")).to_have_text("Closed on Monday.")
    expect(site).to_have_title(re.compile("Arena of Example"))
    saved = operated.read()
    assert {name: saved[name] for name in settings} == settings | {"languages": ["zh", "en"]}  # in the menu's order


def test_the_bar_shows_a_new_logo_and_colour_at_once_and_a_logo_is_removed_only_where_there_is_one(
    site: Page, operated: Operated
) -> None:
    remove, logo = site.locator("[data-name=mark-remove]"), site.locator(".a-brand img")
    expect(remove).to_have_count(0)
    site.set_input_files("#operator-mark", FilePayload(name="mark.png", mimeType="image/png", buffer=picture()))
    expect(logo).to_be_visible()
    site.fill("#operator-site-form [name=accent]", "#aa0000")
    site.click("#operator-site-form button[type=submit]")
    expect(site.locator("link[href*='/site/colours.css']")).to_have_count(1)
    remove.click()
    expect(remove).to_have_count(0)
    expect(logo).to_have_count(0)
    assert operated.read()["accent"] == "#aa0000"


def picture() -> bytes:
    """A small logo."""
    stream = BytesIO()
    Image.new("RGB", (32, 32), "red").save(stream, "PNG")
    return stream.getvalue()


def test_only_what_was_edited_is_sent_and_what_another_has_changed_is_not_overwritten(
    site: Page, operated: Operated
) -> None:
    form = site.locator("#operator-site-form")
    notice = form.locator("[name='announcement.en']")
    operated.change(name="Theirs", announcement={"zh": "周一关闭。"}, pages={"imprint": {"zh": "我们"}})
    site.fill("#operator-page-text", "# We")
    site.click("[data-name=page-publish]")
    expect(site.locator("#operator-page-state")).to_contain_text("Published")
    for text in ("Closed on Monday.", "Open again.", ""):
        notice.fill(text)
        assert sent(site) == {"announcement": {"en": text}}
        expect(form.locator(".a-saved")).to_have_text("Saved.")
    saved = operated.read()
    assert saved["pages"] == {"imprint": {"en": "# We", "zh": "我们"}}
    assert saved["announcement"] == {"zh": "周一关闭。"}
    form.locator("[name=name]").fill("Mine")
    form.locator("button[type=submit]").click()
    expect(site.locator("#operator-site-form-wrong")).to_contain_text("Somebody else has changed name since")
    expect(form.locator("[name=name]")).to_have_value("Mine")
    operated.change(pages={"imprint": {"en": "# They"}})
    site.fill("#operator-page-text", "# Mine")
    site.click("[data-name=page-publish]")
    expect(site.locator("#operator-page-wrong")).to_contain_text("has changed Imprint (English) since")
    expect(site.locator("#operator-page-text")).to_have_value("# Mine")
    saved = operated.read()
    assert (saved["name"], saved["pages"]["imprint"]["en"]) == ("Theirs", "# They")
