"""Pages that show one report of the API: its content, or why it cannot be read."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from arena_frontend.contents import Content

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from arena_frontend.api_reader import ApiRefusal
    from arena_frontend.texts import Texts


def report(page: str, values: Mapping[str, object], *, texts: str = "", key: str = "") -> Content:
    """Return the content of a page by its template; `texts` is the prefix of the keys of its title and lead."""
    fixed = {"place": texts or page, "texts": texts or page, "refused": None}
    return Content(f"{page}/{page}.html", lambda words: {**fixed, "named": _named(words), **values}, key=key)


def refusal(page: str, refused: ApiRefusal, again: str, texts: str = "") -> Content:
    """Return the content of a page whose report cannot be read; `again` is its address."""
    status = HTTPStatus.NOT_FOUND if refused.status == HTTPStatus.NOT_FOUND else refused.page_status
    values = {"place": texts or page, "texts": texts or page, "refused": refused, "again": again}
    return Content(f"{page}/{page}.html", lambda _: values, status, key=None)


def _named(words: Texts) -> Callable[[str], str]:
    """Return the function that names a category, or what has no name."""

    def named(name: str) -> str:
        return words.named("category", name) if name else words["sets.unnamed"]

    return named
