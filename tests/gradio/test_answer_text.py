"""Answers leave no HTML, image or link outside code, whatever they are and however much of them has arrived."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from arena_gradio.answer_text import closed

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "![tracker](https://evil.example/a.png)",
    "[click](javascript:alert(1))",
    "[vote A][1]\n\n[1]: https://evil.example",
    "https://evil.example and www.evil.example and me@evil.example",
    "<https://evil.example>",
    '<div style="position:fixed;inset:0">over</div>',
    "> <form action=https://evil.example><button>vote</button></form>",
    "&#60;img src=x&#62;",
    "`` ` <img src=x> ``\n\n<b>bold</b>",
    "$$ <img src=x> $$",
    "- a\n  ```\n<img src=x>",
    "```\r\ncode\r\n```\r\n<img src=x>",
    " ```\ncode\n```\n<img src=x>",
    "- ```\ncode\n```\n<img src=x>",
    "1. a\n   ```\n   code\n```\n<img src=x>",
    "  ```\n code\n  ```\n```\n<img src=x>",
    "> ```\n```\n<img src=x>",
    "\t```\n```\n<img src=x>",
    "`a\nb` <img src=x> `c`",
    "\\` <img src=x> `",
    "| ` <img src=x> | x ` |\n|---|---|",
    "```| a\n|-|-|\n<img src=x>\n```\n",
    "a `` b\n` <img src=x> `",
    "$$me@evil.example$$ \\(www.evil.example\\)",
    "\\[![a](https://evil.example)\\]",
    '```mermaid\ngraph TD\nclick A "https://evil.example"\nA --> B\n```',
]
MARKS = ["`", "``", "```", "```\n", "~~~\n", "$$", "\\(", "\\)", "\\", "\n", "\n\n", " ", "  ", "    ", "\t"]
BLOCKS = ["- ", "1. ", "> ", "| ", "|-|-|\n", "a", "<img src=x>", "[a](//b)"]
PROSE = [
    "Use `a < b`, `x[0]`, `` ` `` and `<b>`; `me@b.example` or `**x**`.",
    "- a\n\n     ```\n     x < 1\n     ```\n\n```\n<b>\n```",
    "1. Type\n   ```sh\n   cat <a >b\n   ```\n2. See `<b>`.",
    "> ```py\n> a < b\n> ```\n\n- ```\n  x[0]\n  ```\n- b",
    "~~~html\n<b>&amp;</b>\n~~~\n\n| `a|b` | `[x]` |\n|---|---|\n| 1 & 2 | R&amp;D |".replace("a|b", "ab"),
    "An array `a[i]` of 5 < 6 \\* 7 \\[no link\\] and \\`no code\\`.",
    "```tex\n$$ a < b $$ and \\(x\\)\n```\nis $$ a < b $$",
]
"""What honest models write, with characters that are active elsewhere."""
PARTS = st.lists(st.sampled_from([*HOSTILE, *MARKS, *BLOCKS]), max_size=14)


CODE_TAGS = re.compile(r"<pre><code>[^<>`$\\\n]*</code></pre>|</?code>")
"""The only HTML that is added: tags around characters that are all words, spaces or entities."""


def opened(answer: str) -> list[str]:
    """Everything in an answer that a reader could follow or load, by a renderer that knows HTML and autolinks."""
    tokens = MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(closed(answer))
    children = [child for token in tokens for child in [token, *(token.children or [])]]
    added = {token.content for token in children if CODE_TAGS.fullmatch(token.content.strip())}
    active = [token for token in children if token.type in {"image", "link_open", "html_inline", "html_block"}]
    return [token.type for token in active if token.content not in added]


@pytest.mark.parametrize("answer", HOSTILE)
def test_nothing_hostile_stays_open_in_any_prefix(answer):
    assert [opened(answer[:end]) for end in range(len(answer) + 1) if opened(answer[:end])] == []


@given(PARTS.map("".join))
def test_nothing_stays_open_between_pieces_of_code_and_formulae(answer):
    assert opened(answer) == []


@pytest.mark.parametrize(
    "answer",
    [
        "# Title\n\n- one\n- **two** and *three*\n\n1. four",
        "```python\nif a < b: print('<b>', x[0])\n```",
        "Use `x = f(0)` and `a_1`.",
        "Use `a < b` and `x[0]` for @all of [1] at 5 < 6 & 7 > 2, **or** $5.",
        "$$a^2 + b_1$$ and \\(x_1\\)",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "```\nnever closed <b>",
        "1. Type\n   ```sh\n   cat <a >b\n   ```\n2. See `b`.\n\n```html\n<b>\n```",
        "- a\n\n   ```\n   $x\n\n   y\n   ```\n\n````\n<b>\n```\n````",
        "```sh\necho $$ \\(\n```",
    ],
)
def test_what_is_harmless_stays_as_it_is(answer):
    assert closed(answer) == answer


@pytest.mark.parametrize(("start", "end"), [("$$", "$$"), ("\\(", "\\)"), ("\\[", "\\]")])
@pytest.mark.parametrize("code", ["```\na {} <img src=x>\n```", "`{} <img src=x>`", "~~~\n{}\n<img src=x>\n~~~"])
def test_code_that_a_formula_could_end_or_begin_in_leaves_nothing_open(start, end, code):
    for text in (f"a {start} b\n\n{code.format(end)}", f"{code.format(start)}\n\nb {end} c", code.format(start + end)):
        assert "<img" not in closed(text)
        assert "<code>" in closed(text), "it is code nevertheless"


@pytest.mark.parametrize("before", ["", "a\n", "- ", "> ", "1. x\n   ", "```\nx\n```\n", "\t", "`a\n\n"])
@pytest.mark.parametrize("fence", ["```", "````", "~~~", "``` ", "```\t", "```\u00a0"])
@pytest.mark.parametrize("name", ["mermaid", "Mermaid", "mermaid x"])
def test_a_diagram_is_shown_as_its_source(before, fence, name):
    ticks = fence.strip()
    text = closed(f'{before}{fence}{name}\ngraph TD\nclick A "https://evil.example"\nA --> B[<img src=x>]\n{ticks}\n')
    assert re.search(r"[`~]{3,}\s*mermaid(?!-source)", text, re.IGNORECASE) is None
    assert "graph TD" in text


def test_a_quote_stays_a_quote_and_a_reader_sees_every_character():
    assert closed("> a < b <b") == "> a < b &lt;b"
    html = MarkdownIt("commonmark").render(closed("See https://a.example [1] & me@b.example"))
    assert re.sub("<[^>]+>", "", html).strip() == "See https://a.example [1] &amp; me@b.example"
