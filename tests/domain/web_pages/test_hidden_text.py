"""A name in a page's source is read as the browser would show it."""

from __future__ import annotations

from base64 import b64encode

import pytest

from arena.domain.blinding.identity.disclosure import own_names
from arena.domain.web_pages.hidden_text import hidden_texts

NAME = "zephyr-9"


@pytest.mark.parametrize(
    "source",
    [
        NAME,
        "<b>ze</b>phyr-<i>9</i>",
        "&#122;ephyr&#45;9",
        r"'\x7aephyr-\u0039'",
        r"b::after{content:'\7a ephyr-9'}",
        "'zep' + 'hyr' + '-9'",
        f"atob('{b64encode(b'made by zephyr-9').decode()}')",
        f"<img src='data:text/plain;base64,{b64encode(NAME.encode()).decode()}'>",
    ],
)
def test_references_escapes_joined_strings_tags_and_base64_are_decoded(source):
    assert any(NAME in text for text in hidden_texts(source))


PLACES = {
    "title": "<title>{}</title>",
    "heading": "<h1>{}</h1>",
    "meta": '<meta name="author" content="{}">',
    "comment": "<!-- {} -->",
    "canvas": "<canvas id=c></canvas><script>c.getContext('2d').fillText('{}', 9, 9)</script>",
    "log": "<script>console.log('{}')</script>",
    "style": "<style>b::after {{ content: '{}' }}</style>",
    "attribute": '<b data-by="{}" title="x">b</b>',
    "picture": '<svg><text>{}</text></svg><img alt="{}">',
    "template": "<template>{} </template> <noscript>{}</noscript>",
}
"""Places of a page in which a model could name itself."""
WAYS = {
    "plain": NAME,
    "references": "".join(f"&#{ord(letter)};" for letter in NAME),
    "escapes": "".join(f"\\x{ord(letter):02x}" for letter in NAME),
    "joined": "zep' + 'hyr' + '-9",
    "tags": "<i>zep</i>hyr-<i>9</i>",
    "base64": b64encode(f"by {NAME}!".encode()).decode(),
    "case": NAME.upper(),
    "numbers": ", ".join(str(ord(letter)) for letter in NAME),
    "backwards": NAME[::-1],
    "percent": "".join(f"%{ord(letter):02x}" for letter in NAME),
}
LEFT = {"numbers", "backwards"}
"""Names that only a script composes; if it writes one as text, the browser reports it."""


def test_of_a_hundred_pages_that_name_their_maker_the_source_tells_all_that_no_script_computes():
    maker = own_names([NAME], [], "Zephyr Labs", NAME)
    pages = {(place, way): html.format(*[text] * 2) for place, html in PLACES.items() for way, text in WAYS.items()}
    names = {key for key, page in pages.items() if maker.disclosed_by([page, *hidden_texts(page)])}
    table = [f"{way:12}{sum((place, way) in names for place in PLACES):3} of {len(PLACES)}" for way in WAYS]
    print("\n".join(table))  # noqa: T201 - what is found and what is left
    assert len(pages) == 100
    assert set(pages) - names == {(place, way) for place in PLACES for way in LEFT}
