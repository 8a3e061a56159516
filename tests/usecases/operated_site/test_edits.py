"""Changes of the site: whole or not at all, and each text that is published is a version of its own."""

import itertools
from base64 import b64encode
from datetime import UTC, datetime
from io import BytesIO

import pytest
from PIL import Image

from arena.adapters.images.recoding import Recoder
from arena.adapters.store import site as stored
from arena.domain.errors import ImageRefused, Invalid, SiteChanged
from arena.domain.schemas.site import SiteChangeRequest
from arena.domain.site import LANGUAGES, OperatedSite, PromptCheck, SitePage, check_pages, imprint_missing
from arena.usecases.operated_site import edits, pages, site_file
from arena.usecases.operated_site.versions import versions

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def mark(size: int = 32, kind: str = "PNG") -> str:
    file = BytesIO()
    Image.effect_noise((size, size), 90).save(file, kind)
    return b64encode(file.getvalue()).decode()


@pytest.fixture
def change(database):
    async def change(**wanted) -> OperatedSite:
        await edits.apply(database, Recoder(), SiteChangeRequest.model_validate(wanted), NOW, 1)
        return await database.read(stored.load)

    return change


async def test_settings_are_kept_and_an_empty_value_takes_one_back(change):
    site = await change(name="Class 7b", prompt_checks="block", languages=["en", "zh"], announcement={"en": "Hi"})
    assert (site.name, site.prompt_checks, site.languages) == ("Class 7b", PromptCheck.BLOCK, ("zh", "en"))
    assert (await change(name="")) == OperatedSite(
        languages=("zh", "en"), prompt_checks=PromptCheck.BLOCK, announcement={"en": "Hi"}
    )


async def test_a_published_text_is_a_version_and_the_same_text_none(change, database):
    await change(pages={"imprint": {"en": "We"}})
    site = await change(pages={"imprint": {"en": "We"}})
    assert site.pages[SitePage.IMPRINT].version == 1
    site = await change(pages={"imprint": {"en": "We", "zh": "我们"}})
    assert site.pages[SitePage.IMPRINT].version == 2
    site = await change(pages={"imprint": {}})
    assert site.published(SitePage.IMPRINT) is None
    versions = [(row.version, row.texts) for row in await database.read(stored.history)]
    assert versions == [(1, {"en": "We"}), (2, {"en": "We", "zh": "我们"}), (3, {})]


async def test_the_first_terms_of_the_operator_follow_those_of_the_arena(change):
    assert (await change(pages={"terms": {"en": "Be kind."}})).terms == 2
    assert (await change(pages={"terms": {"en": "Be very kind."}})).terms == 3


@pytest.mark.parametrize(
    "wrong", [{"languages": ["fr"]}, {"accent": "red"}, {"pages": {"terms": {"en": "[[name]]"}}}, {"mark": "!"}]
)
async def test_one_wrong_part_keeps_all_others_out(change, database, wrong):
    with pytest.raises(Invalid):
        await change(name="New", announcement={"en": "Hi"}, **({"pages": {"imprint": {"en": "We"}}} | wrong))
    assert await database.read(stored.load) == OperatedSite()


@pytest.mark.process
async def test_a_mark_is_encoded_anew(change):
    site = await change(mark=mark(64, "WEBP"))
    assert site.mark
    assert site.mark.media_type == "image/png"
    assert site.mark.data.startswith(b"\x89PNG")


@pytest.mark.process
@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        (b64encode(SVG).decode(), ImageRefused, "This is no PNG, JPEG or WebP image."),
        (b64encode(b"GIF89a").decode(), ImageRefused, "This is no PNG, JPEG or WebP image."),
        (mark(8), ImageRefused, "too small"),
        ("x" * 50_000, Invalid, "mark: 32,768 bytes at most"),
        (mark(400, "WEBP"), Invalid, "mark: 32,768 bytes at most"),
        ("no base64", Invalid, "mark: an image in base64"),
        ("\u202e", Invalid, "mark: an image in base64"),
    ],
)
async def test_what_is_no_small_image_is_no_mark(change, text, error, sentence):
    with pytest.raises(error, match=sentence):
        await change(mark=text)


async def test_a_site_goes_to_another_arena_as_one_file(change, database):
    site = await change(
        name="Arena of Example",
        mark=mark(),
        announcement={"en": "Hi", "zh": "你好"},
        languages=["en"],
        prompt_checks="warn",
        accent="#1a6fb5",
        ideas={"en": ["Why?"]},
        pages={"imprint": {"en": "We"}, "terms": {"en": "Be kind."}},
    )
    file = site_file.exported(site).model_dump_json().encode()
    await change(name="Other", mark="", pages={"imprint": {"en": "They"}, "terms": {}})
    await edits.apply(database, Recoder(), site_file.read(site_file.parsed(file)), NOW, 1)
    assert site_file.exported(await database.read(stored.load)).model_dump_json().encode() == file


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "This is no file of `arena site export`."),
        (b"[1]", "This is no file of `arena site export`."),
        (b'{"name": "x"}', "This is no file of `arena site export`."),
        (b'{"format": "arena-site", "version": "1"}', "This is no file of `arena site export`."),
        (b'{"format": "arena-site", "version": 2, "new": 1}', "This file has version 2, and this arena reads up to 1"),
        (b'{"format": "arena-site", "version": 1, "colour": "x"}', "colour: there is no such field"),
        (b'{"format": "arena-site", "version": 1, "versions": {}}', "versions: there is no such field"),
        (b'{"format": "arena-site", "version": 1, "pages": {"press": {}}}', "pages.press"),
        (b'{"format": "arena-site", "version": 1, "prompt_checks": "loud"}', "prompt_checks: invalid format"),
        (b'{"format": "arena-site", "version": 1, "languages": "en"}', "languages: invalid format"),
    ],
)
def test_what_is_no_file_of_a_site_is_refused_in_one_sentence(data, sentence):
    with pytest.raises(Invalid) as refused:
        site_file.read(site_file.parsed(data))
    assert str(refused.value).startswith(sentence)


