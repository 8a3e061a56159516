"""Members, classes and operators sign in by a browser, at a real arena and a provider on this machine."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tests.fake_provider import CLIENT, FakeProvider
from tests.processes import ARENA, NEWCOMER, Process

from .serving import serve

BOX = "#prompt textarea"
ADA = {"email": "ada@example.edu", "email_verified": True, "amr": ["pwd", "mfa"]}
FILE = """
[[provider]]
name = "example"
title = "Example University"
issuer = "{issuer}"
client_id = "{client}"
client_secret = "hidden"
domains = ["example.edu"]
owners = true

[[provider.operator]]
role = "operator"
emails = ["ada@example.edu"]
amr = ["mfa"]
"""


@dataclass
class Members:
    """An arena for members, and the provider that vouches for them."""

    arena: Process
    provider: FakeProvider

    def invite(self, seats: int) -> str:
        """The address of an invitation."""
        words = (*ARENA, "members", "invite", "Class 7b", "--seats", str(seats))
        made = subprocess.run(words, env=self.arena.environment, capture_output=True, text=True, check=True)
        return made.stdout.strip()


def answering(provider: FakeProvider) -> Starlette:
    """The provider as a server; whoever it is asked to sign in has done so."""

    async def authorize(request: Request) -> Response:
        back = urlencode(provider.login(str(request.url)))
        return RedirectResponse(f"{request.query_params['redirect_uri']}?{back}", 303)

    async def answer(request: Request) -> Response:
        asked = httpx2.Request(request.method, str(request.url), content=await request.body())
        given = provider.answer(asked)
        return Response(given.content, given.status_code, media_type="application/json")

    return Starlette(routes=[Route("/authorize", authorize), Route("/{rest:path}", answer, methods=["GET", "POST"])])


@pytest.fixture(scope="module")
def members(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Members]:
    folder, provider = tmp_path_factory.mktemp("members"), FakeProvider()
    with serve(answering(provider)) as issuer:
        provider.issuer = issuer
        file = folder / "sign_in.toml"
        file.write_text(FILE.format(issuer=issuer, client=CLIENT))
        yield from running(folder, provider, file)


def running(folder: Path, provider: FakeProvider, file: Path) -> Iterator[Members]:
    settings = {**NEWCOMER, "ARENA_DATA": str(folder), "ARENA_FRAME_SECONDS": "0.02", "ARENA_GRACE_SECONDS": "0"}
    arena = Process(folder, "serve", **settings, ARENA_ACCESS="members-vote", ARENA_SIGN_IN=str(file))
    arena.environment["ARENA_PUBLIC_URL"] = arena.url
    try:
        arena.start()
        yield Members(arena, provider)
    finally:
        arena.stop()


@pytest.fixture
def visitor(browser: Browser, members: Members) -> Iterator[Callable[[], Page]]:
    """A new browser for each call; the provider says that it is Ada's."""
    members.provider.claims = dict(ADA)
    contexts = []

    def visitor() -> Page:
        contexts.append(browser.new_context(locale="en-US", base_url=members.arena.url))
        return contexts[-1].new_page()

    yield visitor
    for context in contexts:
        context.close()


def ask(page: Page, text: str) -> None:
    page.wait_for_selector("html[data-phase]")
    page.fill(BOX, text)
    page.press(BOX, "Enter")
    page.click(".a-agree")


def test_who_has_to_sign_in_in_the_middle_finds_the_prompt_sent(visitor: Callable[[], Page]) -> None:
    page = visitor()
    page.goto("/")
    ask(page, "What is a key?")
    page.get_by_role("link", name="Sign in with Example University").click()
    expect(page.locator("html")).to_have_attribute("data-phase", "ready", timeout=30_000)
    expect(page.get_by_text("What is a key?").first).to_be_visible()
    page.goto("/mine")
    expect(page.locator("#mine-list li")).to_have_count(1)
    page.click("#mine-out button")
    expect(page.get_by_role("status")).to_have_text("You are signed out of this arena.")
    assert {cookie.get("name") for cookie in page.context.cookies()} <= {"arena_language"}


def test_a_person_of_another_organisation_reads_why_they_may_not_enter(
    visitor: Callable[[], Page], members: Members
) -> None:
    page = visitor()
    members.provider.claims |= {"email": "eve@example.org"}
    page.goto("/sign-in")
    page.get_by_role("link", name="Sign in with Example University").click()
    expect(page.get_by_role("alert")).to_have_text("This arena is for people of another organisation.")


