"""The page of a voter's own battles, which the server renders for the cookie of the request and keeps nowhere."""

from __future__ import annotations

import httpx2
import pytest
from fastapi import FastAPI, Request
from playwright.sync_api import Page, expect

from arena.domain.schemas.owners import SignInView
from arena.domain.terms import Access, BattleKind, Side
from arena_frontend.app import create_app
from arena_frontend.texts import LANGUAGES, texts

from .fake_api import FakeArena
from .html_tree import PageAnswer, Reader
from .test_battle_after import voted

BOARD = {"votes": 0, "needed": 10, "rows": []}
NOBODY = {"/me/battles": {"battles": []}, "/me/chats": {"chats": []}, "/me/board": BOARD}


@pytest.fixture
def asked() -> list[tuple[str, str]]:
    """What the page asks the API for, with the cookie that it sends."""
    return []


@pytest.fixture
async def client(asked: list[tuple[str, str]]):
    app = FastAPI()

    @app.get("/api/v1/{path:path}")
    async def answer(path: str, request: Request) -> object:
        asked.append((f"/{path}?{request.url.query}".rstrip("?"), request.headers.get("cookie", "")))
        return NOBODY[f"/{path}"]

    app.mount("/", create_app())
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://arena.example") as client:
        yield client


async def test_the_page_reads_with_the_visitor_s_cookie_and_no_cache_keeps_it(client, asked) -> None:
    cookie = "arena_voter=ab.cd; arena_lang=en"
    answers = [await client.get("/mine?before=b%26c", headers={"cookie": cookie}) for _ in range(2)]
    read = ("/me/battles?before=b%26c", "/me/chats", "/me/board", "/sign-in")
    # The site is read once for all visitors.
    assert asked == [("/site", ""), *[(path, cookie) for path in read] * 2]
    assert [answer.headers["cache-control"] for answer in answers] == ["no-store"] * 2
    assert "arena_voter" not in answers[0].text
    await client.get("/about", headers={"cookie": cookie})
    assert asked[9:] == [("/pace", "")]


async def test_somebody_without_a_battle_is_led_to_the_first_one(client) -> None:
    page = PageAnswer(200, {}, (await client.get("/mine", headers={"cookie": "arena_lang=en"})).text)
    assert page.text(".//p[@id='mine-none']") == "You have no battles on this device yet. Start a battle"
    assert page.tree.find(".//details[@id='mine-forget']") is None


async def test_a_list_that_cannot_be_read_says_why_and_leads_back(fake: FakeArena, pages) -> None:
    arena = Reader(fake, FastAPI())
    arena.app.mount("/", pages)
    page = await arena.get("/mine?before=unknown")
    assert page.status == 404
    assert page.tree.find(".//div[@class='a-empty']/a[@href='/mine']") is not None


async def test_somebody_signed_out_of_an_arena_for_members_is_led_to_sign_in(arena: Reader) -> None:
    arena.fake.door = SignInView(access=Access.MEMBERS_VOTE, member=False, providers=[])
    page = await arena.get("/mine")
    assert page.text(".//p[@id='mine-none']") == (
        "Nobody is signed in on this device. Sign in to see the battles of your account. Sign in"
    )
    assert page.tree.find(".//p[@id='mine-none']/a[@href='/sign-in?to=%2Fmine']") is not None
    arena.fake.door = SignInView(access=Access.MEMBERS_VOTE, member=True, providers=[])
    assert (await arena.get("/mine")).text(".//p[@id='mine-none']") == "You have no battles yet. Start a battle"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"kind": BattleKind.WEB_PAGE}, "Saved. It counts for web pages"),
        ({"stopped": True}, "Saved, but not counted: the answers were stopped before the end."),
    ],
)
def test_a_vote_that_the_board_of_texts_does_not_count_is_listed_in_the_words_of_its_reveal(
    page: Page, fake: FakeArena, change: dict[str, object], told: str
) -> None:
    fake.answers = dict.fromkeys(Side, "short")
    voted(page, "a question", "b")
    (battle,) = fake.battles.values()
    for name, value in change.items():
        setattr(battle, name, value)
    page.goto("/mine")
    expect(page.locator("#mine-list > li")).to_contain_text(told)


def test_earlier_rounds_are_added_below_and_a_link_is_withdrawn_in_its_row(page: Page, fake: FakeArena) -> None:
    fake.answers = dict.fromkeys(Side, "short")
    voted(page, "the only one", "b")
    (battle,) = fake.battles.values()
    for number in range(22):
        again = type(battle)(**{**vars(battle), "id": f"copy-{number}"})
        fake.battles[again.id] = again
    fake.shares["copy-20"] = "AbC-_9"
    fake.listed.add("copy-20")
    page.goto("/mine")
    rows = page.locator("#mine-list > li")
    expect(rows).to_have_count(20)
    page.click("[data-act=more]")
    expect(rows).to_have_count(23)
    expect(rows.nth(20).locator("button").first).to_be_focused()
    expect(page.locator("[data-act=more]")).to_have_count(0)
    expect(page.get_by_role("link", name="Shared page")).to_have_attribute("href", "/shared?b=AbC-_9")
    page.click("[data-act=unlist]")
    expect(rows.nth(1)).to_contain_text("Not listed.")
    expect(page.locator("[data-act=unlist]")).to_have_count(0)
    assert not fake.listed
    page.click("[data-act=withdraw]")
    expect(rows.nth(1)).to_contain_text("The link no longer works.")
    expect(page.get_by_role("link", name="Shared page")).to_have_count(0)
    assert not fake.shares


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_member_reads_that_the_list_is_of_the_account_and_what_forgetting_does_not_take_away(
    page: Page, fake: FakeArena, language: str
) -> None:
    fake.answers = dict.fromkeys(Side, "short")
    voted(page, "a question", "b")
    fake.door = SignInView(access=Access.MEMBERS_VOTE, member=True, providers=[])
    words = texts(language)
    page.goto(f"/mine?lang={language}")
    expect(page.locator(".a-page-head p")).to_have_text(words["mine.members.lead"])
    expect(page.locator("#mine-out")).to_contain_text(words["sign_in.here"])
    page.click("#mine-forget summary")
    for key in ("forget.members.cookie", "forget.members.texts", "forget.links", "forget.members.votes"):
        expect(page.locator("#mine-forget li", has_text=words[key])).to_have_count(1)
    for key in ("forget.cookie", "forget.texts", "forget.votes"):
        expect(page.locator("#mine-forget li", has_text=words[key])).to_have_count(0)
    page.click("[data-act=forget]")
    expect(page.locator("#mine [role=status]")).to_have_text(words["forget.members.done"])
