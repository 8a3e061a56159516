"""Visitors of the app at the arena: whose cookie it is, and from where they come."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from arena.client import ArenaClient

if TYPE_CHECKING:
    from gradio import Request

HEADER: Final = "x-arena-visitor"
"""Header in which the app names the visitor; the arena believes it with the token that both know."""
AGENT_LIMIT: Final = 300


Visit = dict[str, Any]
"""The content of a browser's storage: `cookies` of the voter by name, `agreed`, the version of the terms that they have
accepted, and by kind (`battle`, `pair`, `direct`) the id of the conversation that is open. `turn` and `generation` are
those of the answers of the battle that the page shows."""


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
