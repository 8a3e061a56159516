"""Visitors of the app at the arena: whose cookie it is, and from where they come."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlencode

from arena.client import ArenaClient

if TYPE_CHECKING:
    from gradio import Request

HEADER: Final = "x-arena-visitor"
"""Header in which the app names the visitor; the arena believes it with the token that both know."""
AGENT_LIMIT: Final = 300
_COOKIE: Final = re.compile(r"[!-+\--:<-~]{0,4000}")
_ID: Final = re.compile(r"[\w-]{0,64}", re.ASCII)


Visit = dict[str, Any]
"""The content of a browser's storage: `cookies` of the voter by name, `agreed`, the version of the terms that they have
accepted, and by kind (`battle`, `pair`, `direct`) the id of the conversation that is open. `turn` and `generation` are
those of the answers of the battle that the page shows."""


def read_visit(value: object) -> Visit:
    """Return the visit that a browser has sent; whatever else has been sent in its place is a first visit."""
    if not isinstance(value, dict):
        return {}
    visit = cast("Visit", value)
    numbers = (visit.get(name) for name in ("agreed", "turn", "generation"))
    is_visit = (
        is_cookies(visit.get("cookies", {}))
        and all(number is None or isinstance(number, int) for number in numbers)
        and all(is_id(visit.get(kind, "")) for kind in ("battle", "pair", "direct"))
    )
    return visit if is_visit else {}


def is_cookies(value: object) -> bool:
    """Whether a value has cookies by name, as headers may have them."""
    pairs = cast("dict[object, object]", value).items() if isinstance(value, dict) else [(None, None)]
    return all(isinstance(word, str) and _COOKIE.fullmatch(word) for pair in pairs for word in pair)


def is_id(value: object) -> bool:
    """Whether a value can be the id of a conversation, or none."""
    return isinstance(value, str) and bool(_ID.fullmatch(value))


@dataclass(frozen=True, slots=True)
class Arena:
    """The arena that the app asks, the address of its pages, and the token for naming visitors, if there is one."""

    url: str
    page: str
    token: str = ""

    def model_page(self, name: str) -> str:
        """Address of the page of a model."""
        return f"{self.page}/model?{urlencode({'name': name})}"

    def client(self, visit: Visit, request: Request | None) -> ArenaClient:
        """Return a client that acts as the visitor."""
        headers = {HEADER: _described(self.token, request)} if self.token and request else {}
        return ArenaClient(self.url, cookies=visit.get("cookies", {}), headers=headers)


def _described(token: str, request: Any) -> str:  # noqa: ANN401 - what Gradio knows of a request has no types
    headers, client = request.headers, request.client
    return json.dumps(
        {
            "token": token,
            "address": client.host if client else "",
            "agent": headers.get("user-agent", "")[:AGENT_LIMIT],
            "mobile": headers.get("sec-ch-ua-mobile", "")[:4],
        }
    )
