"""The operator's page in a real browser, against the contract."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Locator, Page, Route, expect

from arena.domain import errors
from arena.domain.operators import OperatorRole
from arena.domain.schemas.integrity import ObjectionView, VoterAdviceView, VotersView
from arena.domain.schemas.operators import OperatorView
from arena.domain.schemas.shares import ReportedShareView
from arena.domain.schemas.status import LoopView, SustainedRateView
from arena.evaluations.domain.schemas.evaluations import EvaluationView
from arena.usecases.endpoints.states import because
from arena_frontend.texts import texts

from .fake_board import PACE
from .fake_gate import MADE_AT
from .fake_owners import GOOD_REPORT, OPERATOR_KEY, UNREACHABLE_REPORT, FakeOwners, now, stats
from .resting import load_once
from .sign_in_steps import show_part, sign_in_operator

HOME = "**/operator/part?view=&*"
"""What the page asks for again by itself."""
pytestmark = [pytest.mark.resting, pytest.mark.owners]


@pytest.fixture
def models(owners: FakeOwners) -> None:
    """One that waits and one that health suspended."""
    owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron")
    ill = owners.begin(name="Magpie", url="https://m.example/v1", wire_model="magpie")
    why = because("failing", share=0.0875, calls=200, most=0.05, error="timed_out")
    owners.move(ill, "suspended", why, "health")
    ill |= {
        "stats": stats(400),
        "health": {"state": "open", "since": now(), "in_flight": 2},
        "fingerprint": {"checked_at": now(), "p_value": 0.0001, "flagged": True},
    }


@pytest.fixture
def operator(page: Page, models: None) -> Page:
    """Signed in, before a list of two models, with all views there: one that comes later moves what is pressed."""
    sign_in(page)
    expect(page.locator("#operator-rows tr")).to_have_count(2)
    expect(page.locator("#operator [data-view][aria-busy]:not(details *)")).to_have_count(0)
    return page


def sign_in(page: Page, key: str = OPERATOR_KEY, *, part: str = "models") -> None:
    load_once(page, lambda: page.goto("/operator"))
    sign_in_operator(page, key)
    if key == OPERATOR_KEY:
        show_part(page, part)


def row(page: Page, name: str) -> Locator:
    return page.locator("#operator-rows tr", has=page.locator("th strong", has_text=name))


def sign_out(page: Page) -> None:
    page.click("[data-name=signout]")
    expect(page.locator("#operator-in")).to_be_visible()
    page.evaluate("window.rested = true")


def test_decisions_of_the_gate_are_shown_with_what_was_found_and_undone(page: Page, owners: FakeOwners) -> None:
    owners.gate.decide()
    owners.gate.objections.append(ObjectionView(number=1, endpoint="Heron", text="A class voted.", created_at=MADE_AT))
    sign_in(page, part="votes")
    rows = page.locator("#gate-decisions tbody tr")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("network × day: Heron, z = -9.2")
    expect(rows.first).to_contain_text("a group of votes pushes a model")
    page.click("[data-name=undo-1]")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("undoneby the operator")
    page.select_option("#operator-reason", "pooled")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("a group of votes pushes a model")
    page.click("[data-name=answer-1]")
    expect(page.locator("label[for=confirm-text]")).not_to_contain_text("optional")
    page.fill("#confirm-text", "They count again.")
    page.click("[data-name=confirm]")
    expect(page.locator("#gate-objections")).to_contain_text("Answered: They count again.")


def test_whoever_signs_in_next_sees_the_decisions_of_every_reason(page: Page, owners: FakeOwners) -> None:
    owners.gate.decide()
    sign_in(page, part="votes")
    page.select_option("#operator-reason", "undone")
    expect(page.locator("#gate-decisions tbody tr")).to_have_count(0)
    sign_out(page)
    sign_in(page, part="votes")
    expect(page.locator("#gate-decisions tbody tr")).to_have_count(1)
    expect(page.locator("#operator-reason")).to_have_value("")


def test_an_answer_from_before_signing_out_is_not_shown_to_whoever_signs_in_next(
    page: Page, owners: FakeOwners
) -> None:
    owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron")
    sign_in(page)
    expect(page.locator("#operator-rows tr")).to_have_count(1)
    late: list[Route] = []
    page.route(HOME, lambda route: late.append(route), times=1)  # noqa: PLW0108 - it writes to it
    with page.expect_request(HOME):
        pass  # the page asks again by itself
    sign_out(page)
    owners.endpoints.clear()
    sign_in(page)
    expect(page.locator("#operator-count")).to_contain_text("0 models")
    with page.expect_response(HOME):
        late[0].fulfill(body="<p>Magpie</p>", content_type="text/html")
    page.evaluate("new Promise((done) => setTimeout(done))")
    expect(page.locator("#operator-rows tr")).to_have_count(0)
    expect(page.locator("#operator")).not_to_contain_text("Magpie")


def test_voters_to_look_at_are_named_by_their_first_vote_once_the_page_asks_again(
    operator: Page, owners: FakeOwners
) -> None:
    doubtful = VoterAdviceView(first=4_711, votes=31, improbable=0.000001, one_sided=0.5)
    owners.gate.voters = VotersView(tested=1_200, rows=[doubtful])
    show_part(operator, "votes")
    panel = operator.locator("#doubtful-voters")
    expect(panel).to_contain_text("Of 1,200 voters")
    expect(panel.locator("tbody tr")).to_have_text("471131< 0.00010.5")


def test_reported_links_are_shown_with_their_reasons_and_taken_down_with_one(page: Page, owners: FakeOwners) -> None:
    link = "AbC-_9"
    share = ReportedShareView(token=link, prompt="<b>Who</b>?", reports={"private": 2, "other": 1}, created_at=MADE_AT)
    owners.reported.append(share)
    sign_in(page, part="votes")
    panel = page.locator("#reported-shares")
    expect(panel).to_contain_text("<b>Who</b>?")
    expect(panel).to_contain_text("Somebody's private data: 2 · Something else: 1")
    expect(panel.get_by_role("link")).to_have_attribute("href", f"/shared?b={link}")
    panel.get_by_role("button").click()
    page.fill("#confirm-text", "A name and an address.")
    page.click("[data-name=confirm]")
    expect(panel).to_have_count(0)
    assert owners.taken_down == {link: "A name and an address."}


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


def test_most_votes_from_one_neighbourhood_are_an_alarm_that_names_the_proxy(page: Page, owners: FakeOwners) -> None:
    owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron")
    owners.share = 0.83
    sign_in(page)
    alarm = page.locator("#operator-alarm")
    expect(alarm).to_contain_text("83% of today’s 400 votes")
    expect(alarm).to_contain_text("votes that pass all other checks")
    expect(alarm).to_contain_text("ARENA_TRUSTED_HOPS")
    owners.share = 0.4
    sign_out(page)
    sign_in(page)
    expect(page.locator("#operator-rows tr")).to_have_count(1)
    expect(alarm).to_be_hidden()


def test_a_model_without_a_key_is_paused_for_that_and_cannot_be_resumed(page: Page, owners: FakeOwners) -> None:
    owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron")["state"] = "paused"
    owners.keyless = {"Heron": "HERON_KEY"}
    sign_in(page)
    expect(row(page, "Heron")).to_contain_text("HERON_KEY is not set")
    expect(row(page, "Heron").locator(".a-state")).to_have_text("Paused")
    expect(page.get_by_role("button", name="Resume: Heron")).to_have_count(0)
    expect(page.get_by_role("button", name="Suspend: Heron")).to_be_visible()


def test_a_practice_model_that_the_setting_pauses_says_so_and_cannot_be_resumed(page: Page, owners: FakeOwners) -> None:
    owners.begin(name="Wren", url="https://w.example/v1", wire_model="wren").update(state="paused", on_standby=True)
    sign_in(page)
    expect(row(page, "Wren")).to_contain_text("the setting ARENA_DEMO keeps practice models out of battles")
    expect(page.get_by_role("button", name="Resume: Wren")).to_have_count(0)
    expect(page.get_by_role("button", name="Suspend: Wren")).to_be_visible()


def test_an_active_model_is_paused_with_a_reason_and_shows_what_its_test_found(page: Page, owners: FakeOwners) -> None:
    remark = {"code": "same_answer", "title": "", "answer": "Yes."}
    wren = owners.begin(name="Wren", url="https://w.example/v1", wire_model="wren")
    wren["state"], owners.remarks[wren["id"]] = "active", [remark]
    sign_in(page)
    expect(row(page, "Wren")).to_contain_text("Every question got the same short answer, “Yes.”")
    page.get_by_role("button", name="Pause: Wren").click()
    page.fill("#confirm-text", "its server moves")
    page.click("[data-name=confirm]")
    expect(row(page, "Wren").locator(".a-state")).to_have_text("Paused")


@pytest.mark.parametrize("width", [390, 1280])
def test_a_long_word_that_a_server_said_leaves_the_acts_of_models_in_sight(
    page: Page, owners: FakeOwners, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    said = {"code": "no_stream", "title": "", "words": "\\u60a8" * 40}
    for name, state in (("Wren", "active"), ("Heron", "draft")):
        bird = owners.begin(name=name, url=f"https://{name}.example/v1", wire_model=name)
        bird["state"], owners.remarks[bird["id"]] = state, [said]
        bird["probes"].append({"at": now(), "passed": False, "report": owners.report | {"problems": [said]}})
    sign_in(page)
    for name in ("Wren", "Heron"):
        expect(row(page, name)).to_contain_text(said["words"])
    table = page.locator("#operator-table")
    assert table.evaluate("box => box.scrollWidth - box.clientWidth") <= 1
    for cell in page.locator("#operator-rows :is(th, td) small").all():
        assert cell.evaluate("cell => cell.getClientRects().length && cell.clientWidth") > 80


def test_a_promise_that_the_log_has_not_kept_is_an_alarm(page: Page, owners: FakeOwners) -> None:
    owners.waiting = 1_320
    sign_in(page)
    alarm = page.locator("#operator-log")
    expect(alarm).to_contain_text("promised a place in the transparency log 22 minutes ago")
    owners.waiting = 600
    sign_out(page)
    sign_in(page)
    expect(page.locator("#operator-count")).to_be_visible()
    expect(alarm).to_be_hidden()


def test_models_without_a_key_are_named_with_the_variable_that_is_not_set(page: Page, owners: FakeOwners) -> None:
    owners.keyless = {"Heron <b>": "HERON_KEY", "Magpie": None}
    sign_in(page)
    alarm = page.locator("#operator-keyless")
    expect(alarm).to_contain_text("has no key for them: Heron <b> (HERON_KEY), Magpie.")
    owners.keyless = {}
    sign_out(page)
    sign_in(page)
    expect(page.locator("#operator-count")).to_be_visible()
    expect(alarm).to_be_hidden()


def test_a_rate_that_no_model_sustains_is_told(page: Page, owners: FakeOwners) -> None:
    sustained = [*PACE.sustained, SustainedRateView(rate=400, share=0)]
    owners.pace = PACE.model_copy(update={"rate": 400, "by_hand": True, "sustained": sustained})
    sign_in(page)
    told = page.locator("#operator-pace")
    expect(told).to_contain_text("No model writes 400 units a second (ARENA_RELEASE_RATE)")
    owners.pace = PACE
    sign_out(page)
    sign_in(page)
    expect(page.locator("#operator-count")).to_be_visible()
    expect(told).to_be_hidden()


def test_votes_without_a_leaf_are_an_alarm(page: Page, owners: FakeOwners) -> None:
    owners.unlogged = 1
    sign_in(page)
    alarm = page.locator("#operator-log")
    expect(alarm).to_contain_text("1 vote in the database has no leaf in the transparency log (7)")
    owners.unlogged, owners.waiting = 1_200, 1_320
    sign_out(page)
    sign_in(page)
    expect(alarm).to_contain_text(
        "1,200 votes in the database have no leaf in the transparency log (7, 8, 9, 10, 11 …)"
    )
    expect(alarm).to_contain_text("arena log exclude")
    expect(alarm).to_contain_text("22 minutes ago")


def test_late_background_work_is_an_alarm_that_names_it_and_the_table_says_why(page: Page, owners: FakeOwners) -> None:
    fine = LoopView(name="board", period=10, seconds=0.42, age=3, worked_at=None, failure="", late=False)
    late = fine.model_copy(update={"name": "gate", "age": 4000, "failure": "OperationalError: disk full", "late": True})
    owners.loops = [fine, late, late.model_copy(update={"name": "images", "age": None})]
    sign_in(page)
    expect(page.locator("#operator-late")).to_have_text(
        "Background work is late: Vote gate, Deletion of images. The log of the worker says why."
    )
    show_part(page, "site")
    table = page.locator("#operator-loops")
    expect(table.locator("table")).to_be_hidden()
    table.locator("summary").click()
    rows = table.locator("tbody tr")
    expect(rows.nth(0)).to_contain_text("3 s ago")
    expect(rows.nth(1)).to_contain_text("OperationalError: disk full")
    expect(rows.nth(2)).to_contain_text("never")
    owners.loops = [fine]
    sign_out(page)
    sign_in(page)
    expect(page.locator("#operator-me")).to_be_visible()
    expect(page.locator("#operator-late")).to_be_hidden()


def test_a_file_of_votes_is_seen_with_its_board_before_it_is_added(operator: Page, owners: FakeOwners) -> None:
    show_part(operator, "votes")
    votes = FilePayload(name="votes.csv", mimeType="text/csv", buffer=b"model_a,model_b,winner")
    operator.click("[data-name=votes-look]")
    expect(operator.locator("#votes-wrong")).to_be_visible()
    operator.set_input_files("#votes-file", votes)
    operator.click("[data-name=votes-look]")
    expect(operator.locator("#votes-counts")).to_contain_text("4,200 votes on 2 models; 1 bad row, 3 ratings")
    expect(operator.locator("#votes-here")).to_have_text(
        "These names are models of this arena, and the votes count for them: heron and plover."
    )
    expect(operator.locator("#votes-shown tbody tr")).to_have_count(20)
    expect(operator.locator("#votes-bad li")).to_have_text("line 7: winner: missing")
    assert operator.evaluate("document.querySelector('#votes-picture').naturalWidth") == 760
    posted = [path for method, path, _ in owners.requests if method == "POST"]
    assert posted == ["/operator/votes/preview"]
    operator.click("[data-name=votes-discard]")
    expect(operator.locator("#votes-picture")).to_have_count(0)
    operator.click("[data-name=votes-look]")
    operator.click("[data-name=votes-add]")
    expect(operator.locator("#votes-added")).to_have_text("4,200 added, 0 already in the log, 2 new names.")


def test_a_small_file_on_its_way_has_no_figures_that_are_zero(operator: Page, owners: FakeOwners) -> None:
    show_part(operator, "votes")
    owners.holds_files = True
    votes = FilePayload(name="votes.csv", mimeType="text/csv", buffer=b"x" * 300)
    operator.set_input_files("#votes-file", votes)
    operator.click("[data-name=votes-look]")
    expect(operator.locator("#votes-shown progress")).to_have_attribute("max", "300")
    expect(operator.locator("#votes-done")).to_have_text("")
    operator.click("[data-name=votes-cancel]")
    owners.holds_files = False


def test_a_file_on_its_way_says_how_much_is_done_and_can_be_cancelled(operator: Page, owners: FakeOwners) -> None:
    show_part(operator, "votes")
    owners.holds_files = True
    votes = FilePayload(name="votes & all.csv", mimeType="text/csv", buffer=b"x" * 3 * 2**20)
    operator.set_input_files("#votes-file", votes)
    operator.click("[data-name=votes-look]")
    done = operator.locator("#votes-done")
    expect(done).to_have_text("1.5 of 3 MB")
    assert operator.evaluate("(bar => bar.value / bar.max)(document.querySelector('#votes-shown progress'))") == 0.5
    operator.click("[data-name=votes-cancel]")
    expect(done).to_have_count(0)
    expect(operator.locator("[data-name=votes-look]")).to_be_enabled()
    owners.holds_files = False
    operator.click("[data-name=votes-look]")
    operator.wait_for_selector("[data-name=votes-add]")
    owners.holds_files = True
    operator.click("[data-name=votes-add]")
    expect(done).to_have_text("2,100 of 4,200")
    operator.click("[data-name=votes-cancel]")
    expect(operator.locator("#votes-shown")).to_have_text(
        "Cancelled. What was written before stays; the same file again adds the rest."
    )
    posted = [said for method, _, said in owners.requests if method == "POST"]
    assert posted == [{"name": "votes & all.csv", "texts": "false"}] * 3


def test_a_file_that_is_too_large_is_never_sent(operator: Page, owners: FakeOwners) -> None:
    show_part(operator, "votes")
    operator.evaluate("Object.defineProperty(File.prototype, 'size', { get: () => 2 ** 28 + 1 })")
    operator.set_input_files("#votes-file", FilePayload(name="a.csv", mimeType="text/csv", buffer=b"a"))
    operator.click("[data-name=votes-look]")
    expect(operator.locator("#votes-wrong")).to_contain_text("larger than 256 megabytes")
    assert not [path for method, path, _ in owners.requests if method == "POST"]


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
    expect(operator.locator("label[for=confirm-text]")).to_contain_text("optional")
    operator.fill("#confirm-text", "It answers with adverts.")
    operator.click("dialog [data-name=confirm]")
    expect(row(operator, "Heron")).to_contain_text("It answers with adverts.")
    assert owners.endpoints[1]["state"] == state


def test_the_languages_of_an_endpoint_are_shown_and_set(operator: Page, owners: FakeOwners) -> None:
    expect(row(operator, "Heron")).to_contain_text("any language")
    operator.get_by_role("button", name="Languages: Heron").click()
    expect(operator.locator("#confirm-text")).to_have_value("")
    operator.fill("#confirm-text", "en, fr")
    operator.click("dialog [data-name=confirm]")
    expect(row(operator, "Heron")).to_contain_text("English, French")
    assert owners.endpoints[1]["languages"] == ["en", "fr"]
    operator.get_by_role("button", name="Languages: Heron").click()
    expect(operator.locator("#confirm-text")).to_have_value("en, fr")


def test_whether_an_endpoint_sees_images_is_shown_and_set(operator: Page, owners: FakeOwners) -> None:
    operator.get_by_role("button", name="Images: Heron").click()
    operator.click("dialog [data-name=confirm]")
    expect(row(operator, "Heron")).to_contain_text("reads images")
    assert owners.endpoints[1]["vision"] is True


def test_the_answers_of_its_test_are_read_before_a_model_is_approved(page: Page, owners: FakeOwners) -> None:
    talk = {"question": "Why is the sky blue?", "answer": "Yes. <b>"}
    owners.report = GOOD_REPORT | {"prompts": [prompt | talk for prompt in GOOD_REPORT["prompts"]]}
    owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron")
    sign_in(page)
    expect(row(page, "Heron").locator(".a-heard dt").first).to_have_text("Why is the sky blue?")
    expect(row(page, "Heron").locator(".a-heard dd").first).to_have_text("Yes. <b>")
    page.get_by_role("button", name="Approve: Heron").click()
    expect(row(page, "Heron").locator(".a-state")).to_have_text("In battles")
    expect(row(page, "Heron").locator(".a-heard")).to_have_count(0)


def test_the_share_of_errors_says_as_of_when_it_is(page: Page, owners: FakeOwners) -> None:
    heron = owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron")
    heron["stats"] |= {"as_of": None, "calls": 0}
    magpie = owners.begin(name="Magpie", url="https://m.example/v1", wire_model="magpie")
    magpie["stats"] |= {"as_of": "2026-03-04T05:06:00Z", "calls": 20}
    sign_in(page)
    cells = [row(page, name).locator("td").nth(2) for name in ("Heron", "Magpie")]
    expect(cells[0]).to_contain_text("not counted yet")
    expect(cells[0]).not_to_contain_text("of 0 calls")
    expect(cells[1]).to_contain_text("of 20 calls")
    expect(cells[1].locator("time")).to_have_attribute("datetime", re.compile("^2026-03-04T05:06"))


def test_a_version_of_a_paused_model_is_said_to_stay_paused(page: Page, owners: FakeOwners) -> None:
    heron = owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron")
    heron |= {"state": "pending", "joins_paused": True}
    sign_in(page)
    expect(row(page, "Heron")).to_contain_text("will be paused when approved")


def test_what_was_suspended_is_resumed(operator: Page, owners: FakeOwners) -> None:
    operator.get_by_role("button", name="Resume: Magpie").click()
    expect(row(operator, "Magpie").locator(".a-state")).to_have_text("In battles")
    method, path, body = owners.requests[-1]
    assert (method, path, list(body)) == ("POST", "/operator/endpoints/2/resume", ["revision"])


def test_a_draft_says_what_its_probe_met(page: Page, owners: FakeOwners) -> None:
    owners.report = UNREACHABLE_REPORT
    owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron")
    sign_in(page)
    expect(row(page, "Heron")).to_contain_text("A sentence of the server that says what to do.")


def test_what_waits_for_approval_says_what_its_probe_met(page: Page, owners: FakeOwners) -> None:
    owners.report = UNREACHABLE_REPORT | {"problems": [{"code": "refusing", "title": "It declines."}]}
    owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron")["state"] = "pending"
    sign_in(page)
    expect(row(page, "Heron")).to_contain_text("Every answer declines an ordinary question")


@pytest.mark.alone
def test_the_key_is_in_the_memory_of_the_page_alone_and_is_forgotten_without_a_touch(page: Page) -> None:
    page.clock.install()
    sign_in(page)
    expect(page.locator("#operator-count")).to_be_visible()
    assert OPERATOR_KEY not in page.evaluate("JSON.stringify({...sessionStorage, ...localStorage})") + page.content()
    page.clock.fast_forward("15:01")
    expect(page.locator("#operator > .a-wrong")).to_contain_text("15 minutes")
    expect(page.locator("#operator-in-operator_key")).to_have_value("")
    sign_in(page)
    expect(page.locator("#operator-count")).to_be_visible()
    page.reload()
    expect(page.locator("#operator-in")).to_be_visible()


@pytest.mark.alone
def test_nothing_is_asked_after_signing_out(page: Page) -> None:
    page.clock.install()
    sign_in(page)
    expect(page.locator("#operator-count")).to_be_visible()
    with page.expect_response(HOME):
        page.clock.fast_forward("00:30")  # the page asks again by itself
    page.wait_for_load_state("networkidle")
    sign_out(page)
    paths: list[str] = []
    page.on("request", lambda request: paths.append(request.url))
    page.clock.fast_forward("02:00")
    page.wait_for_load_state("networkidle")
    assert paths == []
    expect(page.locator("#operator > .a-wrong")).to_have_count(0)


@pytest.mark.alone
def test_a_page_that_asks_again_says_what_came_of_it_and_ends_with_a_key_that_was_withdrawn(page: Page) -> None:
    page.clock.install()
    sign_in(page)
    expect(page.locator("#operator-count")).to_be_visible()
    busy, gone = errors.ShuttingDown(), errors.BadApiKey()
    page.route(HOME, lambda route: route.fulfill(status=busy.status, json={"code": busy.code, "title": busy.title}))
    page.clock.fast_forward("00:06")
    expect(page.locator("#operator-wrong")).to_be_visible()
    expect(page.locator("#operator-count")).to_be_visible()
    page.route(HOME, lambda route: route.fulfill(status=gone.status, json={"code": gone.code, "title": gone.title}))
    page.clock.fast_forward("00:06")
    expect(page.locator("#operator-in")).to_be_visible()
    expect(page.locator("#operator > .a-wrong")).to_be_visible()


def test_a_key_that_asked_to_stay_is_there_after_a_reload(page: Page) -> None:
    page.goto("/operator")
    page.check("#operator-in-stay")
    page.fill("#operator-in-operator_key", OPERATOR_KEY)
    page.click("#operator-in button[type=submit]")
    expect(page.locator("#operator-count")).to_be_visible()
    page.reload()
    expect(page.locator("#operator-count")).to_be_visible()


def test_signing_out_forgets_the_key(operator: Page) -> None:
    kept: Any = operator.evaluate("JSON.stringify({...localStorage}) + document.cookie + location.href")
    assert OPERATOR_KEY not in kept
    sign_out(operator)
    assert operator.evaluate("sessionStorage.length") == 0


def test_nothing_of_the_table_sticks_out(operator: Page) -> None:
    for width in (390, 1280):
        operator.set_viewport_size({"width": width, "height": 800})
        assert operator.evaluate("document.documentElement.scrollWidth") <= width


def test_changes_that_wait_are_shown_with_warnings_and_approved_or_refused_with_a_reason(
    page: Page, models: None, owners: FakeOwners
) -> None:
    ill = owners.endpoints[2]
    ill["pending"] = {"link": "https://chatgpt.example", "aliases": ["ChatGPT", "Elster"]}
    owners.warnings[2] = [{"field": "aliases", "text": "ChatGPT", "vendor": "OpenAI"}]
    sign_in(page)
    waits = row(page, "Magpie")
    for told in (
        "Link: – → https://chatgpt.example",
        "– → ChatGPT, Elster",
        "“ChatGPT” is a well-known name of OpenAI.",
    ):
        expect(waits).to_contain_text(told)
    page.get_by_role("button", name="Refuse changes: Magpie").click()
    page.fill("#confirm-text", "That is not yours.")
    page.click("dialog [data-name=confirm]")
    expect(waits).not_to_contain_text("chatgpt.example")
    assert ill["changes"][-1]["reason"] == "That is not yours."
    expect(waits).to_contain_text("its answers have changed")  # the reason of its state stays
    ill["pending"] = {"licence": "MIT"}
    sign_out(page)
    sign_in(page)
    page.get_by_role("button", name="Approve changes: Magpie").click()
    expect(waits.get_by_role("button", name="Approve changes")).to_have_count(0)
    assert (ill["licence"], ill["state"]) == ("MIT", "suspended")


def test_prompts_of_the_sample_are_labelled_one_after_another(operator: Page, owners: FakeOwners) -> None:
    show_part(operator, "votes")
    begin = operator.locator("[data-name=labels-begin]")
    operator.fill("#labels-reader", "anna")
    begin.click()
    expect(operator.locator("#operator-labels")).to_contain_text("Prompt 1")
    operator.click("[data-label=chat]")
    operator.click("[data-label=code]")
    expect(operator.locator("[data-label=code]")).to_have_text("2. code")
    operator.click("[data-name=labels-save]")
    expect(operator.locator("#operator-labels")).to_contain_text("Prompt 2")
    # What is chosen for the next item changes nothing of this one.
    operator.select_option("#labels-set", "flags")
    operator.fill("#labels-reader", "ben")
    operator.select_option("#labels-reading", "2")
    operator.click("[data-name=labels-save]")
    expect(operator.locator("#operator-labels")).to_contain_text("No prompts are left for you")
    assert [each.values for each in owners.label_readings] == [["chat", "code"], []]
    assert {(each.set, each.reader, each.reading) for each in owners.label_readings} == {("capabilities", "anna", 1)}


def test_thresholds_and_the_design_of_a_draft_are_set(page: Page, owners: FakeOwners) -> None:
    owners.evaluations = [draft()]
    sign_in(page, part="evaluations")
    mine = page.locator("[data-evaluation=taste]")
    expect(mine).to_contain_text("draft · Choose the better of two answers")
    mine.locator("[name=least_consistency]").fill("0.6")
    mine.locator("[name=design]").select_option("balanced")
    mine.get_by_role("button").click()
    expect(mine.get_by_role("status")).to_have_text("Saved.")
    found = owners.evaluations[0]
    assert (found.design, found.least_consistency, found.least_right) == ("balanced", 0.6, 0)


@pytest.mark.parametrize(("language", "name"), [("zh", "评测 taste：保存修改"), ("zh-TW", "評測 taste：儲存修改")])
def test_the_button_of_an_evaluation_is_called_by_its_evaluation(
    page: Page, owners: FakeOwners, language: str, name: str
) -> None:
    owners.evaluations = [draft()]
    page.goto(f"/operator?lang={language}")
    sign_in_operator(page)
    show_part(page, "evaluations")
    expect(page.locator("[data-evaluation=taste]").get_by_role("button")).to_have_accessible_name(name)


def test_which_models_meet_is_asked_only_where_answers_are_compared(page: Page, owners: FakeOwners) -> None:
    owners.evaluations = [draft().model_copy(update={"protocol": "stars"})]
    sign_in(page, part="evaluations")
    mine = page.locator("[data-evaluation=taste]")
    mine.locator("[name=least_right]").fill("0.5")
    expect(mine.locator("[name=design]")).to_have_count(0)
    mine.get_by_role("button").click()
    expect(mine.get_by_role("status")).to_have_text("Saved.")
    assert owners.evaluations[0].least_right == 0.5


def draft() -> EvaluationView:
    facts: dict[str, Any] = {"questions": 3, "items": 0, "annotations": 0, "needed": 0, "per_item": 3, "overlap": 0}
    kinds = {"state": "draft", "protocol": "pairwise", "design": "all", "public": False, "digest": None}
    limits = {"repeats": 0.02, "least_consistency": None, "least_right": None}
    return EvaluationView.model_validate(
        {"name": "taste", "created_at": now(), "closed_at": None, **facts, **kinds, **limits}
    )


def test_converted_questions_are_confirmed_written_anew_and_rejected(operator: Page, owners: FakeOwners) -> None:
    show_part(operator, "evaluations")
    begin = operator.locator("[data-name=conversions-begin]")
    operator.fill("#conversions-set", "ours")
    operator.fill("#conversions-reviewer", "anna")
    begin.click()
    work = operator.locator("#operator-conversions")
    expect(work).to_contain_text("Name a sea, number 1.")
    expect(work).to_contain_text("confirmed once: 1 · unreadable: 1")
    expect(work).to_contain_text("confirmed by ben")
    expect(work).to_contain_text("Is a lake a sea?")
    operator.click("[data-name=conversion-confirmed]")
    expect(work).to_contain_text("Name a sea, number 2.")
    expect(operator.locator("[data-name=conversion-confirmed]")).to_have_count(0)
    operator.fill("#conversion-question", "Which is one?")
    for letter in "ABCD":
        operator.fill(f"[data-option={letter}]", f"Number {letter}")
    operator.check("[name=conversion-key][value=C]")
    operator.click("[data-name=conversion-amended]")
    expect(work).to_contain_text("Name a sea, number 3.")
    operator.fill("#conversion-remark", "Two are right.")
    operator.click("[data-name=conversion-rejected]")
    expect(work).to_contain_text("No questions are left for you in this set.")
    assert [(number, said.verdict, said.remark) for number, said in owners.reviews] == [
        (1, "confirmed", ""),
        (2, "amended", ""),
        (3, "rejected", "Two are right."),
    ]
    wording = owners.reviews[1][1].wording
    assert (wording.question, wording.options[2], wording.key) == ("Which is one?", "Number C", "C")


def test_a_review_without_a_set_of_this_name_says_what_is_wrong(operator: Page) -> None:
    show_part(operator, "evaluations")
    wrong = operator.locator("#operator-conversions-wrong")
    for name, text in (("", "Enter the name of a question set."), ("nothing", "There is no such question set.")):
        operator.fill("#conversions-set", name)
        operator.click("[data-name=conversions-begin]")
        expect(wrong).to_have_text(text)
    operator.fill("#conversions-set", "ours")
    operator.click("[data-name=conversions-begin]")
    expect(wrong).to_be_hidden()


LABELS = """() => [...document.querySelectorAll("#gate-decisions tbody td, #doubtful-voters tbody td")].map((cell) => {
  const label = getComputedStyle(cell, "::before").content.slice(1, -1);
  const { left, right } = cell.getBoundingClientRect();
  return left >= 0 && right <= innerWidth ? label : "out of sight";
})"""


def test_on_a_phone_each_cell_of_the_decisions_and_voters_says_what_it_is(page: Page, owners: FakeOwners) -> None:
    owners.gate.decide()
    doubtful = VoterAdviceView(first=4_711, votes=31, improbable=0.000001, one_sided=0.5)
    owners.gate.voters = VotersView(tested=1_200, rows=[doubtful])
    sign_in(page, part="votes")
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_selector("#gate-decisions")
    page.wait_for_selector("#doubtful-voters")
    words = texts("en")
    decisions = ("decision", "weight", "why", "found", "acts")
    voters = ("first", "votes", "improbable", "one_sided")
    assert page.evaluate(LABELS) == [
        *(words[f"op.gate.head.{name}"] for name in decisions),
        *(words[f"op.voters.head.{name}"] for name in voters),
    ]


def test_a_part_is_closed_with_a_reason_opened_again_and_both_are_acts(operator: Page, owners: FakeOwners) -> None:
    operator.click("[data-name=part-voting]")
    operator.fill("#confirm-text", "The server moves")
    operator.click("[data-name=confirm]")
    closed = operator.locator("[data-part=voting][data-closed=true]")
    expect(closed).to_contain_text("The server moves")
    operator.click("[data-name=part-voting]")
    expect(operator.locator("[data-part=voting][data-closed=false]")).to_be_visible()
    assert [act.kind for act in owners.acts] == ["part_closed", "part_opened"]
    show_part(operator, "site")
    rows = operator.locator("#acts tbody tr")
    expect(rows).to_have_count(2, timeout=20_000)
    expect(rows.last).to_contain_text("Ada Lovelace")
    expect(rows.last).to_contain_text("closed a part")
    sign_out(operator)


def test_the_figures_of_the_day_and_who_acts_stand_first(operator: Page) -> None:
    expect(operator.locator("#operator-me")).to_have_text("ARENA_OPERATOR_KEY, operator")
    expect(operator.locator(".a-today [data-figure=battles] dd")).to_have_text("412")
    expect(operator.locator(".a-today [data-figure=waiting] dd")).to_have_text("2")
    sign_out(operator)


def test_older_acts_are_read_on_request(page: Page, owners: FakeOwners) -> None:
    for number in range(45):
        owners.do("vote_excluded", str(number))
    sign_in(page, part="site")
    rows = page.locator("#acts tbody tr")
    expect(rows).to_have_count(20)
    page.click("[data-name=acts-older]")
    expect(rows).to_have_count(40)
    page.click("[data-name=acts-older]")
    expect(rows).to_have_count(45)
    expect(page.locator("[data-name=acts-older]")).to_have_count(0)
    sign_out(page)


@pytest.mark.parametrize(
    ("role", "hidden", "shown"),
    [
        (OperatorRole.VIEWER, ["suspend", "part-chats", "draft", "labels-begin", "page-publish"], ["site-export"]),
        (OperatorRole.MODERATOR, ["suspend", "part-chats", "draft", "page-publish"], ["labels-begin", "site-export"]),
        (OperatorRole.OWNER, [], ["suspend", "part-chats", "labels-begin", "page-publish"]),
    ],
)
def test_what_a_role_may_not_use_is_not_sent(
    page: Page, owners: FakeOwners, models: None, role: OperatorRole, hidden: list[str], shown: list[str]
) -> None:
    owners.person = OperatorView(name="Ada Lovelace", via="key", role=role)
    sign_in(page)
    expect(page.locator("#operator-me")).to_have_text(f"Ada Lovelace, {texts('en')[f'op.role.{role}']}")
    expect(page.locator("#operator-rows tr")).to_have_count(2)
    for name in shown:
        expect(page.locator(f"[data-name={name}]")).not_to_have_count(0)
    for name in hidden:
        expect(page.locator(f"[data-name={name}], #{name}")).to_have_count(0)
    expect(page.locator("#labels-reader")).to_have_count(0)  # a person with a name labels under it


def test_one_part_is_shown_and_the_address_names_it(operator: Page) -> None:
    shown = operator.locator(".a-part:visible")
    current = operator.locator(".a-parts-of [aria-current]")
    for name in ("evaluations", "votes", "site", "models"):
        show_part(operator, name)
        expect(shown).to_have_count(1)
        expect(shown).to_have_attribute("data-part-name", name)
        expect(current).to_have_attribute("href", f"#{name}")
        assert operator.url.endswith(f"/operator#{name}")
    operator.go_back()
    expect(shown).to_have_attribute("data-part-name", "site")
    operator.evaluate("location.hash = 'nothing'")
    expect(shown).to_have_attribute("data-part-name", "models")
    sign_out(operator)
    expect(operator.locator(".a-parts-of")).to_be_hidden()


def test_imported_models_are_folded_without_acts_or_warnings(page: Page, models: None, owners: FakeOwners) -> None:
    old = owners.begin(name="GPT 4", url="https://g.example/v1", wire_model="gpt")
    owners.move(old, "imported", "imported")
    owners.warnings[old["id"]] = [{"field": "name", "text": "GPT 4", "vendor": "OpenAI"}]
    sign_in(page)
    expect(page.locator("#operator-rows tr")).to_have_count(2)
    expect(page.locator("#operator-count")).to_contain_text("2 models")
    expect(page.locator("#imported-models")).to_be_hidden()
    page.click("#imported-count")
    expect(page.locator("#imported-models li")).to_have_text("GPT 4 0 votes")
    expect(page.locator("#operator")).not_to_contain_text("well-known name of OpenAI")


def test_a_model_that_is_not_allowed_for_evaluations_says_so_and_is_allowed_by_a_button(
    operator: Page, owners: FakeOwners
) -> None:
    owners.billed = False
    operator.click("[data-name=approve][aria-label*=Heron]")
    show_part(operator, "evaluations")
    operator.fill("#draft-content", "What is 17 + 25?")
    heron = operator.locator(".a-candidate", has_text="Heron")
    expect(heron).to_contain_text("not allowed for evaluations")
    expect(heron.locator("[data-model]")).to_be_disabled()
    operator.click("[data-name=allow-Heron]")
    expect(operator.locator("dialog")).to_contain_text("Heron Labs does not pay for its calls")
    operator.click("[data-name=confirm]")
    expect(heron.locator("[data-model]")).to_be_enabled()
    expect(heron).not_to_contain_text("not allowed")
    expect(operator.locator("#draft-content")).to_have_value("What is 17 + 25?")
    assert owners.endpoints[1]["uses"][0]["allowed"] is True


def test_a_model_whose_owner_pays_says_that_only_the_owner_can_allow_it(operator: Page) -> None:
    operator.click("[data-name=approve][aria-label*=Heron]")
    show_part(operator, "evaluations")
    heron = operator.locator(".a-candidate", has_text="Heron")
    expect(heron).to_contain_text("Heron Labs, who pays for the calls, can allow it on the owner page")
    expect(heron.locator("button")).to_have_count(0)


def test_a_named_owner_without_an_account_is_not_said_to_pay(operator: Page, owners: FakeOwners) -> None:
    owners.billed = False
    operator.click("[data-name=approve][aria-label*=Heron]")
    show_part(operator, "evaluations")
    operator.click("[data-name=allow-Heron]")
    expect(operator.locator("dialog")).to_contain_text("Heron Labs does not pay for its calls")
    expect(operator.locator("dialog")).to_contain_text("this arena pays")
    expect(operator.locator("dialog")).not_to_contain_text("paid by")


def test_a_model_without_a_named_owner_says_who_pays_and_not_that_unknown_does(
    operator: Page, owners: FakeOwners
) -> None:
    owners.name, owners.billed = "unknown", False
    operator.reload()
    sign_in(operator)
    expect(operator.locator("#operator-rows")).not_to_contain_text("unknown")
    expect(operator.locator("#operator-rows tr").first).to_contain_text("unnamed owner")
    operator.click("[data-name=approve][aria-label*=Heron]")
    show_part(operator, "evaluations")
    operator.click("[data-name=allow-Heron]")
    expect(operator.locator("dialog")).to_contain_text("Nobody is named as its owner.")
    expect(operator.locator("dialog")).not_to_contain_text("unknown")


def test_the_link_to_add_a_model_leads_to_its_form_which_says_what_the_test_met(page: Page, models: None) -> None:
    page.goto("/operator#add")
    sign_in_operator(page)
    page.select_option("#add-preset", index=0)
    page.fill("#add-key", "wrong")
    page.fill("#add-wire_model", "heron-large")
    expect(page.locator("#add-wire_model-help")).to_contain_text("Exactly as the vendor’s documentation spells it.")
    expect(page.locator("#add-key-help")).to_contain_text("sent only to the vendor")
    page.fill("#add-name", "Heron Large")
    page.click("#add button[type=submit]")
    expect(page.locator("#operator-added")).to_contain_text("Heron Large was not added.")
    expect(page.locator("#operator-added")).to_contain_text("The server rejects the key (401 or 403).")
    page.fill("#add-key", "right")
    page.click("#add button[type=submit]")
    expect(page.locator("#model-added")).to_have_text("Now in battles: Heron Large.")
    expect(row(page, "Heron Large").locator(".a-state")).to_have_text("In battles")


def test_models_of_this_machine_are_found_on_a_button_and_added_by_another(operator: Page, owners: FakeOwners) -> None:
    operator.click("#operator-add > summary")
    expect(operator.locator("[data-name=local-look]")).to_be_visible()
    assert not [path for _, path, _ in owners.requests if path == "/operator/local-servers"]
    operator.click("[data-name=local-look]")
    operator.click("[data-name='add-heron:3b']")
    expect(operator.locator("#model-added")).to_have_text("Now in battles: heron:3b.")
    expect(operator.locator("#operator-local")).to_contain_text("takes part as heron:3b")
    expect(operator.locator("[data-name='add-heron:3b']")).to_have_count(0)
    expect(operator.locator("[data-name='add-plover:4b']")).to_be_visible()
    expect(operator.locator("#add-model")).to_contain_text("arena endpoints add NAME --private --url ADDRESS")
