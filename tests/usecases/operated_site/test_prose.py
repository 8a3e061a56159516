"""The operator's Markdown becomes a tree of a few harmless elements, whatever the text."""

from collections.abc import Sequence

import pytest

from arena.domain.errors import Invalid
from arena.domain.schemas.site import ProseView
from arena.usecases.operated_site.prose import allowed, prose
from tests.frontend.hostile import PAYLOADS, payloads_for, random_texts


def elements(views: Sequence[ProseView]) -> list[ProseView]:
    return [part for view in views for part in (view, *elements(view.children))]


def text_of(views: Sequence[ProseView]) -> str:
    return "".join(part.text for part in elements(views))


def test_heads_lists_tables_and_emphasis_keep_their_meaning():
    views = prose("# Us\n\n1. **one**\n2. *two*\n\n| a | b |\n|---|---|\n| c | `d` |\n\n> e\n\n---\n")
    tags = [view.tag for view in elements(views) if view.tag]
    table = "table thead tr th th tbody tr td td code"
    assert tags == f"h2 ol li p strong li p em {table} blockquote p hr".split()
    assert text_of(views) == "Usonetwoabcde"


def test_a_line_break_that_is_meant_stays_one():
    assert [view.tag for view in prose("a\\\nb")[0].children] == ["", "br", ""]


@pytest.mark.parametrize(
    "links", [payloads_for("http://127.0.0.1:9"), random_texts(300, seed=7, canary="http://127.0.0.1:9")]
)
def test_hostile_markdown_becomes_text_and_links_to_the_web_only(links):
    assert len(PAYLOADS) >= 71
    for payload in links:
        for part in elements(prose(payload)):
            assert not part.href or allowed(part.href), payload
            assert (part.tag == "a") is bool(part.href), payload
            assert not part.text or not part.children


@pytest.mark.parametrize(
    "address",
    [
        *(
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "file:///etc/passwd",
            "blob:x",
        ),
        *("//evil.example", "/\\evil.example", "\\\\evil.example", "http:\\\\evil.example", "https://a@evil.example"),
        *("https://", "http://evil.example\\x", "ftp://a.example", "tel:+1", "about", "https://[::1", "mailto:"),
    ],
)
def test_a_link_that_leads_nowhere_good_is_text(address):
    assert not allowed(address)
    hrefs = [part.href for part in elements(prose(f"[x](<{address}>)")) if part.href]
    assert hrefs in ([], ["/%5Cevil.example"])  # a path of the arena, since the parser encodes a backslash


@pytest.mark.parametrize(
    "address", ["https://a.example/b?c=d#e", "http://127.0.0.1:8000/", "mailto:a+b@c.example", "/about#terms", "#top"]
)
def test_links_to_the_web_to_mail_and_into_the_arena_stay(address):
    assert [part.href for part in elements(prose(f"[x]({address})")) if part.tag == "a"] == [address]


def test_elements_of_html_are_shown_as_typed_and_pictures_as_their_description():
    views = prose("<script>alert(1)</script> <img src=x onerror=y> ![a mark](https://a.example/x.png)")
    assert text_of(views) == "<script>alert(1)</script> <img src=x onerror=y> a mark"
    assert {part.tag for part in elements(views)} == {"", "p"}


def test_unseen_characters_are_taken_out():
    assert text_of(prose("a\u202eb\u2066c\x07d\ue000e")) == "abcde"


def test_deep_nesting_ends():
    assert prose(">" * 5000 + " x")


@pytest.mark.parametrize(
    "text", ["*a _b " * 1500 + "c" + " d_ e*" * 1500, "|" + "a|" * 400 + "\n|" + "-|" * 400 + "\n" + "|b\n" * 400]
)
def test_a_text_that_would_be_a_huge_page_is_refused(text):
    with pytest.raises(Invalid) as refusal:
        prose(text)
    assert refusal.value.params == {"rule": "elements"}