def test_every_page_has_a_draft_in_every_language_that_cannot_be_published_as_it_is():
    for page, texts in pages.drafts().items():
        assert set(texts) == {"en", "zh", "zh-TW"}
        for language, text in texts.items():
            with pytest.raises(Invalid, match="fill in or remove"):
                check_pages({page: {language: text}})


@pytest.mark.parametrize(
    ("address", "missing"),
    [
        ("http://127.0.0.1:8000", False),
        ("http://localhost:8000/", False),
        ("http://[::1]:8000", False),
        ("https://arena.example", True),
        ("http://0.0.0.0:8000", True),
    ],
)
async def test_an_arena_for_others_without_an_imprint_lacks_one(change, address, missing):
    assert imprint_missing(OperatedSite(), address) is missing
    assert not imprint_missing(await change(pages={"imprint": {"en": "We"}}), address)


TEXTS = {"imprint": {"en": "Old address", "zh": "旧地址", "zh-TW": "舊地址"}}
NEW = {"en": "New address", "zh": "新地址", "zh-TW": "新地址樓"}


@pytest.mark.parametrize(("first", "second"), [*itertools.permutations(LANGUAGES, 2)])
async def test_two_who_edit_two_languages_do_not_set_each_other_back(change, first, second):
    site = await change(pages=TEXTS, announcement=TEXTS["imprint"], ideas={key: ["Old"] for key in LANGUAGES})
    seen = versions(site_file.exported(site))
    for language in (first, second):
        texts = {language: NEW[language]}
        site = await change(
            pages={"imprint": texts}, announcement=texts, ideas={language: [NEW[language]]}, versions=seen
        )
    expected = TEXTS["imprint"] | {language: NEW[language] for language in (first, second)}
    assert site.pages[SitePage.IMPRINT].texts == site.announcement == expected
    assert site.ideas == {key: ["Old"] for key in LANGUAGES} | {key: [NEW[key]] for key in (first, second)}


@pytest.mark.process
@pytest.mark.parametrize(
    ("edit", "key"),
    [
        ({"pages": {"imprint": {"en": "Mine"}}}, "imprint.en"),
        ({"pages": {"imprint": {}}}, "imprint.en"),
        ({"announcement": {"zh": "Mine"}}, "announcement.zh"),
        ({"ideas": {"zh-TW": ["Mine"]}}, "ideas.zh-TW"),
        ({"name": "Mine"}, "name"),
        ({"mark": mark()}, "mark"),
        ({"languages": ["zh"]}, "languages"),
        ({"prompt_checks": "log"}, "prompt_checks"),
        ({"accent": "#1a6fb5"}, "accent"),
    ],
)
async def test_an_edit_of_what_another_has_changed_is_refused_whole_until_it_is_seen(change, database, edit, key):
    seen = versions(site_file.exported(await change(pages=TEXTS)))
    site = await change(
        pages={"imprint": {"en": "Theirs"}},
        announcement={"zh": "Theirs"},
        ideas={"zh-TW": ["Theirs"]},
        name="Theirs",
        mark=mark(40),
        languages=["en"],
        prompt_checks="block",
        accent="#000000",
    )
    with pytest.raises(SiteChanged, match=f"has changed {key} since"):
        await change(**{"pages": {"terms": {"en": "Be kind."}}} | edit, versions=seen)
    assert await database.read(stored.load) == site
    assert await change(**edit, versions=versions(site_file.exported(site))) != site


async def test_an_empty_text_removes_one_language_and_an_empty_table_all(change):
    await change(pages=TEXTS, announcement=TEXTS["imprint"])
    site = await change(pages={"imprint": {"zh": ""}}, announcement={"zh": ""})
    left = {"en": "Old address", "zh-TW": "舊地址"}
    assert site.pages[SitePage.IMPRINT].texts == site.announcement == left
    assert (await change(announcement={}, pages={"imprint": {}})).announcement == {}


async def test_a_file_replaces_all_languages_of_its_texts(change, database):
    await change(pages={"imprint": {"en": "We"}}, announcement={"en": "Hi"}, ideas={"en": ["Why?"]})
    file = site_file.exported(await database.read(stored.load)).model_dump_json().encode()
    await change(pages={"imprint": {"zh": "我们"}}, announcement={"zh": "你好"}, ideas={"zh": ["为什么"]})
    await edits.apply(database, Recoder(), site_file.read(site_file.parsed(file)), NOW, 1)
    assert site_file.exported(await database.read(stored.load)).model_dump_json().encode() == file
