"""The about page, written in Markdown, with formulae in MathML, and the pace of this day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from markupsafe import Markup
from pydantic import TypeAdapter

from arena.domain.answers.markdown import trusted_html
from arena.domain.schemas.status import PaceView
from arena_frontend.api_reader import ApiNotReady, ApiRefusal
from arena_frontend.contents import Content

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading
    from arena_frontend.texts import Texts


PACE: Final = TypeAdapter(PaceView)


async def read(reading: Reading, _query: Mapping[str, str]) -> Content:
    """Read the page, which has the pace once the arena is there."""
    try:
        pace = await reading.view("/pace", PACE)
    except (ApiNotReady, ApiRefusal):
        pace = None
    return Content("about/about.html", lambda words: _values(words, pace))


def _values(words: Texts, pace: PaceView | None) -> dict[str, object]:
    content = Markup(trusted_html(words.about))  # noqa: S704 - the arena's own text
    return {"content": content, "pace": pace}
