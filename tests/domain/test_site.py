"""Rules of the operator's settings: each wrong value is refused in one sentence that names the field."""

from datetime import UTC, datetime

import pytest

from arena.domain import site
from arena.domain.errors import Invalid
from arena.domain.site import OperatedSite, PageVersion, SitePage

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("check", "value", "sentence"),
    [
        (site.check_name, "x" * 41, "name: 1 to 40 printable characters"),
        (site.check_name, "a/b", "name: no slash"),
        (site.check_name, "a\u202eb", "name: 1 to 40 printable"),
        (site.check_announcement, {"fr": "Bonjour"}, "announcement.fr: one of zh, zh-TW, en"),
        (site.check_announcement, {"en": "x" * 301}, "announcement.en: 1 to 300 characters"),
        (site.check_announcement, {"en": " "}, "announcement.en: 1 to 300 characters"),
        (site.check_languages, ("en", "de"), "languages.de: one of zh, zh-TW, en"),
        (site.check_accent, "red", "accent: a colour such as #1a6fb5"),
        (site.check_accent, "#ffff00", "accent: white text has to be readable on it"),
        (site.check_ideas, {"en": ["x"] * 13}, "ideas.en: 12 at most"),
        (site.check_ideas, {"en": ["x" * 301]}, "ideas.en: 1 to 300 characters"),
        (site.check_pages, {SitePage.IMPRINT: {"xx": "a"}}, "imprint.xx: one of zh, zh-TW, en"),
        (site.check_pages, {SitePage.TERMS: {"en": "x" * 20_001}}, "terms.en: 1 to 20,000 characters"),
        (site.check_pages, {SitePage.TERMS: {"en": "a\0b"}}, "terms.en: 1 to 20,000 characters"),
        (site.check_pages, {SitePage.TERMS: {"en": "By [[name]]"}}, "terms.en: fill in or remove [[name]] first"),
        (site.check_pages, {SitePage.TERMS: {"zh": "> **草稿。** x"}}, "terms.zh: fill in or remove > **草稿 first"),
    ],
)
def test_a_wrong_value_is_refused_by_its_field(check, value, sentence):
    with pytest.raises(Invalid) as refused:
        check(value)
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize(
    ("check", "value"),
    [
        (site.check_name, ""),
        (site.check_name, "Arena of Example 大学"),
        (site.check_announcement, {"en": "Closed on Monday.", "zh": "周一关闭。"}),
        (site.check_languages, ()),
        (site.check_accent, ""),
        (site.check_accent, "#1a6fb5"),
        (site.check_ideas, {"zh-TW": ["一"] * 12}),
        (site.check_pages, {SitePage.IMPRINT: {}}),
    ],
)
def test_a_right_value_passes(check, value):
    check(value)


def test_a_version_without_texts_withdraws_a_page_and_keeps_the_number_of_the_terms():
    withdrawn = OperatedSite(pages={SitePage.TERMS: PageVersion(3, {}, NOW)})
    assert withdrawn.published(SitePage.TERMS) is None
    assert withdrawn.terms == 3
    assert OperatedSite().terms == 0


def test_the_refusal_of_a_draft_has_all_its_blanks_in_words():
    texts = {
        "> **Draft.** x\n\n[[name]] and [[town]], [[name]]": ("draft_blanks", ["name", "town"]),
        "[[name]]": ("blank", ["name"]),
        "> **Draft.** x": ("draft_note", None),
    }
    for text, (rule, blanks) in texts.items():
        with pytest.raises(Invalid) as refusal:
            site.check_pages({SitePage.TERMS: {"en": text}})
        assert (refusal.value.params["rule"], refusal.value.params.get("blank")) == (rule, blanks)
