"""Images in the text box of battles and chats: pasted, dropped, chosen, taken away, sent and seen again."""

from __future__ import annotations

import time
from base64 import b64encode

import pytest
from playwright.sync_api import Page, Route, expect

from arena.domain import errors
from arena_frontend.texts import LANGUAGES, texts
from tests.adapters.images.files import draw, save

from .conftest import PATIENCE
from .fake_api import FakeArena
from .fake_chats import MODELS
from .screens import SCREENS, speak
from .test_battle_page import BOX, ask, begin, ready
from .test_page_surface import without_scripts

FILE = save(draw())
HELD, ASKED = "#images .a-image img", "#asked .a-image img"
BRING = """([target, kind, files]) => {
  const data = new DataTransfer();
  for (const file of files) {
    const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
    data.items.add(new File([bytes], "a.png", { type: "image/png" }));
  }
  const how = kind === "paste" ? { clipboardData: data } : { dataTransfer: data };
  const Kind = kind === "paste" ? ClipboardEvent : DragEvent;
  document.querySelector(target).dispatchEvent(new Kind(kind, { ...how, bubbles: true, cancelable: true }));
}"""


def bring(page: Page, kind: str, target: str = BOX, count: int = 1) -> None:
    """Paste or drop files."""
    page.evaluate(BRING, [target, kind, [b64encode(FILE).decode()] * count])


def choose(page: Page, button: str = "#attach .a-attach") -> None:
    with page.expect_file_chooser() as chooser:
        page.click(button)
    chooser.value.set_files({"name": "a.png", "mimeType": "image/png", "buffer": FILE})


def sent(fake: FakeArena) -> list[list[str]]:
    return [turn.images for battle in fake.battles.values() for turn in battle.turns]


def expect_sent(page: Page, fake: FakeArena, images: list[list[str]]) -> None:
    """A page shows what it asks before the arena has it."""
    end = time.monotonic() + PATIENCE / 1000
    while sent(fake) != images and time.monotonic() < end:
        page.wait_for_timeout(50)
    assert sent(fake) == images


def test_images_are_pasted_dropped_chosen_removed_and_asked_about(page: Page, fake: FakeArena) -> None:
    begin(page)
    bring(page, "paste")
    bring(page, "drop", "body")
    choose(page)
    expect(page.locator(HELD)).to_have_count(3)
    page.get_by_role("button", name="Remove image 2").click()
    expect(page.locator(HELD)).to_have_count(2)
    expect(page.get_by_role("button", name="Remove image 2")).to_be_focused()
    ask(page, "Which is older?")
    ready(page)
    assert sent(fake) == [["image-1", "image-3"]]
    assert fake.images["image-1"] == FILE
    expect(page.locator(HELD)).to_have_count(0)
    expect(page.locator(ASKED)).to_have_count(2)
    page.reload()
    ready(page)
    expect(page.locator(ASKED)).to_have_count(2)
    ask(page, "Why?")
    page.wait_for_selector("#chat_a .a-prompt >> nth=1")
    ready(page)
    assert sent(fake)[0][1:] == ["image-3"]
    assert sent(fake)[1] == []
    page.click("#vote_a")
    page.click("[data-act=share]")
    link = page.locator(".a-share-link").input_value()
    before = sent(fake)
    page.click("#same_prompt")
    expect(page.locator(ASKED)).to_have_count(2)
    # The whole conversation is asked again, one turn after the other.
    expect_sent(page, fake, [*before, *before])
    page.goto(link)
    expect(page.locator("#shared-lead")).to_contain_text("The question had 2 images")
    expect(page.locator(ASKED)).to_have_count(0)


def test_a_fifth_image_and_one_that_the_arena_refuses_are_told_in_a_sentence(page: Page, fake: FakeArena) -> None:
    begin(page)
    bring(page, "paste", count=5)
    expect(page.locator("#notice-box")).to_contain_text("At most 4 different images")
    expect(page.locator(HELD)).to_have_count(4)
    page.get_by_role("button", name="Remove image 4").click()
    expect(page.locator("#notice-box")).to_be_hidden()
    fake.refuse_image = errors.ImageRefused(rule="broken")
    choose(page)
    expect(page.locator("#notice-box")).to_contain_text("This image is broken.")
    expect(page.locator("#images .a-image")).to_have_count(3)
    fake.refuse_image = None
    choose(page)
    expect(page.locator(HELD)).to_have_count(4)
    expect(page.locator("#notice-box")).to_be_hidden()


@pytest.mark.parametrize("change", ["add", "remove"])
def test_sending_waits_for_images_that_come_or_go_meanwhile(page: Page, fake: FakeArena, change: str) -> None:
    waiting: list[Route] = []
    begin(page)
    page.route("**/api/v1/images", lambda route: waiting.append(route), times=1)  # noqa: PLW0108 - it marks its handlers
    bring(page, "paste", count=2)
    expect(page.locator("#images .a-image")).to_have_count(2)
    ask(page, "Which is older?")
    if change == "add":
        bring(page, "paste")
    else:
        page.get_by_role("button", name="Remove image 2").click()
    assert sent(fake) == []
    waiting[0].continue_()
    ready(page)
    assert [len(images) for images in sent(fake)] == [3 if change == "add" else 1]


