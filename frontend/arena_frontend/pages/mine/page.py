"""The page of a voter's own battles, chats and board on this device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from pydantic import TypeAdapter

from arena.domain.schemas.owners import SignInView
from arena.domain.schemas.voters import MyBattlesView, MyBoardView, MyChatsView
from arena_frontend.api_reader import ApiRefusal
from arena_frontend.contents import Content
from arena_frontend.reports import refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading

_BATTLES: Final = TypeAdapter(MyBattlesView)
_CHATS: Final = TypeAdapter(MyChatsView)
_DOOR: Final = TypeAdapter(SignInView)
_BOARD: Final = TypeAdapter(MyBoardView)


async def read(reading: Reading, query: Mapping[str, str]) -> Content:
    """Read the voter's newest battles, or those before a battle of the query."""
    before = query.get("before", "")[:100]
    parameters = f"?{urlencode({'before': before})}" if before else ""
    try:
        battles = await reading.private(f"/me/battles{parameters}", _BATTLES)
        chats = await reading.private("/me/chats", _CHATS)
        board = await reading.private("/me/board", _BOARD)
    except ApiRefusal as refused:
        return refusal("mine", refused, "/mine")
    fixed = {"place": "mine", "texts": "mine", "refused": None, "member": await _member(reading)}
    values = {"battles": battles.battles, "before": battles.next, "chats": chats.chats, "board": board} | fixed
    return Content("mine/mine.html", lambda _: values, key=None, caching="no-store")


async def _member(reading: Reading) -> bool:
    """Whether the visitor has signed in; nobody does where everybody may take part."""
    try:
        return (await reading.private("/sign-in", _DOOR)).member
    except ApiRefusal:
        return False
