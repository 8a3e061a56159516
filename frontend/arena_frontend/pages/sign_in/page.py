"""Content of the page to sign in: the ways in, an invitation, and why the last attempt was refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from pydantic import TypeAdapter

from arena.domain.schemas.owners import SignInView
from arena.domain.sign_in import return_path
from arena_frontend.contents import Content

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading
    from arena_frontend.texts import Texts

_DOOR: Final = TypeAdapter(SignInView)
_GENERAL: Final = "error.sign_in_refused"


async def read(reading: Reading, query: Mapping[str, str]) -> Content:
    """Read the page.

    Raises:
        ApiRefusal: The arena is open to everybody, and has no such page.
    """
    door = await reading.private("/sign-in", _DOOR)
    return Content("sign_in/sign_in.html", lambda words: _values(door, query, words), key=None, caching="no-store")


def _values(door: SignInView, query: Mapping[str, str], words: Texts) -> dict[str, object]:
    reason = f"error.{query['error']}" if "error" in query else ""
    return {
        "door": door,
        "left": "left" in query,
        "to": quote(return_path(query.get("to", "/")), safe=""),
        "invitation": quote(query.get("invitation", ""), safe=""),
        "refusal": words.table.get(reason, words[_GENERAL]) if reason else "",
    }
