"""The about page, written in Markdown, with formulae in MathML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from arena_frontend.contents import Content

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading
    from arena_frontend.texts import Texts


async def read(_reading: Reading, _query: Mapping[str, str]) -> Content:
    """Read the page, which has no data of the arena."""
    return Content("about/about.html", _values)


def _values(words: Texts) -> dict[str, Any]:
    html = MarkdownIt("commonmark").enable("table").render(words.about)
    return {"content": Markup(html)}  # noqa: S704 - the arena's own text
