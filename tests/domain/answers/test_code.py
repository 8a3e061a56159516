"""Colours of code: every lexer that is listed takes a bounded time, whatever a model repeats."""

from __future__ import annotations

import time
from html import unescape
from re import sub

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.domain.answers import code
from arena.domain.answers.bounds import MAX_CODE, MAX_CODE_LINE, MAX_CODE_LINES, MAX_CODE_WORDS

SIGNS = (
    *(
        "a ",
        "(",
        "{",
        "[",
        '"',
        "'",
        "`",
        "<",
        "/*",
        "//",
        "#",
        "\\",
        "$",
        "${",
        "<<EOF ",
        "'''",
        '"""',
        "--",
        "{{",
        "<%",
    ),
    *(
        "@",
        "%",
        "|",
        "-",
        "0x",
        "1.",
        "e",
        "_",
        "a.b",
        "a(",
        "::",
        "?",
        "&",
        "#{",
        "s/",
        "q(",
        '@"',
        "<a ",
        "<!--",
        "=",
    ),
    *(
        "<script>",
        "/",
        " ",
        "\t",
        "a=",
        'R"(',
        "%w(",
        "/*\n",
        "{-\n",
        "(*\n",
        "=begin\n",
        "a\n",
        "a:\n",
        "\\\n",
        "!",
        "~",
    ),
)


@pytest.mark.heavy
@pytest.mark.parametrize("language", sorted(code.LANGUAGES))
def test_no_lexer_takes_longer_than_half_a_second(language: str) -> None:
    code.highlighted("a", language)
    slow = []
    for sign in SIGNS:
        row = (sign * MAX_CODE_LINE)[:MAX_CODE_LINE] if "\n" not in sign else sign
        for body in (row + "\n", row.rstrip("\n") + " x\n", "\n" * 19 + row + "\n"):
            text = "\n".join((body * MAX_CODE)[:MAX_CODE].split("\n")[: MAX_CODE_LINES - 1])
            start = time.process_time()
            code.highlighted(text, language)
            if (seconds := time.process_time() - start) > 0.5:
                slow.append((round(seconds, 2), sign))
    assert slow == []


@given(st.sampled_from(sorted(code.LANGUAGES)), st.lists(st.sampled_from([*SIGNS, "\n"]), max_size=30))
@settings(max_examples=200, deadline=None)
def test_colours_change_no_character_of_the_code(language: str, signs: list[str]) -> None:
    text = "".join(signs)
    assert unescape(sub("<.*?>", "", code.highlighted(text, language))) == text


def test_code_that_is_a_row_of_words_has_no_colours() -> None:
    words = "new " * MAX_CODE_WORDS
    rows = f"{words[:200]}\n{words[200:]}\n"
    for end in ("new", "\nnew", "List<A>[]"):
        assert "a-keyword" not in code.highlighted(rows + end, "java")
    assert "a-keyword" in code.highlighted(f"{rows}= {rows}", "java")
    assert "a-keyword" in code.highlighted("<a>\n" * 2 * MAX_CODE_WORDS, "html")


@pytest.mark.parametrize("text", ["a" * (MAX_CODE + 1), "a" * (MAX_CODE_LINE + 1), "\n" * (MAX_CODE_LINES + 1), ""])
def test_code_beyond_the_bounds_has_no_colours(text: str) -> None:
    assert code.highlighted(text, "python") == text