def test_an_image_that_is_gone_is_said_to_be(page: Page, fake: FakeArena) -> None:
    begin(page)
    bring(page, "paste")
    expect(page.locator(HELD)).to_have_count(1)
    ask(page)
    ready(page)
    fake.images.clear()
    page.reload()
    ready(page)
    expect(page.locator("#asked")).to_contain_text("Image deleted")


def test_where_no_two_models_see_a_battle_offers_no_images_and_says_why(page: Page, fake: FakeArena) -> None:
    fake.vision = False
    begin(page)
    bring(page, "paste")
    expect(page.locator("#notice-box")).to_contain_text("Not enough models here can read images")
    expect(page.locator(".a-attach")).to_be_hidden()
    assert not fake.images


@pytest.mark.parametrize("kind", ["paste", "drop"])
def test_what_is_pasted_or_dropped_before_the_scripts_is_asked_about(page: Page, fake: FakeArena, kind: str) -> None:
    with without_scripts(page):
        page.goto("/", wait_until="commit")
        page.wait_for_selector("#image-file", state="attached")
        bring(page, kind)
        bring(page, kind)
        page.fill(BOX, "What is this?")
        page.press(BOX, "Enter")
    ready(page)
    expect_sent(page, fake, [["image-1", "image-2"]])
    expect(page.locator(ASKED)).to_have_count(2)


def test_an_image_chosen_before_the_scripts_is_asked_about(page: Page, fake: FakeArena) -> None:
    with without_scripts(page):
        page.goto("/", wait_until="commit")
        page.wait_for_selector("#image-file", state="attached")
        choose(page)
    expect(page.locator(HELD)).to_have_count(1)
    ask(page, "What is this?")
    ready(page)
    expect_sent(page, fake, [["image-1"]])


def test_an_image_pasted_while_a_battle_is_resumed_goes_with_the_next_question(page: Page, fake: FakeArena) -> None:
    begin(page)
    ask(page)
    ready(page)
    with without_scripts(page, "**/api/v1/battles/*"):
        page.reload()
        page.wait_for_selector("html[data-phase=starting]:not([data-early])")
        bring(page, "paste")
        ask(page, "And this?")
    expect_sent(page, fake, [[], ["image-1"]])


def test_an_image_pasted_before_the_scripts_where_none_is_taken_is_told(page: Page, fake: FakeArena) -> None:
    fake.vision = False
    with without_scripts(page):
        page.goto("/", wait_until="commit")
        page.wait_for_selector("#image-file", state="attached")
        bring(page, "paste")
    expect(page.locator("#notice-box")).to_contain_text("Not enough models here can read images")
    assert not fake.images


@pytest.mark.parametrize(("path", "sides"), [("/side-by-side", 2), ("/direct", 1)])
def test_a_chat_takes_images_too(page: Page, fake: FakeArena, path: str, sides: int) -> None:
    page.goto(path)
    page.wait_for_selector("select:not([disabled])")
    for side in "ab"[:sides]:
        page.select_option(f"#model_{side}", MODELS["ab".index(side)])
    choose(page)
    expect(page.locator(HELD)).to_have_count(1)
    ask(page)
    expect(page.locator(ASKED)).to_have_count(1)
    expect_sent(page, fake, [["image-1"]])


@pytest.mark.parametrize("path", ["/side-by-side", "/direct"])
def test_a_chat_offers_images_only_where_the_chosen_models_read_them(page: Page, fake: FakeArena, path: str) -> None:
    blind = MODELS[0]
    fake.blind = (blind,)
    page.goto(path)
    page.wait_for_selector("select:not([disabled])")
    page.select_option("#model_a", blind)
    expect(page.locator(".a-attach")).to_be_hidden()
    bring(page, "paste")
    expect(page.locator("#notice-box")).to_contain_text(f"{blind} cannot read images")
    assert not fake.images
    page.select_option("#model_a", MODELS[1])
    if path == "/side-by-side":
        page.select_option("#model_b", MODELS[2])
    expect(page.locator(".a-attach")).to_be_visible()
    fake.blind = MODELS
    page.goto(path)
    page.wait_for_selector("select:not([disabled])")
    expect(page.locator(".a-attach")).to_be_hidden()


def fail(page: Page, fake: FakeArena, path: str = "/") -> None:
    """Ask about an image, and see the models fail."""
    fake.fail_turn = True
    page.goto(path)
    page.wait_for_selector("html[data-phase=empty]")
    if path != "/":
        page.wait_for_selector("select:not([disabled])")
    choose(page)
    expect(page.locator(HELD)).to_have_count(1)
    ask(page, "Which is older?")
    page.wait_for_selector("html[data-phase=void]")
    fake.fail_turn = False


