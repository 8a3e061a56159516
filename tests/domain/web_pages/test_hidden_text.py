"""A name in a page's source is read as the browser would show it."""

from __future__ import annotations

from base64 import b64encode

import pytest

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
