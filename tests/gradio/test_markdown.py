"""Gradio's Markdown, which is marked's, makes no HTML, image or link of any answer; skipped without its npm package."""

from __future__ import annotations

import json
import random
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

from arena_gradio.answer_text import closed
from tests.domain.answers.texts import PAYLOADS
from tests.frontend.hostile import random_texts
from tests.gradio.test_answer_text import HOSTILE, PROSE
from tests.paths import ROOT

pytestmark = pytest.mark.process

PAYLOAD = [
    "<img src=x>",
    "![i](//b)",
    "[l](//b)",
    "[1]: //b",
    "[r][1]",
    "<a href=x>",
    "https://a.example/p",
    "www.a.example",
    "m@a.example",
    "<https://a.example>",
    "<script>",
    "<!-- ",
    "-->",
    "<div\n",
    "onerror=x>",
]
MARKS = [
    *(
        "`",
        "``",
        "```",
        "````",
        "~~~",
        "~~",
        "~",
        "```py",
        "```py\n",
        "```\n",
        "~~~\n",
        "```mermaid\n",
        "``` a b",
        "\\",
    ),
    *("\n", "\n", "\n\n", " ", "  ", "    ", "\t", "\n    ", "\n   ", "> ", "\n> ", "\n- ", "\n1. ", "- [x] ", "\n# "),
    *("\\", "|", "\n|a|b|\n|-|-|\n|", "a|b\n-|-\n", "\n---\n", "*", "**", "_", "$$", "$", "\\(", "\\)", "\\[", "\\]"),
    *("&", "&lt;", "&#60;", "%%%LATEX_BLOCK_0%%%", "{", "(", ")", "[", "]", "!", "<", ">", ":", "/", "@", "a", "bc"),
    *("\u00a0", "\u200b", "\r", "\u2028", "\x0b", "\x0c", "\ufeff", "中文", "'", '"', "$'", "$&"),
]
TAGS = {
    *("p", "br", "strong", "em", "del", "code", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "hr"),
    *("blockquote", "table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {("code", "class"), ("ol", "start"), ("th", "align"), ("td", "align")}
BOX = {"type": "checkbox", "disabled": ""}
"""The box of a list of tasks, which nobody can press."""


class ActiveTags(HTMLParser):
    """What a browser would find in HTML that is no mere text: other elements and attributes."""

    def __init__(self) -> None:
        """Begin with none."""
        super().__init__()
        self.names = list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note it, unless it is of those that Markdown without links has."""
        others = [f"{tag} {name}" for name, _ in attrs if (tag, name) not in ATTRIBUTES]
        is_box = tag == "input" and {"checked": "", **dict(attrs)} == {"checked": "", **BOX}
        self.names += others if tag in TAGS else [] if is_box else [tag]

    def handle_comment(self, data: str) -> None:
        """Note a comment."""
        self.names.append(f"<!--{data}")


class VisibleText(HTMLParser):
    """The words that a reader sees."""

    def __init__(self) -> None:
        """Begin without any."""
        super().__init__()
        self.words = list[str]()

    def handle_data(self, data: str) -> None:
        """Add them."""
        self.words += data.split()


def rendered(texts: list[str]) -> list[str]:
    """The HTML of each text."""
    if not (ROOT / "node_modules" / "marked").is_dir():
        pytest.skip("the npm package marked is not installed")
    node, _ = compute_driver_executable()
    lines = "".join(f"{json.dumps(text)}\n" for text in texts)
    command = [node, Path(__file__).with_name("markdown.mjs")]
    result = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, timeout=300)
    return [json.loads(line) for line in result.stdout.split("\n")[:-1]]


def active(html: str) -> list[str]:
    """Names of what is active in HTML."""
    tags = ActiveTags()
    tags.feed(html)
    return tags.names


def mixed_texts(count: int, seed: int) -> list[str]:
    """Marks and payloads in any order; the marks of one text are of a few kinds, so that they meet."""
    draw, texts = random.Random(seed), list[str]()
    for _ in range(count):
        marks, share = draw.sample(MARKS, draw.randint(3, len(MARKS))), draw.choice([0.15, 0.3, 0.5])
        length = draw.randint(1, draw.choice([3, 6, 12, 25]))
        texts.append("".join(draw.choice(PAYLOAD if draw.random() < share else marks) for _ in range(length)))
    return texts


def test_no_text_has_anything_active():
    mixed = mixed_texts(6000, 3)
    prefixes = [text[:end] for text in [*HOSTILE, *mixed[:20]] for end in range(len(text))]
    texts = [*PAYLOADS, *random_texts(1000, 11, "http://127.0.0.1:9"), *HOSTILE, *prefixes, *mixed]
    answers = [text.encode("utf-8", "replace").decode() for text in texts]
    pages = rendered([closed(answer) for answer in answers])
    assert len(pages) == len(answers)
    assert [(answer, names) for answer, html in zip(answers, pages, strict=True) if (names := active(html))] == []


def test_a_text_that_is_not_closed_has():
    assert [bool(active(html)) for html in rendered(["<img src=x>", "m@a.example", "`$$ <img src=x> $$`"])] == [
        True
    ] * 3


def test_a_reader_sees_the_same_words_as_without_it():
    pages = rendered([text for prose in PROSE for text in (prose, closed(prose))])
    words = [VisibleText() for _ in pages]
    for reader, html in zip(words, pages, strict=True):
        reader.feed(html)
        reader.close()
    assert [reader.words for reader in words[::2]] == [reader.words for reader in words[1::2]]
