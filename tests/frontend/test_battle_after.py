"""What may follow a vote and what comes before the first: others' choice, remarks, links, history, terms, waiting."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from arena.domain import errors
from arena.domain.schemas.votes import CrowdView, ReasoningView, RemarksView, RemarkView, ThoughtView
from arena.domain.terms import Criterion, Reason, Side
from tests.trust.tlog.test_notes import STRANGER

from .fake_api import NAMES, FakeArena
from .test_battle_page import BOX, ask, begin, load, ready, until
from .test_receipts import Arena

pytestmark = pytest.mark.resting


def voted(page: Page, question: str = "Which is better?", outcome: str = "a") -> None:
    begin(page)
    ask(page, question)
    ready(page)
    page.click(f"#vote_{outcome}")
    page.wait_for_selector("#reveal-box .a-card")


def test_after_the_vote_the_page_tells_what_others_chose_for_this_pair(page: Page, fake: FakeArena) -> None:
    fake.crowd = CrowdView(a=5, b=3, tie=2)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    begin(page)
    ask(page)
    ready(page)
    assert not [url for url in asked if url.endswith("/crowd")]
    page.click("#vote_a")
    expect(page.locator(".a-crowd")).to_have_text("50 % of 10 people voted like you.")
    expect(page.locator(".a-crowd-bar")).to_have_attribute("aria-label", re.compile("A is better 50 %"))


@pytest.mark.parametrize(
    ("change", "offers"),
    [
        ({}, 1),
        ({"counted": False, "reason": "too_quick"}, 1),
        ({"counted": False, "reason": "repeated"}, 0),
        ({side: {"name": side, "owner": "Demo", "demo": True} for side in ("a", "b")}, 0),
    ],
)
def test_the_same_question_is_offered_again_only_where_another_pair_can_be_met(
    page: Page, change: dict[str, object], offers: int
) -> None:
    def answer(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, json=response.json() | change)

    page.route("**/vote", answer)
    voted(page)
    expect(page.locator("#new_round")).to_be_visible()
    expect(page.locator("#same_prompt:visible")).to_have_count(offers)


@pytest.mark.parametrize(("endpoints", "offers"), [(2, 0), (3, 1)])
def test_the_same_question_is_not_offered_again_to_the_only_two_models(
    page: Page, fake: FakeArena, endpoints: int, offers: int
) -> None:
    fake.endpoints = endpoints
    load(page)
    ask(page)
    ready(page)
    page.click("#vote_a")
    expect(page.locator("#new_round")).to_be_visible()
    expect(page.locator("#same_prompt:visible")).to_have_count(offers)


def test_the_choice_of_fewer_than_five_is_not_told(page: Page, fake: FakeArena) -> None:
    fake.crowd = CrowdView(a=3, b=1)
    voted(page)
    expect(page.locator(".a-crowd")).to_have_count(0)
    fake.crowd = CrowdView(a=3, b=2)
    page.click("#same_prompt")
    ready(page)
    page.click("#vote_b")
    expect(page.locator(".a-crowd")).to_have_text("40 % of 5 people voted like you.")


def test_what_the_models_thought_is_folded_away_and_shown_as_plain_text(page: Page, fake: FakeArena) -> None:
    thought = "First <img src=/canary onerror=alert(1)>, then **this**."
    fake.reasoning = ReasoningView(turns=[ThoughtView(number=1, thoughts={Side.A: thought})])
    voted(page)
    expect(page.locator(".a-thought")).to_be_hidden()
    page.click(".a-thoughts summary")
    expect(page.locator(".a-thought")).to_have_text(thought)
    assert page.locator(".a-thoughts img").count() == 0


def test_without_thoughts_nothing_stands_there(page: Page) -> None:
    voted(page)
    expect(page.locator(".a-crowd")).to_have_count(0)
    assert page.locator(".a-thoughts summary").count() == 0


def test_remarks_are_folded_away_optional_and_saved_once(page: Page, fake: FakeArena) -> None:
    voted(page)
    expect(page.locator(".a-chip[data-reason]").first).to_be_hidden()
    page.click(".a-remarks summary")
    expect(page.locator(".a-save")).to_be_disabled()
    page.click(".a-chip[data-side=a][data-reason=clear]")
    page.click(".a-chip[data-side=a][data-reason=useful]")
    page.click(".a-chip[data-side=a][data-reason=useful]")
    page.click(".a-chip[data-side=b][data-reason=ignored]")
    page.check("input[name='b-logic'][value='1']", force=True)
    page.click(".a-save")
    expect(page.locator(".a-remarks-say")).to_have_text("Saved. Thank you.")
    expect(page.locator(".a-save")).to_be_disabled()
    assert list(fake.remarks.values()) == [
        RemarksView(
            a=RemarkView(reasons=[Reason.CLEAR]), b=RemarkView(reasons=[Reason.IGNORED], stars={Criterion.LOGIC: 1})
        )
    ]


def says_clear_alone(page: Page) -> None:
    """Fails unless the remarks are shown as saved: "clear" and two stars for logic at A, and nothing to fill in."""
    expect(page.locator(".a-remarks summary")).to_have_text("Your remarks (saved)")
    page.click(".a-remarks summary")
    pressed = page.locator(".a-remarks .a-chip[aria-pressed=true]")
    expect(pressed).to_have_count(1)
    expect(pressed).to_have_text("Clear")
    checked = page.locator(".a-star input:checked")
    expect(checked).to_have_count(1)
    expect(checked).to_have_attribute("name", "a-logic")
    expect(page.locator(".a-remarks-body :is(button, input):enabled")).to_have_count(0)


KEPT = RemarksView(a=RemarkView(reasons=[Reason.CLEAR], stars={Criterion.LOGIC: 2}))


def test_saved_remarks_stand_there_after_a_reload(page: Page, fake: FakeArena) -> None:
    voted(page)
    page.click(".a-remarks summary")
    expect(page.locator(".a-remarks-say")).to_have_text("Once saved, they cannot be changed.")
    page.click(".a-chip[data-side=a][data-reason=clear]")
    page.check("input[name='a-logic'][value='2']", force=True)
    page.click(".a-save")
    expect(page.locator(".a-remarks-say")).to_have_text("Saved. Thank you.")
    assert list(fake.remarks.values()) == [KEPT]
    page.reload()
    says_clear_alone(page)
    expect(page.locator(".a-remarks-say")).to_have_text("These are saved and cannot be changed.")


def test_a_second_tab_takes_refused_remarks_back_and_shows_the_saved_ones(page: Page, fake: FakeArena) -> None:
    voted(page)
    page.click(".a-remarks summary")
    page.click(".a-chip[data-side=a][data-reason=wrong]")
    page.check("input[name='b-logic'][value='1']", force=True)
    (battle,) = fake.battles
    fake.remarks[battle] = KEPT
    page.click(".a-save")
    expect(page.locator(".a-remarks-say")).to_have_text(
        "Remarks for this vote are already saved and cannot be changed."
    )
    page.click(".a-remarks summary")
    says_clear_alone(page)


def test_a_link_is_made_on_request_shows_the_battle_with_names_and_can_be_withdrawn(
    page: Page, fake: FakeArena
) -> None:
    voted(page, "Show **this** to others")
    assert fake.shares == {}
    page.click("[data-act=share]")
    link = page.input_value(".a-share-link")
    page.click("[data-act=share-copy]")
    expect(page.locator(".a-share-say")).to_have_text("Copied.")
    stranger = page.context.browser.new_context(locale="en-US").new_page()  # type: ignore[union-attr]
    stranger.goto(link)
    expect(stranger.locator("#reveal-box")).to_contain_text("The vote went to A, Quiet Heron")
    for side in Side:
        expect(stranger.locator(f"#head_{side} .a-side-name")).to_have_text(NAMES[side])
        expect(stranger.locator(f"#chat_{side} .a-answer")).to_have_text(fake.answers[side].strip())
        expect(stranger.locator(f"#chat_{side} .a-prompt")).to_have_text("Show **this** to others")
    assert stranger.locator("#votes, #prompt").count() == 0
    page.click("[data-act=share-withdraw]")
    expect(page.locator(".a-share")).to_contain_text("The link no longer works.")
    stranger.reload()
    expect(stranger.locator("#shared-lead")).to_have_text("This link was deleted or never existed.")
    expect(stranger.locator("#pair")).to_be_hidden()
    stranger.context.close()


def test_a_link_is_on_no_list_until_a_box_that_is_never_ticked_by_itself_is_ticked(page: Page, fake: FakeArena) -> None:
    voted(page)
    page.click("[data-act=share]")
    box, told = page.get_by_label("List this battle publicly"), page.locator(".a-share-say")
    expect(box).not_to_be_checked()
    assert not fake.listed
    box.check()
    expect(told).to_have_text("Listed on the models' comparison page.")
    assert fake.listed == set(fake.shares)
    box.uncheck()
    expect(told).to_have_text("Not listed.")
    assert not fake.listed
    fake.unlistable = True
    box.click()
    expect(told).to_contain_text("This battle cannot be listed")
    expect(box).not_to_be_checked()


def test_a_card_with_question_names_and_vote_can_be_saved_as_a_picture(page: Page, fake: FakeArena) -> None:
    voted(page, "为什么天是蓝的？ " * 40)
    page.click("[data-act=share]")
    card = page.locator(".a-share-card")
    expect(card).to_be_visible()
    told = card.get_attribute("aria-label") or ""
    assert "为什么天是蓝的？" in told
    assert "A: Quiet Heron, B: Loud Magpie. The vote went to A, Quiet Heron" in told
    inks = card.evaluate(
        "card => new Set(new Uint32Array(card.getContext('2d').getImageData(0, 0, 1200, 630).data.buffer)).size"
    )
    assert inks > 20
    with page.expect_download() as saved:
        page.click("[data-act=share-picture]")
    assert saved.value.suggested_filename == "battle.png"
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")


def test_whoever_sees_a_shared_battle_can_report_it(page: Page, fake: FakeArena) -> None:
    voted(page)
    page.click("[data-act=share]")
    page.goto(page.input_value(".a-share-link"))
    page.click(".a-report summary")
    page.click(".a-report [data-reason=private]")
    expect(page.locator(".a-report p")).to_have_text("Thank you. The operator will look at it.")
    assert fake.reports == [(next(iter(fake.shares.values())), "private")]


def test_who_is_offline_is_told_so_until_the_connection_is_back(page: Page) -> None:
    begin(page)
    page.context.set_offline(True)
    expect(page.locator("#notice-box")).to_contain_text("You are offline. Your text is safe")
    page.context.set_offline(False)
    expect(page.locator("#notice-box")).to_be_hidden()


def test_own_battles_are_listed_newest_first_in_pages_and_can_be_taken_up_again(page: Page, fake: FakeArena) -> None:
    fake.answers = dict.fromkeys(Side, "short")
    voted(page, "an older one", "b")
    page.click("#new_round")
    page.wait_for_selector("html[data-phase=empty]")
    ask(page, "the newer one")
    ready(page)
    page.goto("/mine")
    prompts = page.locator(".a-round-prompt")
    expect(prompts).to_have_text(["the newer one", "an older one"])
    expect(page.locator(".a-round").last).to_contain_text(f"You chose {NAMES[Side.B]} over {NAMES[Side.A]}")
    expect(page.locator(".a-round").first).to_contain_text("not voted yet")
    expect(page.locator(".a-round").first).not_to_contain_text(re.compile("|".join(NAMES.values())))
    expect(page.locator("#mine-board")).to_contain_text("Vote 9 more times")
    page.locator(".a-round").last.get_by_role("button", name="Read again").click()
    expect(page.locator("#reveal-box")).to_contain_text("You chose B, Loud Magpie")
    expect(page.locator("#chat_a .a-prompt")).to_have_text("an older one")


def test_a_receipt_is_checked_at_the_press_of_a_button(page: Page, fake: FakeArena, tmp_path: Path) -> None:
    log = Arena(tmp_path)
    log.receipt()
    fake.answers = dict.fromkeys(Side, "short")
    voted(page, "a vote to be proven", "b")
    page.route("**/log/**", lambda route: route.fulfill(path=tmp_path / urlsplit(route.request.url).path[1:]))
    page.route("**/receipt", lambda route: route.fulfill(path=tmp_path / "api/v1/battles/b/receipt"))
    page.goto("/mine")
    page.click("[data-act=receipt]")
    said = page.locator(".a-round [data-receipt]")
    expect(said).to_contain_text("Your vote is entry 301 of 301 in the public log")
    log.receipt(signer=STRANGER)
    page.click("[data-act=receipt]")
    expect(said).to_have_attribute("data-receipt", "wrong")
    expect(said).to_contain_text("The check failed")


@pytest.mark.parametrize(
    ("change", "note"),
    [
        ({}, "Counted. The leaderboard changes within half a minute."),
        ({"published": True}, "Counted on the leaderboard."),
        ({"counted": False, "excluded": "many from one hand", "published": True}, "Reason: many from one hand"),
        ({"counted": False, "excluded": "erased", "published": True}, "it was erased by law"),
    ],
)
def test_a_battle_that_is_read_again_says_what_has_become_of_its_vote(
    page: Page, fake: FakeArena, tmp_path: Path, change: dict[str, object], note: str
) -> None:
    def answer(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, json=response.json() | change)

    Arena(tmp_path).receipt()
    voted(page)
    page.route("**/reveal", answer)
    page.route("**/log/**", lambda route: route.fulfill(path=tmp_path / urlsplit(route.request.url).path[1:]))
    page.route("**/receipt", lambda route: route.fulfill(path=tmp_path / "api/v1/battles/b/receipt"))
    page.goto("/mine")
    page.click("[data-act=receipt]")
    said = page.locator(".a-round [data-receipt]")
    expect(said).to_contain_text("Your vote is entry 301 of 301")
    expect(said).to_contain_text(note if "excluded" in change else "how you voted.")
    page.locator(".a-round").get_by_role("button", name="Read again").click()
    expect(page.locator(".a-reveal-note")).to_contain_text(note)


def test_an_answer_cut_at_its_length_limit_is_marked_after_the_vote_and_not_before(page: Page, fake: FakeArena) -> None:
    load(page)
    ask(page)
    ready(page)
    (battle,) = fake.battles.values()
    battle.cut = (Side.B,)
    marks = {side: page.locator(f"#chat_{side} .a-cut") for side in Side}
    page.reload()
    ready(page)
    assert page.locator(".a-cut").count() == 0
    page.click("#vote_a")
    expect(marks[Side.B]).to_have_text("This answer was cut off at its length limit.")
    expect(marks[Side.A]).to_have_count(0)
    page.reload()
    expect(marks[Side.B]).to_be_visible()


def test_a_battle_that_was_forgotten_in_another_tab_is_said_to_be_gone(page: Page, fake: FakeArena) -> None:
    voted(page)
    page.goto("/mine")
    page.wait_for_selector("[data-act=open]")
    fake.battles.clear()
    page.click("[data-act=open]")
    expect(page.locator("#notice-box")).to_contain_text("This battle is no longer available. Start a new one.")
    page.wait_for_selector("html[data-phase=empty]")
    page.reload()
    page.wait_for_selector("html[data-phase=empty]")
    expect(page.locator("#notice-box")).to_be_hidden()


def test_a_new_tab_says_nothing_of_a_battle_that_it_has_not_shown(page: Page, fake: FakeArena) -> None:
    voted(page)
    fake.battles.clear()
    page.evaluate("sessionStorage.clear()")
    page.reload()
    page.wait_for_selector("html[data-phase=empty]")
    until(page, "localStorage.getItem('arena_battle') === null")
    expect(page.locator("#notice-box")).to_be_hidden()


def test_my_battles_say_that_a_vote_was_excluded_and_why(page: Page, fake: FakeArena) -> None:
    voted(page)
    fake.excluded = "many from one hand"
    page.goto("/mine")
    expect(page.locator(".a-round-facts")).to_contain_text("excluded it from the leaderboard. Reason: many from one")


def test_being_forgotten_is_explained_first_and_leaves_a_stranger(page: Page, fake: FakeArena) -> None:
    fake.terms = 1
    load(page)
    ask(page)
    page.click(".a-agree")
    ready(page)
    page.goto("/mine")
    page.click("#mine-forget summary")
    expect(page.locator(".a-forget li")).to_have_count(4)
    expect(page.locator(".a-forget")).to_contain_text("votes and remarks stay")
    page.click("[data-act=keep]")
    expect(page.locator("#mine-forget summary")).to_be_focused()
    expect(page.locator("[data-act=forget]")).to_be_hidden()
    assert fake.battles
    page.keyboard.press("Enter")
    page.click("[data-act=forget]")
    expect(page.locator("#mine")).to_contain_text("The arena no longer knows this device")
    assert not fake.battles
    begin(page)
    ask(page)
    expect(page.locator(".a-agree")).to_be_visible()


def test_the_terms_are_asked_for_once_by_one_click_and_nothing_is_sent_before(page: Page, fake: FakeArena) -> None:
    fake.terms = 4
    load(page)
    ask(page, "my first question")
    expect(page.locator("#notice-box")).to_contain_text("may be published for research")
    assert (fake.opened, page.input_value(BOX)) == (0, "my first question")
    page.click(".a-agree")
    ready(page)
    assert fake.accepted == {4}
    page.click("#vote_tie")
    page.click("#same_prompt")
    ready(page)
    page.reload()
    ready(page)
    page.click("#skip")
    ask(page, "another")
    ready(page)
    assert fake.opened == 3


def test_new_terms_are_asked_for_on_a_page_that_was_loaded_before_them(page: Page, fake: FakeArena) -> None:
    load(page)
    page.wait_for_load_state("networkidle")
    fake.terms = 2
    ask(page, "hello")
    page.click(".a-agree")
    ready(page)
    assert fake.accepted == {2}


def test_a_rate_limit_counts_down_then_frees_the_box_with_its_text(page: Page, fake: FakeArena) -> None:
    fake.refuse = errors.RateLimited(retry_after=2)
    begin(page)
    ask(page, "too soon")
    expect(page.locator("#notice-box")).to_contain_text("Try again in 2 s.")
    expect(page.locator("#send")).to_be_disabled()
    expect(page.locator("#notice-box")).to_contain_text("Try again in 1 s.")
    assert page.locator("#notice-box [aria-live=off]").inner_text() == "1"
    fake.refuse = None
    expect(page.locator("#notice-box")).to_be_hidden()
    expect(page.locator("#send")).to_be_enabled()
    expect(page.locator(BOX)).to_have_value("too soon")
    page.press(BOX, "Enter")
    ready(page)


def test_the_page_tells_when_one_side_is_done_and_the_other_still_writes(page: Page, fake: FakeArena) -> None:
    fake.answers = {Side.A: "short", Side.B: "a much longer answer " * 30}
    fake.pace = 0.15
    begin(page)
    ask(page)
    expect(page.locator("#hint-text")).to_have_text("A has finished; B is still writing.")
    expect(page.locator("#side_a .a-side-state")).to_have_text("Finished")
    expect(page.locator("#side_b .a-side-state")).to_have_text("Writing …")
    ready(page)
    expect(page.locator("#hint-text")).to_contain_text("Read both, then vote")


def test_an_empty_board_asks_for_nothing_that_is_not_there(page: Page) -> None:
    missing: list[str] = []
    page.on("response", lambda answer: missing.append(answer.url) if answer.status >= 400 else None)
    page.goto("/leaderboard")
    page.wait_for_selector("#board h2")
    assert missing == []


def test_practice_models_are_told_of_above_the_box_until_real_ones_answer(page: Page, fake: FakeArena) -> None:
    fake.practice = True
    load(page)
    ask(page)
    ready(page)
    page.click("#vote_a")
    page.wait_for_selector("#reveal-box .a-card")
    line = page.locator("#practice-line")
    expect(line).to_contain_text("Practice models only")
    assert line.bounding_box()["y"] < page.locator(BOX).bounding_box()["y"]
    fake.practice = False
    page.click("#new_round")
    expect(line).to_be_hidden()


@pytest.mark.parametrize("mixed", [False, True])
def test_a_real_model_beside_practice_models_is_told_of_in_each_state(
    page: Page, fake: FakeArena, *, mixed: bool
) -> None:
    texts = ("Practice models only", "Practice models take part until there is a second real model")
    fake.practice, fake.mixed = True, mixed
    load(page)
    line = page.locator("#practice-line")
    expect(line).to_contain_text(texts[mixed])
    ask(page)
    ready(page)
    page.click("#vote_a")
    page.wait_for_selector("#reveal-box .a-card")
    fake.mixed = not mixed
    page.click("#new_round")
    expect(line).to_contain_text(texts[not mixed])


def test_real_models_need_no_such_line(page: Page) -> None:
    voted(page)
    expect(page.locator("#practice-line")).to_be_hidden()


def test_a_battle_that_has_a_link_offers_that_link_and_not_a_new_one(page: Page, fake: FakeArena) -> None:
    voted(page)
    expect(page.locator("[data-act=share]")).to_have_text("Create a link to this battle")
    page.click("[data-act=share]")
    link = page.input_value(".a-share-link")
    page.reload()
    expect(page.locator("[data-act=share]")).to_have_text("Link to this battle")
    page.click("[data-act=share]")
    assert page.input_value(".a-share-link") == link
    page.click("[data-act=share-withdraw]")
    expect(page.locator("[data-act=share]")).to_have_text("Create a link to this battle")
