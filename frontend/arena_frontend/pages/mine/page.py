"""The page of a voter's own battles, chats and board: those of the device, or of a member's account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from pydantic import TypeAdapter

from arena.domain.schemas.owners import SignInView
from arena.domain.schemas.voters import MyBattlesView, MyBoardView, MyChatsView
from arena.domain.terms import Access
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
_PARTS: Final = tuple(f"forget.{part}" for part in ("cookie", "texts", "links", "votes"))
_MEMBER_PARTS: Final = ("forget.members.cookie", "forget.members.texts", "forget.links", "forget.members.votes")
"""Texts on what is forgotten, and what is not."""


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
    values = {"battles": battles.battles, "before": battles.next, "chats": chats.chats, "board": board}
    fixed = _words(await _door(reading)) | values
    return Content("mine/mine.html", lambda _: fixed, key=None, caching="no-store")


def _words(door: SignInView | None) -> dict[str, object]:
    """The texts that depend on who may take part: a member's list and key are the account's, not the device's."""
    has_members = door is not None and door.access is not Access.PUBLIC
    is_member = door is not None and door.member
    return {
        "place": "mine",
        "texts": "mine",
        "refused": None,
        "member": is_member,
        "lead": "mine.members.lead" if has_members else "mine.lead",
        "out": has_members and not is_member,
        "parts": _MEMBER_PARTS if is_member else _PARTS,
    }


async def _door(reading: Reading) -> SignInView | None:
    """The way in, with whether the visitor has signed in; None where nobody does."""
    try:
        return await reading.private("/sign-in", _DOOR)
    except ApiRefusal:
        return None
