"""The operator's settings on every page: nothing before they set something, and nothing that they write is markup."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from arena.domain.schemas.site import SiteView, Tag
from arena.domain.site import SitePage
from arena.domain.terms import Access
from arena_frontend.api_reader import ApiReader
from arena_frontend.branding import PLAIN, Branding, BrandingReader, branding_of
from arena_frontend.bundle import Bundle
from arena_frontend.template_pages import TemplatePages
from arena_frontend.texts import LANGUAGES, negotiate, texts

from .hostile import payloads_for
from .html_tree import text

TEMPLATES = ("/", "/side-by-side", "/direct", "/leaderboard", "/about", "/mine", "/owners", "/operator")
OURS = SiteView(
    name="Arena of Example",
    mark="/api/v1/site/mark?v=1",
    announcement={"en": "Closed on Monday.", "zh": "周一关闭。"},
    languages=["zh", "en"],
    accent="#1a6fb5",
    ideas={"en": ["Why is the sky blue?"]},
    pages=[SitePage.IMPRINT, SitePage.TERMS],
)


@pytest.mark.parametrize("path", TEMPLATES)
async def test_a_page_has_the_same_bytes_until_the_operator_sets_something(arena, path):
    arena.fake.site = SiteView()
    empty = await arena.get(path)
    arena.app.router.routes[:] = [
        route for route in arena.app.router.routes if "/site" not in getattr(route, "path", "")
    ]
    assert (await arena.get(path)).html == empty.html
    assert not re.search(r"/imprint|/privacy\"|href=\"/terms|a-announcement|colours\.css", empty.html)


@pytest.mark.parametrize("path", TEMPLATES)
async def test_name_mark_announcement_colour_and_links_are_on_every_page(arena, path):
    arena.fake.site = OURS
    page = await arena.get(path)
    brand = page.tree.find(".//a[@class='a-brand']")
    assert text(brand) == "Arena of Example"
    assert brand is not None
    assert [image.attrib["src"] for image in brand.findall("img")] == [OURS.mark]
    assert page.text(".//p[@class='a-announcement']") == "Closed on Monday."
    assert "Arena of Example" in page.text(".//title")
    assert "/api/v1/site/colours.css?v=" in page.html
    links = [link.attrib["href"] for link in page.tree.findall(".//footer//a")]
    assert links[0] == "/terms"
    assert links[-2:] == ["/imprint", "/terms"]
    assert [link.attrib["hreflang"] for link in page.tree.findall(".//details[@class='a-langs']//a")] == ["zh-CN", "en"]
    assert "Battle Arena" not in page.html


async def test_the_start_page_has_the_operator_s_ideas(arena):
    arena.fake.site = OURS
    assert '["Ideas", "Why is the sky blue?"]' in (await arena.get("/")).html


@pytest.mark.parametrize("path", TEMPLATES)
@pytest.mark.parametrize("access", Access)
async def test_only_where_everybody_reads_and_members_ask_pages_lead_to_sign_in(arena, path, access):
    arena.fake.site = SiteView(access=access)
    page = await arena.get(path)
    links = [text(link) for link in page.tree.findall(".//nav//a[@href='/sign-in']")]
    assert links == (["Sign in"] if access is Access.MEMBERS_VOTE else [])
    if path in ("/", "/side-by-side", "/direct"):
        line = page.tree.find(".//p[@id='members-line']")
        said = None if line is None else text(line)
        told = "Everyone can read here. Members ask models and vote. Sign in"
        assert said == (told if access is Access.MEMBERS_VOTE else None)


@pytest.mark.parametrize(("access", "leads"), [(Access.PUBLIC, True), (Access.MEMBERS_VOTE, False)])
async def test_an_arena_for_members_does_not_lead_to_the_gradio_app_which_has_no_way_to_sign_in(arena, access, leads):
    arena.fake.site = SiteView(access=access)
    assert (await BrandingReader(ApiReader(), gradio=True).read(arena.app)).gradio is leads


@pytest.mark.parametrize(
    ("published", "name"), [([SitePage.TERMS, SitePage.PRIVACY], "Terms"), ([SitePage.PRIVACY], "Rules and privacy")]
)
async def test_the_link_to_the_rules_is_named_after_the_page_to_which_it_leads(arena, published, name):
    arena.fake.site = SiteView(pages=published)
    assert text((await arena.get("/about")).tree.findall(".//footer//a")[0]) == name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", TEMPLATES)
async def test_pages_lead_to_the_gradio_app_only_where_it_is_open(arena, path, language):
    async def read(branding: Branding) -> str:
        templates = TemplatePages(Bundle.load(), "", ApiReader())
        reply = await templates.find(language, path, {}, arena.app, {}, branding)
        return reply.document.bodies[""].decode()

    closed, opened = await read(PLAIN), await read(Branding(gradio=True))
    assert 'href="/gradio"' not in closed
    assert f'<a href="/gradio">{texts(language)["nav.gradio"]}</a>' in opened.partition('<footer class="a-foot">')[2]
    assert opened.count('href="/gradio"') == (2 if path == "/" else 1), "the start page's second screen leads there too"


def test_the_announcement_is_in_the_readers_language_or_the_nearest():
    branding = branding_of(OURS)
    assert [branding.announced(language) for language in ("zh", "zh-TW", "en")] == [
        "周一关闭。",
        "周一关闭。",
        "Closed on Monday.",
    ]
    assert branding_of(SiteView(announcement={"zh": "好"})).announced("en") == "好"
    assert branding_of(OURS).renamed(texts("zh"))["brand"] == "Arena of Example"


@pytest.mark.parametrize(
    ("accept", "offered", "language"),
    [
        ("de,zh-TW;q=0.5", ("zh", "en"), "zh"),
        ("zh-CN", ("en",), "en"),
        ("fr", ("zh",), "zh"),
        ("zh", ("zh-TW", "en"), "zh-TW"),
        ("zh-TW", LANGUAGES, "zh-TW"),
    ],
)
def test_only_languages_that_are_offered_are_spoken(accept, offered, language):
    assert negotiate(query=None, cookie=None, accept=accept, offered=offered) == language


async def test_a_language_that_is_not_offered_is_not_remembered(arena):
    arena.fake.site = SiteView(languages=["en"])
    page = await arena.get("/about?lang=zh")
    assert "set-cookie" not in page.headers
    assert 'lang="en"' in page.html
    assert "a-langs" not in page.html


async def test_a_page_of_the_operator_is_there_once_it_is_published(arena):
    assert (await arena.get("/imprint")).status == 404
    arena.fake.site = OURS
    arena.fake.site_text = "# Example University\n\n[write](mailto:a@b.example)\n\n- one\n- two"
    page = await arena.get("/imprint")
    assert page.status == 200
    assert page.text(".//h1") == "Imprint"
    assert page.text(".//title") == "Imprint – Arena of Example"
    assert page.texts(".//div[@class='a-about']//li") == ["one", "two"]
    link = page.tree.find(".//div[@class='a-about']//a")
    assert link is not None
    assert link.attrib == {"href": "mailto:a@b.example", "rel": "noopener noreferrer nofollow"}
    assert "script-src 'self'; style-src 'self';" in page.headers["content-security-policy"]
    assert (await arena.get("/privacy")).status == 404


async def test_hostile_markdown_is_inert_on_a_page(arena):
    arena.fake.site = OURS
    allowed = {"div", *get_args(Tag)}
    for number, payload in enumerate(payloads_for("http://127.0.0.1:9")):
        arena.fake.site_text = payload
        page = await arena.get(f"/imprint?{number}")
        assert page.status == 200
        main = page.tree.find(".//div[@class='a-about']")
        assert main is not None
        assert {element.tag for element in main.iter()} <= allowed, payload
        for element in main.iter():
            assert element is main or {*element.attrib} <= {"href", "rel"}, payload
            assert re.match(r"(?i)(https?://[\w.:-]+(/|$|\?|#)|mailto:|/[^/]|/$|#|$)", element.get("href", "")), payload
    assert number >= 70


async def test_hostile_branding_is_inert(arena):
    allowed = {*["div", "a", "header", "img", "span", "nav", "details", "summary", "button", "p", "rect", "svg"]}
    scripts, number = (await arena.get("/")).html.count("<script"), 0
    for number, payload in enumerate(payloads_for("http://127.0.0.1:9"), 1):
        arena.fake.site = SiteView(
            name=payload, announcement={"en": payload}, ideas={"en": [payload]}, mark=f"/x?{payload}"
        )
        page = await arena.get(f"/about?{number}")
        elements = page.tree.find(".//div[@id='bar']")
        assert elements is not None
        assert {element.tag for element in elements.iter()} <= allowed, payload
        assert not [name for element in elements.iter() for name in element.attrib if name.startswith("on")], payload
        assert (await arena.get("/")).html.count("<script") == scripts, payload
        board = (await arena.get(f"/leaderboard?{number}")).html
        assert len(re.findall(r"<script(?: type=\"application/json\"| )[^>]*>", board)) <= 20, payload
    assert number >= 70
