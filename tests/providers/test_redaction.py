"""A key is redacted in every usual spelling, even if truncated, and in linear time."""

from __future__ import annotations

import base64
import html
import json
from functools import partial
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_providers.transport.redaction import redact
from tests.effort import is_affordable

KEY = 'sk-Abc/12+=u&é<"x'


@pytest.mark.parametrize(
    "spelled",
    [
        KEY,
        json.dumps(KEY)[1:-1],
        json.dumps(KEY)[1:-1].replace("/", "\\/"),
        json.dumps(json.dumps(KEY)[1:-1])[1:-1],
        quote(KEY),
        quote(KEY, safe=""),
        html.escape(KEY),
        "".join(f"\\u{ord(each):04X}" for each in KEY),
        "".join(f"&#{ord(each)};" for each in KEY),
        "".join(f"&#x{ord(each):X};" for each in KEY),
    ],
)
def test_every_usual_spelling_is_struck_out(spelled):
    assert redact(f"you sent {spelled}, which is wrong", KEY) == "you sent [key], which is wrong"


@pytest.mark.parametrize("length", range(6, len(KEY)))
def test_a_beginning_of_the_key_at_the_end_of_the_words_is_struck_out(length):
    assert redact(f"you sent {KEY[:length]}", KEY) == "you sent [key]"
    assert redact(f"you sent {KEY[:length]} \n\n", KEY) == "you sent [key]"


@pytest.mark.parametrize("words", ["", "nothing here", "sk-Ab", "sk-Abd/12+=u", base64.b64encode(b"other").decode()])
def test_other_words_stay_as_they_are(words):
    assert redact(words, KEY) == words
    assert redact(words, None) == redact(words, "") == words


@given(st.text(min_size=1, max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_no_key_is_left_wherever_it_stands(key, before, after):
    assert key not in redact(before + key + after, key).replace("[key]", "")


@pytest.mark.parametrize("letters", ["\\", "%", "%25", "&", "a", "u", "\\u005c", "&amp;"])
def test_words_that_are_made_to_be_slow_are_not(letters):
    for key in ((letters * 200)[:200], (letters * 200)[:199] + "!"):
        assert is_affordable(partial(redact, (letters * 8_000)[:8_000], key))