@pytest.mark.parametrize("path", ["/", "/side-by-side", "/direct"])
def test_a_draft_keeps_its_images_over_a_reload(page: Page, fake: FakeArena, path: str) -> None:
    page.goto(path)
    page.wait_for_selector("html[data-phase=empty]")
    if path != "/":
        page.wait_for_selector("select:not([disabled])")
    bring(page, "paste", count=2)
    expect(page.locator(HELD)).to_have_count(2)
    page.get_by_role("button", name="Remove image 1").click()
    page.fill(BOX, "Which is older?")
    page.reload()
    expect(page.locator(HELD)).to_have_count(1)
    expect(page.locator(BOX)).to_have_value("Which is older?")
    page.click("#send")
    expect_sent(page, fake, [["image-2"]])
    expect(page.locator(HELD)).to_have_count(0)
    page.reload()
    page.wait_for_selector("html[data-phase=ready]")
    expect(page.locator(HELD)).to_have_count(0)


@pytest.mark.parametrize("path", ["/", "/side-by-side", "/direct"])
@pytest.mark.parametrize("then", ["at once", "after a reload"])
def test_after_a_failure_the_question_is_back_with_its_images(
    page: Page, fake: FakeArena, path: str, then: str
) -> None:
    fail(page, fake, path)
    if then == "after a reload":
        page.reload()
        page.wait_for_selector("html[data-phase=void]")
    expect(page.locator("#notice-box")).to_contain_text(texts("en")["notice.back"])
    expect(page.locator(BOX)).to_have_value("Which is older?")
    expect(page.locator(HELD)).to_have_count(1)
    page.click("#send")
    expect_sent(page, fake, [["image-1"]] * 2)
    expect(page.locator(HELD)).to_have_count(0)


def test_an_image_that_cannot_come_back_after_a_failure_is_said_to_be_gone(page: Page, fake: FakeArena) -> None:
    fail(page, fake)
    fake.images.clear()
    page.reload()
    for key in ("notice.failed", "notice.back", "error.image_not_found"):
        expect(page.locator("#notice-box")).to_contain_text(texts("en")[key])
    expect(page.locator("#images .a-image")).to_have_count(0)
    page.click("#send")
    expect_sent(page, fake, [["image-1"], []])


def test_what_is_written_while_models_fail_gets_no_images_of_the_failed_question(page: Page, fake: FakeArena) -> None:
    fake.first_wait = 1.0
    fake.fail_turn = True
    begin(page)
    choose(page)
    expect(page.locator(HELD)).to_have_count(1)
    ask(page, "Which is older?")
    page.wait_for_selector("html[data-phase=running]")
    page.fill(BOX, "Another question")
    page.wait_for_selector("html[data-phase=void]")
    expect(page.locator("#notice-box")).to_have_text(f"{texts('en')['notice.failed']}×")
    expect(page.locator(BOX)).to_have_value("Another question")
    expect(page.locator(HELD)).to_have_count(0)


def test_what_is_written_before_a_skip_gets_no_images_of_the_skipped_question(page: Page, fake: FakeArena) -> None:
    begin(page)
    choose(page)
    ask(page, "Which is older?")
    ready(page)
    page.fill(BOX, "Another question")
    page.click("#skip")
    page.wait_for_selector("html[data-phase=empty]")
    expect(page.locator(BOX)).to_have_value("Another question")
    expect(page.locator(HELD)).to_have_count(0)


def test_the_same_questions_take_the_images_of_follow_ups_along(page: Page, fake: FakeArena) -> None:
    begin(page)
    for count, question in enumerate(("Which is older?", "And this?"), start=1):
        choose(page)
        expect(page.locator(HELD)).to_have_count(1)
        ask(page, question)
        expect(page.locator("#chat_a .a-prompt")).to_have_count(count)
        ready(page)
    page.click("#vote_a")
    page.click("#same_prompt")
    expect_sent(page, fake, [["image-1"], ["image-2"]] * 2)


def test_a_question_that_waited_over_a_reload_and_is_refused_keeps_its_images(page: Page, fake: FakeArena) -> None:
    begin(page)
    choose(page)
    expect(page.locator(HELD)).to_have_count(1)
    page.route("**/api/v1/battles", lambda route: route.abort())
    ask(page, "Which is older?")
    expect(page.locator("#notice-box")).to_contain_text("your question will be sent when it is back")
    fake.refuse = errors.TooFewEndpoints()
    page.on("dialog", lambda dialog: dialog.accept())
    page.unroute("**/api/v1/battles")
    page.reload()
    expect(page.locator("#notice-box")).to_contain_text(texts("en")["error.too_few_endpoints"])
    expect(page.locator(HELD)).to_have_count(1)
    fake.refuse = None
    page.click("#send")
    expect_sent(page, fake, [["image-1"]])


@pytest.mark.parametrize("language", LANGUAGES)
def test_images_fit_a_telephone_in_every_language(page: Page, language: str) -> None:
    page.set_viewport_size(SCREENS["telephone"])
    speak(page, texts(language)["lang.code"])
    begin(page)
    bring(page, "paste", count=4)
    expect(page.locator(HELD)).to_have_count(4)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