def test_a_class_enters_by_a_link_until_its_seats_are_taken(visitor: Callable[[], Page], members: Members) -> None:
    first, second, link = visitor(), visitor(), members.invite(1)
    first.goto(link)
    first.get_by_role("button", name="Accept the invitation").click()
    first.wait_for_selector("html[data-phase]")
    assert "arena_voter" in {cookie.get("name") for cookie in first.context.cookies()}
    second.goto(link)
    second.get_by_role("button", name="Accept the invitation").click()
    expect(second.get_by_role("alert")).to_have_text("This invitation has no places left.")


def test_an_operator_signs_in_by_the_same_provider_acts_and_signs_out(visitor: Callable[[], Page]) -> None:
    page = visitor()
    page.goto("/operator")
    page.get_by_role("link", name="Sign in with Example University").click()
    expect(page.locator("#operator-me")).to_have_text("ada@example.edu, operator")
    page.click("[data-name=part-chats]")
    page.click("[data-name=confirm]")
    expect(page.locator("[data-part=chats][data-closed=true]")).to_be_visible()
    page.click("[data-name=part-chats]")
    expect(page.locator("[data-part=chats][data-closed=false]")).to_be_visible()
    page.click("[data-name=signout]")
    expect(page.get_by_role("status")).to_have_text("You are signed out of this arena.")
    page.goto("/operator")
    expect(page.locator("#operator-in")).to_be_visible()


def test_an_operator_signs_out_on_all_devices(visitor: Callable[[], Page]) -> None:
    here, there = visitor(), visitor()
    for page in (here, there):
        page.goto("/operator")
        page.get_by_role("link", name="Sign in with Example University").click()
        expect(page.locator("#operator-me")).to_be_visible()
    here.get_by_role("button", name="Sign out on all devices").click()
    expect(here.get_by_role("status")).to_have_text("You are signed out of this arena.")
    there.goto("/operator")
    expect(there.locator("#operator-in")).to_be_visible()


def test_a_role_that_has_ended_leads_to_the_door_and_leaves_the_membership(visitor: Callable[[], Page]) -> None:
    page = visitor()
    page.goto("/operator")
    page.get_by_role("link", name="Sign in with Example University").click()
    expect(page.locator("#operator-me")).to_be_visible()
    page.context.clear_cookies(name="arena_operator")
    expect(page.locator("#operator-in")).to_be_visible()  # as soon as the page asks again by itself
    expect(page.locator("#operator > .a-wrong")).to_be_visible()
    expect(page.get_by_role("link", name="Sign in with Example University")).to_be_visible()
    assert page.url.endswith("/operator")
    assert "arena_voter" in {cookie.get("name") for cookie in page.context.cookies()}


def test_who_has_no_role_or_no_second_factor_reads_so(visitor: Callable[[], Page], members: Members) -> None:
    page = visitor()
    for claims, told in (
        ({"amr": ["pwd"]}, "Your role requires a second factor"),
        ({"email": "grace@example.edu"}, "You have no role on this arena."),
    ):
        members.provider.claims |= ADA | claims
        page.goto("/operator")
        page.get_by_role("link", name="Sign in with Example University").click()
        expect(page.get_by_role("alert")).to_contain_text(told)


def test_an_owner_signs_in_and_shares_with_a_colleague(visitor: Callable[[], Page], members: Members) -> None:
    ada, grace = visitor(), visitor()
    ada.goto("/owners")
    ada.get_by_role("link", name="Sign in with Example University").click()
    ada.fill("#signup-name", "Heron Labs")
    ada.fill("#signup-contact", "lab@example.edu")
    ada.click("#signup button[type=submit]")
    ada.click("[data-name=kept]")
    ada.reload()  # the key is gone with the page, and the person is still signed in
    expect(ada.locator("#account")).to_contain_text("Heron Labs")
    ada.click("[data-name=share]")
    code = ada.locator("#colleague-code").input_value()
    members.provider.claims |= {"sub": "grace"}
    grace.goto("/owners")
    grace.get_by_role("link", name="Sign in with Example University").click()
    grace.fill("#join-code", code)
    grace.click("#join button[type=submit]")
    expect(grace.locator("#account")).to_contain_text("Heron Labs")
    grace.click("[data-name=signout]")
    expect(grace.get_by_role("status")).to_have_text("You are signed out of this arena.")
