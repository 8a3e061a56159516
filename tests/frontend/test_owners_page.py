"""The owners' page in a real browser, against the contract."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from arena.api.http.problems import problem
from arena.domain import errors
from arena.domain.schemas.integrity import GatedRatingView
from arena.domain.schemas.operators import PartView
from arena.domain.terms import Part
from arena.usecases.endpoints.states import because
from arena_frontend.texts import LANGUAGES

from .fake_gate import MADE_AT
from .fake_owners import GOOD_REPORT, UNREACHABLE_REPORT, FakeOwners, now, stats
from .resting import load_once

pytestmark = [pytest.mark.resting, pytest.mark.owners]

SUBMIT = "button[type=submit]"
STATE = "#endpoint-state .a-state"


@pytest.fixture
def signed_in(page: Page, owners: FakeOwners) -> Page:
    """An owner who asked to stay signed in over reloads."""
    begin(page)
    return sign_in(page, owners, stay=True)


def begin(page: Page) -> None:
    load_once(page, lambda: page.goto("/owners"))


def sign_in(page: Page, owners: FakeOwners, *, stay: bool) -> Page:
    owners.signed_up = True
    page.fill("#signin-api_key", f"  {owners.key}\n")
    page.set_checked("#signin-stay", stay)
    page.click(f"#signin {SUBMIT}")
    page.wait_for_selector("#account")
    return page


def open_form(page: Page) -> None:
    page.click("#register-new")
    page.wait_for_selector("#register")
    page.fill("#register-name", "Heron-7B")
    page.select_option("#register-source", "custom")
    page.fill("#register-url", "https://api.heron.example/v1")
    page.fill("#register-wire_model", "heron-7b-chat")


def stored(page: Page) -> str:
    """Everything a script could find again, and the address."""
    kept = page.evaluate("JSON.stringify({...localStorage}) + document.cookie + location.href + document.referrer")
    assert isinstance(kept, str)
    return kept


def test_an_owner_is_told_what_the_gate_does_objects_and_reads_the_answer(signed_in: Page, owners: FakeOwners) -> None:
    made = owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron")
    owners.gate.row = GatedRatingView(name="Heron", bt=1010, bt_low=990, bt_high=1030, bt_without=1100, votes=1_200)
    signed_in.goto(f"/owners#endpoint-{made['id']}")
    told = signed_in.locator("#endpoint-weighed")
    expect(told).to_contain_text("reduced the weight of 1,200 votes on your model")
    signed_in.click("[data-name=object]")
    signed_in.fill("#confirm-text", "A class voted.")
    signed_in.click("[data-name=confirm]")
    expect(told).to_contain_text("The operator has not answered yet.")
    expect(signed_in.locator("[data-name=object]")).to_have_count(0)
    answered = {"answer": "They count again.", "answered_at": MADE_AT}
    owners.gate.objections[0] = owners.gate.objections[0].model_copy(update=answered)
    signed_in.reload()
    expect(told).to_contain_text("They count again.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_owner_without_a_contact_has_none_on_the_page(page: Page, owners: FakeOwners, language: str) -> None:
    owners.contact = None
    load_once(page, lambda: page.goto(f"/owners?lang={language}"))
    sign_in(page, owners, stay=True)
    expect(page.locator("#account p").first).to_have_text("Heron Labs")


def test_a_newcomer_signs_up_and_sees_the_key_once(page: Page, owners: FakeOwners) -> None:
    begin(page)
    page.fill("#signup-name", "Heron Labs")
    page.fill("#signup-contact", "me@heron.example")
    page.click(f"#signup {SUBMIT}")
    expect(page.locator("#api-key")).to_have_value(owners.key)
    expect(page.locator("#key-shown .a-warn")).to_contain_text("shown only once")
    page.click("[data-name=kept]")
    expect(page.locator("#account")).to_contain_text("Heron Labs")
    assert owners.key not in page.content()
    assert owners.key not in stored(page)


def test_a_missing_invitation_is_told_at_its_field_and_nothing_typed_is_lost(page: Page, owners: FakeOwners) -> None:
    owners.invitation = "come in"
    begin(page)
    page.fill("#signup-name", "Heron Labs")
    page.fill("#signup-contact", "me@heron.example")
    page.click(f"#signup {SUBMIT}")
    expect(page.locator("#signup-invitation-wrong")).to_contain_text("invitation code")
    expect(page.locator("#signup-invitation")).to_be_focused()
    expect(page.locator("#signup-contact")).to_have_value("me@heron.example")
    page.fill("#signup-invitation", "come in")
    page.click(f"#signup {SUBMIT}")
    expect(page.locator("#api-key")).to_be_visible()


@pytest.mark.parametrize("key", ["arena_0000_wrong", "钥匙"])
def test_a_wrong_key_opens_nothing_and_is_not_kept(page: Page, owners: FakeOwners, key: str) -> None:
    owners.signed_up = True
    begin(page)
    page.fill("#signin-api_key", key)
    page.click(f"#signin {SUBMIT}")
    expect(page.locator("#signin-wrong")).to_contain_text("not valid")
    assert not page.evaluate("sessionStorage.getItem('arena_owner_key')")


def test_the_key_is_in_the_memory_of_the_page_alone_unless_it_is_asked_to_stay(page: Page, owners: FakeOwners) -> None:
    page.goto("/owners")
    expect(page.locator("#known-owner .a-hint").first).to_contain_text("do nothing for 15 minutes")
    sign_in(page, owners, stay=False)
    assert owners.key not in page.content() + stored(page) + page.evaluate("JSON.stringify({...sessionStorage})")
    page.reload()
    expect(page.locator("#signin-api_key")).to_have_value("")
    page.wait_for_selector("#signin")
    sign_in(page, owners, stay=False)
    page.goto("/about")
    page.go_back()
    expect(page.locator("#signin-api_key")).to_have_value("")


@pytest.mark.alone
@pytest.mark.parametrize("stay", [False, True])
def test_the_key_is_forgotten_when_nothing_was_touched_for_a_quarter_of_an_hour(
    page: Page, owners: FakeOwners, *, stay: bool
) -> None:
    page.clock.install()
    page.goto("/owners")
    sign_in(page, owners, stay=stay)
    page.clock.fast_forward("14:00")
    page.click("[data-name=rotate]")
    page.clock.fast_forward("14:00")
    expect(page.locator("dialog")).to_be_visible()
    page.clock.fast_forward("01:01")
    expect(page.locator("#owners > .a-wrong")).to_contain_text("15 minutes")
    expect(page.locator("#signin-api_key")).to_have_value("")
    expect(page.locator("dialog")).to_have_count(0)
    assert page.evaluate("sessionStorage.length") == 0


def test_a_key_whose_time_went_by_while_the_tab_was_closed_opens_nothing(signed_in: Page, owners: FakeOwners) -> None:
    signed_in.evaluate("sessionStorage.setItem('arena_owner_key_until', Date.now() - 1)")
    kept = signed_in.evaluate("({...sessionStorage})")
    assert kept["arena_owner_key"] == owners.key
    signed_in.reload()
    expect(signed_in.locator("#signin")).to_be_visible()
    assert signed_in.evaluate("sessionStorage.length") == 0


def test_a_key_that_asked_to_stay_lives_as_long_as_the_tab(signed_in: Page, owners: FakeOwners) -> None:
    signed_in.reload()
    expect(signed_in.locator("#account")).to_be_visible()
    assert owners.key not in stored(signed_in)
    other = signed_in.context.new_page()
    other.goto(signed_in.url)
    expect(other.locator("#signin")).to_be_visible()
    signed_in.click("[data-name=signout]")
    expect(signed_in.locator("#signin")).to_be_visible()
    assert signed_in.evaluate("sessionStorage.length") == 0


def test_a_key_that_was_replaced_elsewhere_leads_back_to_the_door(signed_in: Page, owners: FakeOwners) -> None:
    owners.key = "arena_0009_other"
    signed_in.reload()
    expect(signed_in.locator("#owners > .a-wrong")).to_contain_text("not valid")
    expect(signed_in.locator("#signin")).to_be_visible()


def test_what_is_missing_is_told_before_anything_is_sent(signed_in: Page, owners: FakeOwners) -> None:
    signed_in.click("#register-new")
    signed_in.click(f"#register {SUBMIT}")
    expect(signed_in.locator("#register-name-wrong")).to_be_visible()
    expect(signed_in.locator("#register-name")).to_be_focused()
    expect(signed_in.locator("#register-url")).to_be_hidden()
    assert not owners.requests
    signed_in.fill("#register-name", "H")
    expect(signed_in.locator("#register-name-wrong")).to_be_hidden()


LINE = {"field": "wire_model", "rule": "line", "limit": 200}
NUMBER = {"field": "top_p", "rule": "number", "low": 0, "high": 1}


REFUSALS = {
    "name": errors.NameTaken(),
    "unlisted": errors.UnlistedLimit(limit=3, days=90),
    "url": errors.Invalid(field="url", rule="url"),
    "top_p": errors.Invalid(problems=[LINE, NUMBER]),
    "max_tokens": errors.Invalid(field="max_tokens", rule="number", low=1, high=1_000_000),
}


def test_a_refusal_appears_at_the_field_it_speaks_of_and_empties_nothing(signed_in: Page, owners: FakeOwners) -> None:
    open_form(signed_in)
    signed_in.fill("#register-key", "sk-typed")
    for field, owners.refuse in REFUSALS.items():
        signed_in.click(f"#register {SUBMIT}")
        expect(signed_in.locator(f"#register-{field}-wrong")).to_be_visible()
        assert signed_in.locator(f"#register-{field}").get_attribute("aria-invalid") == "true"
        expect(signed_in.locator("#register-wrong")).to_be_hidden()
        expect(signed_in.locator("#register-name")).to_have_value("Heron-7B")
        expect(signed_in.locator("#register-key")).to_have_value("sk-typed")
        assert not owners.endpoints


def test_a_refusal_is_told_in_the_readers_language(signed_in: Page, owners: FakeOwners) -> None:
    signed_in.goto("/owners?lang=zh")
    open_form(signed_in)
    owners.refuse = errors.Invalid("url: whatever English says", field="url", rule="public_https")
    signed_in.click(f"#register {SUBMIT}")
    expect(signed_in.locator("#register-url-wrong")).to_have_text(
        "公开的模型须通过 443 端口的 https 调用，其他地址只有运营者能放行"
    )


def test_a_refusal_of_no_field_is_one_line_of_the_form(signed_in: Page, owners: FakeOwners) -> None:
    open_form(signed_in)
    owners.refuse = errors.RateLimited()
    signed_in.click(f"#register {SUBMIT}")
    expect(signed_in.locator("#register-wrong")).to_contain_text("Too many requests")
    owners.refuse = errors.RateLimited(rule="probes", limit=10, retry_after=40)
    signed_in.click(f"#register {SUBMIT}")
    expect(signed_in.locator("#register-wrong")).to_have_text(
        "Too many tests: the limit in an hour is 10. Try again in 40 s."
    )
    expect(signed_in.locator(f"#register {SUBMIT}")).to_be_enabled()


def test_what_was_typed_survives_a_reload_but_for_the_key(signed_in: Page) -> None:
    open_form(signed_in)
    signed_in.fill("#register-key", "sk-typed")
    signed_in.check("#register-unlisted")
    signed_in.reload()
    expect(signed_in.locator("#register-url")).to_have_value("https://api.heron.example/v1")
    expect(signed_in.locator("#register-unlisted")).to_be_checked()
    expect(signed_in.locator("#register-key")).to_have_value("")
    assert "sk-typed" not in json.dumps(signed_in.evaluate("({...sessionStorage, ...localStorage})"))


def test_what_is_typed_is_what_is_sent(signed_in: Page, owners: FakeOwners) -> None:
    open_form(signed_in)
    signed_in.fill("#register-key", " sk-typed ")
    signed_in.fill("#register-billions", "7.5")
    signed_in.fill("#register-languages", "en，zh")
    signed_in.fill("#register-daily_calls", "5000")
    signed_in.select_option("#register-open_weights", "true")
    signed_in.check("#register-unlisted")
    signed_in.check("#register-vision")
    signed_in.click("#register summary")
    signed_in.fill("#register-aliases", "Heron, 苍鹭， Reiher")
    signed_in.click(f"#register {SUBMIT}")
    signed_in.wait_for_selector("#probe")
    _, path, sent = owners.requests[-1]
    assert path == "/endpoints"
    assert sent == {
        "name": "Heron-7B",
        "dialect": "openai_chat",
        "url": "https://api.heron.example/v1",
        "wire_model": "heron-7b-chat",
        "key": "sk-typed",
        "billions": 7.5,
        "open_weights": True,
        "listed": False,
        "daily_calls": 5000,
        "languages": ["en", "zh"],
        "vision": True,
        "aliases": ["Heron", "苍鹭", "Reiher"],
    }


def test_a_language_that_the_arena_does_not_know_is_said_at_its_field(signed_in: Page, owners: FakeOwners) -> None:
    open_form(signed_in)
    signed_in.fill("#register-languages", "klingon")
    owners.refuse = errors.Invalid(field="languages", rule="choice", choices=["en", "zh"])
    signed_in.click(f"#register {SUBMIT}")
    expect(signed_in.locator("#register-languages-wrong")).to_have_text("One of: en, zh")
    signed_in.fill("#register-languages", "zh")
    owners.refuse = errors.NameTaken()
    signed_in.click(f"#register {SUBMIT}")
    expect(signed_in.locator("#register-name-wrong")).not_to_be_empty()
    expect(signed_in.locator("#register-languages-wrong")).to_be_hidden()
    expect(signed_in.locator("#register-languages-wrong")).to_be_empty()
    signed_in.click(f"#register {SUBMIT}")
    expect(signed_in.locator("#endpoint-next")).to_contain_text("Chinese")


def test_a_vendor_is_chosen_by_name_and_asks_for_its_key(signed_in: Page, owners: FakeOwners) -> None:
    signed_in.click("#register-new")
    signed_in.fill("#register-name", "Deep")
    signed_in.fill("#register-wire_model", "deepseek-chat")
    signed_in.click(f"#register {SUBMIT}")
    expect(signed_in.locator("#register-key-wrong")).to_be_visible()
    signed_in.select_option("#register-preset", "vllm")
    signed_in.click(f"#register {SUBMIT}")
    signed_in.wait_for_selector("#probe")
    sent = owners.requests[-1][2]
    assert (sent["preset"], "url" in sent, "key" in sent) == ("vllm", False, False)


def test_the_probe_is_followed_until_its_report(signed_in: Page, owners: FakeOwners) -> None:
    owners.probe_done = False
    open_form(signed_in)
    signed_in.click(f"#register {SUBMIT}")
    expect(signed_in.locator(STATE)).to_have_text("Being tested")
    expect(signed_in.locator(".a-probing")).to_be_visible()
    owners.end_probe(owners.endpoints[1])
    expect(signed_in.locator(STATE)).to_have_text("Waiting for approval")
    expect(signed_in.locator(".a-probing")).to_have_count(0)
    expect(signed_in.locator(".a-checks li[data-result=good]")).to_have_count(4 + len(GOOD_REPORT["prompts"]))
    expect(signed_in.locator(".a-checks")).to_contain_text("first token 0.18 s")
    expect(signed_in.locator(".a-checks")).to_contain_text("streams in 42 pieces · ended normally")


def test_a_probe_that_ends_is_seen_in_the_list_and_leaves_the_focus_alone(signed_in: Page, owners: FakeOwners) -> None:
    owners.probe_done = False
    made = owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron")
    signed_in.reload()
    expect(signed_in.locator(".a-endpoints .a-state")).to_have_text("Being tested")
    signed_in.focus("[data-name=signout]")
    owners.end_probe(made)
    expect(signed_in.locator(".a-endpoints .a-state")).to_have_text("Waiting for approval")
    expect(signed_in.locator("[data-name=signout]")).to_be_focused()


def test_an_endpoint_that_is_not_there_is_said_so_with_a_way_back(signed_in: Page) -> None:
    signed_in.goto("/owners#endpoint-77")
    expect(signed_in.locator("#owners > .a-wrong")).to_have_text("You have no such model.")
    signed_in.click("#owners a[href='/owners#']")
    expect(signed_in.locator("#account")).to_be_visible()


def test_a_probe_that_fails_says_what_to_do_and_can_be_repeated(signed_in: Page, owners: FakeOwners) -> None:
    owners.report = UNREACHABLE_REPORT
    open_form(signed_in)
    signed_in.click(f"#register {SUBMIT}")
    expect(signed_in.locator(".a-problems")).to_have_text("A sentence of the server that says what to do.")
    owners.report = GOOD_REPORT
    signed_in.click("[data-name=probe]")
    expect(signed_in.locator(STATE)).to_have_text("Waiting for approval")
    expect(signed_in.locator("#probe summary")).to_have_text("1 earlier report")


def test_an_address_that_a_test_has_found_is_taken_by_a_button(signed_in: Page, owners: FakeOwners) -> None:
    found = {"code": "looks_like", "title": "", "dialect": "ollama", "url": "http://h.example:11434"}
    owners.report = {**UNREACHABLE_REPORT, "problems": [found]}
    open_form(signed_in)
    signed_in.click(f"#register {SUBMIT}")
    expect(signed_in.locator(".a-problems")).to_contain_text("It works at http://h.example:11434 (Ollama).")
    expect(signed_in.locator("#endpoint-proof")).to_be_empty()
    with signed_in.expect_request(lambda request: request.method == "PATCH") as sent:
        signed_in.click("[data-name=use-address]")
    assert sent.value.post_data_json == {"dialect": "ollama", "url": "http://h.example:11434", "preset": None}
    signed_in.wait_for_url("**/owners#endpoint-2")
    expect(signed_in.locator("h2:has(#endpoint-state)")).to_contain_text("v2")
    signed_in.goto("/owners#endpoint-1")
    expect(signed_in.locator(STATE)).to_have_text("Retired")
    expect(signed_in.locator(".a-problems")).to_contain_text("It works at")
    expect(signed_in.locator("[data-name=use-address]")).to_have_count(0)
    expect(signed_in.locator(".a-next")).to_have_text("It is retired for good. It took part in no battle.")
    signed_in.click("#endpoint-newer")
    signed_in.wait_for_url("**/owners#endpoint-2")


def test_the_address_names_a_model_once_it_is_registered(signed_in: Page, owners: FakeOwners) -> None:
    owners.report = UNREACHABLE_REPORT
    open_form(signed_in)
    signed_in.click(f"#register {SUBMIT}")
    expect(signed_in.locator(".a-problems")).to_be_visible()
    assert signed_in.url.endswith("/owners#endpoint-1")


def test_the_proof_says_which_file_holds_which_text(signed_in: Page, owners: FakeOwners) -> None:
    made = owners.begin(name="Heron", url="https://h.example/v1", wire_model="h")
    made["challenge"] = {"url": "https://h.example/.well-known/arena/1", "token": "arena-proof-1"}
    made["proven"] = False
    owners.move(made, "draft", "not proven")
    signed_in.goto(f"/owners#endpoint-{made['id']}")
    expect(signed_in.locator("#challenge-url")).to_have_value(made["challenge"]["url"])
    expect(signed_in.locator("#challenge-token")).to_have_value("arena-proof-1")
    expect(signed_in.locator(".a-next")).to_contain_text("prove that this server is yours")


def test_battles_that_are_not_counted_yet_are_no_zero_beside_counted_votes(signed_in: Page, owners: FakeOwners) -> None:
    made = owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron-7b")
    made |= {"votes": 12, "stats": stats() | {"votes": 12}}
    signed_in.reload()
    expect(signed_in.locator(".a-endpoints small")).to_have_text("battles not counted yet · 12 votes · heron-7b")
    signed_in.goto("/owners#endpoint-1")
    for place, text in enumerate(("not counted yet", "–", "12")):
        expect(signed_in.locator("#record dd").nth(place)).to_have_text(text)
    expect(signed_in.locator("#today")).to_contain_text("not counted yet")
    made |= {"battles": 0, "counted_until": "2026-11-01T14:00:00Z"}
    signed_in.goto("/owners")
    listed = signed_in.locator(".a-endpoints small")
    time = signed_in.locator(".a-endpoints time")
    expect(time).to_have_attribute("datetime", "2026-11-01T14:00:00+00:00")
    expect(time).not_to_contain_text("UTC")
    expect(listed).to_have_text(re.compile(r"^0 battles until Nov \d, 2026, \S+\s[AP]M · 12 votes now · heron-7b$"))


@pytest.fixture
def active(signed_in: Page, owners: FakeOwners) -> Page:
    made = owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron-7b")
    owners.move(made, "active", "approved", "operator")
    made |= {"stats": stats(400), "fingerprint": {"checked_at": now(), "p_value": 0.0001, "flagged": True}}
    made["budget"]["daily_calls"] = 50
    signed_in.goto("/owners#endpoint-1")
    expect(signed_in.locator(STATE)).to_have_text("In battles")
    return signed_in


@pytest.mark.parametrize(("origin", "cause"), [(None, "has no key for it"), ("https://h.example", "cannot open")])
def test_a_model_without_a_key_is_not_said_to_play(
    active: Page, owners: FakeOwners, origin: str | None, cause: str
) -> None:
    owners.endpoints[1] |= {"state": "paused", "keyless": True, "has_key": True, "key_origin": origin}
    active.reload()
    expect(active.locator(STATE)).to_have_text("Paused")
    expect(active.locator("#endpoint-next")).to_contain_text(cause)
    expect(active.locator("#endpoint-next")).to_contain_text("Store the key below")
    expect(active.locator("#endpoint-next")).not_to_contain_text("You paused it")
    expect(active.locator("[data-name=resume]")).to_have_count(0)
    expect(active.locator("#key-state")).to_contain_text(cause)
    active.click(".a-back a")
    expect(active.locator("#endpoint-list")).to_contain_text(cause)


def test_a_key_in_a_variable_of_the_operator_is_said_so_and_cannot_be_deleted(active: Page, owners: FakeOwners) -> None:
    owners.endpoints[1] |= {"has_key": True, "key_origin": None}
    active.reload()
    expect(active.locator("#key-state")).to_contain_text("The operator has set its key where the arena runs.")
    expect(active.locator("#key-drop")).to_have_count(0)
    owners.endpoints[1] |= {"key_origin": "https://h.example"}
    active.reload()
    expect(active.locator("#key-drop")).to_be_visible()


def test_a_retired_model_leads_to_its_public_page_only_if_it_took_part(signed_in: Page, owners: FakeOwners) -> None:
    for name, *states in (("Heron", "retired"), ("Wren", "active", "retired")):
        made = owners.begin(name=name, url="https://h.example/v1", wire_model="m")
        for state in states:
            owners.move(made, state, "by the owner", "owner")
    for number, count in ((1, 0), (2, 1)):
        signed_in.goto(f"/owners#endpoint-{number}")
        expect(signed_in.locator("h2 .a-state")).to_have_text("Retired")
        expect(signed_in.get_by_role("link", name="Public page")).to_have_count(count)


def test_a_closed_registration_is_said_before_anybody_fills_a_form(page: Page, owners: FakeOwners) -> None:
    owners.parts[Part.REGISTRATION] = PartView(part=Part.REGISTRATION, closed=True)
    page.goto("/owners")
    expect(page.locator("#new-owner")).to_contain_text("New owners and models are not accepted for now")
    expect(page.locator("#signup-name")).to_have_count(0)
    expect(page.locator("#signin-api_key")).to_be_visible()


@pytest.mark.parametrize("part", ["new", "proxy"])
def test_a_closed_registration_is_said_to_who_has_signed_in(signed_in: Page, owners: FakeOwners, part: str) -> None:
    owners.parts[Part.REGISTRATION] = PartView(part=Part.REGISTRATION, closed=True)
    signed_in.goto(f"/owners#{part}")
    expect(signed_in.locator("#owners")).to_contain_text("New owners and models are not accepted for now")
    expect(signed_in.locator("#owners form")).to_have_count(0)


def test_a_failed_test_says_that_a_newer_key_has_been_stored(signed_in: Page, owners: FakeOwners) -> None:
    owners.report = UNREACHABLE_REPORT
    made = owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron")
    owners.move(made, "draft", "failed", "health")
    made["probes"] = [{"at": "2026-01-01T00:00:00Z", "passed": False, "report": UNREACHABLE_REPORT}]
    signed_in.goto("/owners#endpoint-1")
    expect(signed_in.locator(".a-report")).not_to_contain_text("A key has been stored since this test")
    made["key_stored_at"] = "2026-01-02T00:00:00Z"
    signed_in.reload()
    expect(signed_in.locator(".a-report")).to_contain_text("A key has been stored since this test")


def test_what_states_the_same_weights_is_named_by_its_act(active: Page) -> None:
    expect(active.locator(f"#same-as-form {SUBMIT}")).to_have_text("Say it is the same model")


def test_record_budget_health_and_history_are_shown(active: Page) -> None:
    expect(active.locator("#record")).to_contain_text("56.3% 51.3% – 61.1%")
    expect(active.locator("#record")).to_contain_text("8.8% too slow 28 · too many requests 7")
    expect(active.locator("#record")).to_contain_text("0.24 s slowest 5 %: 1.31 s")
    expect(active.locator("#record")).to_contain_text("Slower than today's pace")
    expect(active.locator("#today")).to_contain_text("3 of 50")
    expect(active.locator("#today")).to_contain_text("its answers have changed")
    expect(active.locator("#life li").first).to_contain_text("Waiting for approval → In battles approved (operator)")


def test_a_use_beyond_battles_is_allowed_with_a_cap_of_its_own(active: Page, owners: FakeOwners) -> None:
    active.check("#use-evaluations-allowed")
    active.fill("#use-evaluations-daily_calls", "500")
    active.click("#use-evaluations button")
    expect(active.locator("#use-evaluations")).to_contain_text("people judge")
    expect(active.locator("#use-evaluations .a-saved")).to_have_text("Saved.")
    evaluations, judging, _ = owners.endpoints[1]["uses"]
    assert (evaluations["allowed"], evaluations["daily_calls"]) == (True, 500)
    assert not judging["allowed"]


def test_settings_of_a_model_are_kept_under_a_name_as_versions(active: Page, owners: FakeOwners) -> None:
    active.click("#configurations summary")
    active.fill("#configuration-name", "short")
    active.fill("#configuration-temperature", "0.2")
    active.fill("#configuration-template", "In short: {prompt}")
    active.click("#configuration button[type=submit]")
    expect(active.locator("#configuration-list li")).to_have_text(
        "short Version 1 Temperature · Template 0123456789abcdef"
    )
    (kept,) = owners.configurations
    assert kept.settings.model_dump(exclude_none=True) == {"temperature": 0.2, "template": "In short: {prompt}"}


@pytest.mark.parametrize(
    ("refusal", "text"),
    [
        (errors.Invalid(field="template", rule="template"), "须恰好包含一次 {prompt}"),
        (errors.Invalid(rule="no_setting"), "配置至少要改变一项"),
        (errors.Conflict(rule="model_name", name="short"), "“short”是一个模型的名称"),
        (errors.Conflict(rule="model_lookalike", name="short", other="sh0rt"), "“short”与模型名称“sh0rt”相似"),
        (errors.Conflict(rule="configurations", limit=200), "一个模型的配置最多有 200 个版本。"),
    ],
    ids=str,
)
def test_a_refused_configuration_is_told_in_the_language_of_the_page(
    active: Page, refusal: errors.ArenaError, text: str
) -> None:
    active.goto("/owners?lang=zh#endpoint-1")
    answer = bytes(problem(refusal).body)
    active.route(
        "**/endpoints/1/configurations",
        lambda route: (
            route.fulfill(status=refusal.status, body=answer) if route.request.method == "POST" else route.fallback()
        ),
    )
    active.click("#configurations summary")
    active.fill("#configuration-name", "short")
    active.fill("#configuration-template", "In short: {prompt}")
    active.click("#configuration button[type=submit]")
    expect(active.locator("#configurations")).to_contain_text(text)
    assert refusal.detail
    expect(active.locator("#configurations")).not_to_contain_text(refusal.detail)


def test_pause_and_resume_are_one_press_and_are_dated(active: Page) -> None:
    active.click("[data-name=pause]")
    expect(active.locator("h2[tabindex]")).to_be_focused()
    expect(active.locator(STATE)).to_have_text("Paused")
    active.click("[data-name=resume]")
    expect(active.locator(STATE)).to_have_text("In battles")
    expect(active.locator("#life li")).to_have_count(6)


def test_the_history_is_told_in_the_readers_language(active: Page, owners: FakeOwners) -> None:
    for why in (
        because("approved"),
        because("changed", fields=["licence", "link"]),
        because("failing", share=0.0875, calls=200, most=0.05, error="timed_out"),
        "请换一个 licence",
        "a sentence that an older arena stored",
    ):
        owners.move(owners.endpoints[1], "active", why, "operator")
    active.goto("/owners?lang=zh")
    active.goto("/owners#endpoint-1")
    told = active.locator("#life li")
    expect(told.nth(4)).to_contain_text("运营者已批准（")
    expect(told.nth(3)).to_contain_text("修改了：许可协议、链接")
    expect(told.nth(2)).to_contain_text("最近 200 次调用有 8.75% 失败，超过 5%；最常见：")
    expect(told.nth(1)).to_contain_text("请换一个 licence")
    expect(told.nth(0)).to_contain_text("a sentence that an older arena stored")


def test_retiring_says_what_becomes_of_the_results(active: Page, owners: FakeOwners) -> None:
    told = active.locator("dialog")
    active.click("[data-name=retire]")
    expect(told).to_contain_text("Its votes stay, and it stays on the leaderboard, however few they are.")
    active.keyboard.press("Escape")
    owners.endpoints[1]["listed"] = False
    active.reload()
    active.click("[data-name=retire]")
    expect(told).to_contain_text(
        "Its votes stay. It is unlisted, and is listed automatically only with 200 counted votes."
    )
    active.keyboard.press("Escape")
    new = owners.begin(name="Plover", url="https://p.example/v1", wire_model="p")
    active.goto(f"/owners#endpoint-{new['id']}")
    expect(active.locator("#endpoint-acts")).to_contain_text("Test again")
    active.click("[data-name=retire]")
    expect(told).to_contain_text("It has taken part in no battle, so nothing of it stays public.")
    expect(told).not_to_contain_text("pause it instead")


def test_retiring_is_final_and_is_asked_first(active: Page, owners: FakeOwners) -> None:
    active.click("[data-name=retire]")
    expect(active.locator("dialog")).to_contain_text("This is final")
    expect(active.locator("dialog [data-name=cancel]")).to_be_focused()
    active.keyboard.press("Escape")
    expect(active.locator("dialog")).to_have_count(0)
    assert owners.endpoints[1]["state"] == "active"
    active.click("[data-name=retire]")
    active.click("dialog [data-name=confirm]")
    expect(active.locator(STATE)).to_have_text("Retired")
    expect(active.locator("[data-name=retire], [data-name=pause], [data-name=probe]")).to_have_count(0)
    expect(active.locator("#key-box, #change-box").first).to_be_hidden()


@pytest.mark.parametrize(("actor", "probes"), [("operator", 0), ("health", 1)])
def test_what_the_operator_suspended_is_not_the_owners_to_bring_back(
    active: Page, owners: FakeOwners, actor: str, probes: int
) -> None:
    owners.move(owners.endpoints[1], "suspended", "adverts", actor)
    active.reload()
    expect(active.locator(STATE)).to_have_text("Suspended")
    expect(active.locator("[data-name=probe]")).to_have_count(probes)
    expect(active.locator(".a-next")).to_contain_text(
        "only the operator can bring it back" if actor == "operator" else "Fix it"
    )


@pytest.mark.parametrize(
    ("language", "owner", "operator"),
    [
        ("en", "You paused it.", "The operator paused it. It keeps its votes and its place, and you can resume it."),
        ("zh", "已由你暂停", "已由运营者暂停，票数与名次保留，你可以恢复。"),
        ("zh-TW", "已由你暫停", "已由營運者暫停，票數與名次保留，你可以恢復。"),
    ],
)
def test_who_paused_a_model_is_said_with_the_reason_that_later_changes_leave(
    active: Page, owners: FakeOwners, language: str, owner: str, operator: str
) -> None:
    model, line = owners.endpoints[1], active.locator(".a-next")
    owners.move(model, "paused", because("by_owner"))
    active.goto(f"/owners?lang={language}#endpoint-1")
    expect(line).to_contain_text(owner)
    owners.move(model, "active", because("by_owner"))
    owners.move(model, "paused", "too slow today", "operator")
    owners.move(model, "paused", because("changes_refused"), "operator")
    active.reload()
    expect(line).to_contain_text(operator)
    expect(line).to_contain_text("too slow today")
    expect(line).not_to_contain_text(owner)
    expect(active.locator("[data-name=resume]")).to_be_visible()
    owners.move(model, "active", because("by_owner"))
    owners.move(model, "paused", because("still_paused", name="Heron v0"), "operator")
    active.reload()
    expect(line).to_contain_text("Heron v0")
    expect(line).not_to_contain_text(operator)


def test_a_suspension_says_its_reason_whatever_was_changed_since(active: Page, owners: FakeOwners) -> None:
    owners.move(owners.endpoints[1], "suspended", "too many cut answers", "operator")
    owners.move(owners.endpoints[1], "suspended", because("changed", fields=["languages"]), "operator")
    active.reload()
    expect(active.locator(".a-next")).to_contain_text("too many cut answers")
    expect(active.locator(".a-next")).not_to_contain_text("latest entry")


def test_a_step_that_is_refused_says_why(active: Page, owners: FakeOwners) -> None:
    owners.refuse = errors.WrongState(rule="step", name="Heron", state="pending", after="paused")
    active.click("[data-name=pause]")
    expect(active.locator("#endpoint-wrong")).to_contain_text("“Waiting for approval”, and cannot become “Paused”")
    expect(active.locator(STATE)).to_have_text("In battles")


def test_signing_in_leads_to_what_the_address_names(page: Page, owners: FakeOwners) -> None:
    owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron-7b")
    page.goto("/owners#endpoint-1")
    sign_in_again(page, owners)
    expect(page.locator(STATE)).to_have_text("Waiting for approval")
    page.goto("/owners#new")
    page.fill("#register-name", "Heron-7B")
    page.reload()
    sign_in_again(page, owners)
    expect(page.locator("#register-name")).to_have_value("Heron-7B")


def switch_language(page: Page) -> None:
    page.locator(".a-langs").evaluate("menu => menu.open = true")
    page.click(".a-langs a:text-is('简体中文')", timeout=15_000)


@pytest.mark.parametrize(("stay", "typed"), [(False, False), (False, True), (True, True)])
def test_the_switch_of_the_language_asks_before_it_loses_a_key_or_what_was_typed(
    active: Page, owners: FakeOwners, *, stay: bool, typed: bool
) -> None:
    if not stay:
        active.evaluate("sessionStorage.clear()")
        active.reload()
        sign_in_again(active, owners)
    expect(active.locator(STATE)).to_have_text("In battles")
    if typed:
        active.locator("#change-box details").first.evaluate("box => box.open = true")
        active.fill("#change-licence", "MIT")
    switch_language(active)
    question = active.locator("dialog")
    expect(question).to_contain_text("Change the language?")
    assert (question.get_by_text("sign in again").count() == 0) is stay
    assert (question.get_by_text("not saved is lost").count() == 1) is typed
    active.click("dialog [data-name=cancel]")
    if typed:
        expect(active.locator("#change-licence")).to_have_value("MIT")
    switch_language(active)
    active.click("dialog [data-name=confirm]")
    expect(active.locator("html")).to_have_attribute("lang", re.compile("^zh"))
    assert active.url.endswith("#endpoint-1")


def test_the_switch_of_the_language_keeps_the_form_of_a_new_model_without_asking(signed_in: Page) -> None:
    open_form(signed_in)
    switch_language(signed_in)
    expect(signed_in.locator("html")).to_have_attribute("lang", re.compile("^zh"))
    expect(signed_in.locator("#register-name")).to_have_value("Heron-7B")
    signed_in.fill("#register-key", "sk-typed")
    signed_in.locator(".a-langs").evaluate("menu => menu.open = true")
    signed_in.click(".a-langs a:text-is('English')", timeout=15_000)
    expect(signed_in.locator("dialog")).to_contain_text("尚未保存的填写内容会丢失")


def sign_in_again(page: Page, owners: FakeOwners) -> None:
    owners.signed_up = True
    page.fill("#signin-api_key", owners.key)
    page.click(f"#signin {SUBMIT}")


def test_the_switch_of_language_stays_with_the_model(active: Page) -> None:
    active.click(".a-langs summary")
    active.click(".a-langs a[hreflang=zh-CN]")
    active.wait_for_selector("html[lang=zh-CN]")
    expect(active.locator(STATE)).to_have_text("对战中")


def test_a_change_of_words_sends_only_the_difference(active: Page, owners: FakeOwners) -> None:
    active.click("#change-box summary")
    active.fill("#change-licence", "MIT")
    expect(active.locator("#change-newer")).to_be_hidden()
    active.click(f"#change {SUBMIT}")
    expect(active.locator("#change .a-saved")).to_have_text("Saved.")
    assert owners.requests[-1] == ("PATCH", "/endpoints/1", {"licence": "MIT"})
    active.fill("#change-licence", "")
    expect(active.locator("#change .a-saved")).to_have_text("")
    active.click(f"#change {SUBMIT}")
    expect(active.locator("#change .a-saved")).to_have_text("Saved.")
    assert owners.requests[-1] == ("PATCH", "/endpoints/1", {"licence": None})


def test_what_waits_for_the_operator_is_shown_beside_what_holds_and_can_be_taken_back(
    active: Page, owners: FakeOwners
) -> None:
    active.click("#change-box summary")
    active.fill("#change-licence", "MIT")
    active.click(f"#change {SUBMIT}")
    expect(active.locator("#pending li")).to_have_text("Licence: – → MIT")
    assert "licence" not in owners.endpoints[1]
    active.reload()
    expect(active.locator("#pending")).to_contain_text("until the operator approves these changes")
    expect(active.locator("#change-licence")).to_have_value("MIT")
    active.click("[data-name=take-back]")
    expect(active.locator("#pending")).to_have_count(0)
    assert owners.requests[-1] == ("PATCH", "/endpoints/1", {"licence": None})


def test_another_length_of_an_approved_model_is_said_to_be_a_new_version(active: Page) -> None:
    active.click("#change-box summary")
    active.click("#change summary")
    active.fill("#change-max_tokens", "100")
    expect(active.locator("#change-newer")).to_be_visible()


def test_the_form_says_before_anything_is_typed_what_makes_a_new_version(active: Page) -> None:
    active.click("#change-box summary")
    expect(active.locator("#change-box")).to_contain_text("makes a new version, whose votes begin at 0")
    expect(active.locator("#change-newer")).to_be_hidden()


def test_a_new_version_of_a_paused_model_is_said_to_stay_paused(active: Page, owners: FakeOwners) -> None:
    active.click("[data-name=pause]")
    expect(active.locator(STATE)).to_have_text("Paused")
    active.reload()
    active.click("#change-box summary")
    active.fill("#change-wire_model", "heron-8b")
    expect(active.locator("#change-newer")).to_contain_text("stays paused")
    owners.endpoints[1] |= {"state": "pending", "joins_paused": True}
    active.reload()
    expect(active.locator("#endpoint-next")).to_contain_text("will be paused too when it is approved")


def test_another_wire_model_is_said_to_be_a_new_version_and_leads_to_it(active: Page, owners: FakeOwners) -> None:
    active.click("#change-box summary")
    active.fill("#change-wire_model", "heron-8b")
    expect(active.locator("#change-newer")).to_contain_text("new version")
    active.click(f"#change {SUBMIT}")
    active.wait_for_url("**/owners#endpoint-2")
    expect(active.locator("h2:has(#endpoint-state)")).to_contain_text("v2")
    expect(active.locator("h2:has(#endpoint-state)")).not_to_contain_text("Version 2")
    assert owners.endpoints[1]["state"] == "retired"


def test_the_stored_key_can_be_replaced_and_deleted_but_not_read(active: Page, owners: FakeOwners) -> None:
    active.fill("#key-form-key", "sk-new")
    active.click(f"#key-form {SUBMIT}")
    expect(active.locator("#key-state")).to_contain_text("https://api.heron.example")
    expect(active.locator("#key-form-key")).to_have_value("")
    expect(active.locator("#key-form .a-saved")).to_have_text(
        "Saved, but not tested: the next battle uses it. If it fails, its errors are counted under “Record”."
    )
    assert owners.keys[1] == "sk-new"
    assert "sk-new" not in active.content()
    active.click("[data-name=key-drop]")
    active.click("dialog [data-name=confirm]")
    expect(active.locator("#key-state")).to_have_text("No key is stored.")


def test_the_votes_are_downloaded_as_a_file(active: Page) -> None:
    with active.expect_download() as download:
        active.click("[data-name=votes]")
    assert download.value.suggested_filename == "Heron-votes.jsonl"
    assert download.value.path().read_text() == '{"outcome":"a"}\n'


def test_the_api_key_is_replaced_after_a_warning_and_the_tab_goes_on_with_the_new_one(
    signed_in: Page, owners: FakeOwners
) -> None:
    old = owners.key
    signed_in.click("[data-name=rotate]")
    signed_in.click("dialog [data-name=confirm]")
    expect(signed_in.locator("#api-key")).not_to_have_value(old)
    assert signed_in.locator("#api-key").input_value() == owners.key
    signed_in.click("[data-name=kept]")
    expect(signed_in.locator("#account")).to_be_visible()


def test_everything_can_be_done_by_keyboard(page: Page, owners: FakeOwners) -> None:
    owners.signed_up = True
    begin(page)
    page.focus("#signin-api_key")
    page.keyboard.type(owners.key)
    page.keyboard.press("Enter")
    page.wait_for_selector("#register-new")
    page.focus("#register-new")
    page.keyboard.press("Enter")
    expect(page.locator("#owners h2")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#register-name")).to_be_focused()


def test_the_skip_link_and_the_language_stay_on_the_page(page: Page) -> None:
    page.goto("/owners")
    page.wait_for_selector("#signup")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.url.endswith("/owners#main")
    expect(page.locator("#signup")).to_be_visible()
    assert page.evaluate("new URL('?lang=zh', document.baseURI).pathname") == "/owners"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_sticks_out_and_every_box_has_a_name(signed_in: Page, owners: FakeOwners, language: str) -> None:
    owners.begin(name="Heron-" + "x" * 70, url="https://h.example/v1", wire_model="m" * 180)
    for mark, there in (("", "#account"), ("new", "#register"), ("endpoint-1", "#life")):
        signed_in.goto(f"/owners?lang={language}#{mark}")
        signed_in.wait_for_selector(there)
        for details in signed_in.locator(".a-page details").all():
            details.evaluate("(node) => { node.open = true; }")
        for width in (1280, 390):
            signed_in.set_viewport_size({"width": width, "height": 800})
            signed_in.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            assert signed_in.evaluate("document.documentElement.scrollWidth") <= width
            for tool in (".a-langs", ".a-theme", ".a-nav [aria-current]:visible"):
                expect(signed_in.locator(tool)).to_be_in_viewport(ratio=0.95)
        nameless = "(all) => all.filter((box) => !box.labels?.length && !box.ariaLabel).map((box) => box.outerHTML)"
        assert signed_in.locator(".a-page :is(input, select, textarea)").evaluate_all(nameless) == []
