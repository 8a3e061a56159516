"""Middleware of an arena with members: who has not signed in is refused, or sent to the page to sign in."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse

from arena.api.contract import BASE
from arena.api.http.guard import SAFE
from arena.api.http.problems import problem
from arena.api.http.server import API_PATHS, GRADIO
from arena.domain.errors import SignInRefused, SignInRequired
from arena.domain.http_documents import FRAMES
from arena.domain.terms import Access

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Receive, Scope, Send

    from arena.adapters.openid.provider import OpenIdProvider
    from arena.api.http.voter_cookie import Cookies
    from arena.domain.sign_in import TrustedHeader

PAGE: Final = "/sign-in"
INSIDE: Final = "arena.inside"
"""Key in the scope of requests that the arena makes to itself; no server sets it."""
_VOTING: Final = tuple(f"{BASE}/{room}" for room in ("battles", "chats", "images"))
"""Prefixes of the paths by which people battle, chat and vote."""
_OPERATED: Final = ("/imprint", "/privacy", "/terms")
"""Legal pages of the operator, which everybody may read."""
_OPEN: Final = (
    *(PAGE, "/about", *_OPERATED, "/arena/", "/robots.txt", "/healthz", "/readyz", "/.well-known/", GRADIO),
    # Requests to these bring a key or a sealed address.
    FRAMES,
    *("/operator", "/owners"),
    *(
        f"{BASE}/{room}"
        for room in ("sign-in", "sign-out", "site", "operator", "owners", "endpoints", "presets", "dialects")
    ),
)
_BOARD: Final = (
    *("/leaderboard", "/boards", "/model", "/pairs", "/integrity", "/files", "/log/"),
    *(
        f"{BASE}/{room}"
        for room in ("leaderboard", "models", "pairs", "status", "integrity", "votes/", "audit/", "pace", "files")
    ),
)
"""Prefixes of the paths of boards, and of the files from which they can be recomputed."""
_HEADER_HOURS: Final = timedelta(hours=1)


@dataclass(frozen=True)
class Entrance:
    """Access to the arena, and the ways to sign in; providers send people back to `address`, the public one."""

    access: Access
    address: str = ""
    providers: Mapping[str, OpenIdProvider] = field(default_factory=dict[str, "OpenIdProvider"])
    header: TrustedHeader | None = None
    public_board: bool = False

    @property
    def operated(self) -> bool:
        """Whether operators can sign in."""
        return any(provider.rules.operator for provider in self.providers.values())

    async def aclose(self) -> None:
        """Close the connections to the providers."""
        for provider in self.providers.values():
            await provider.aclose()

    def closed(self, method: str, path: str) -> bool:
        """Whether a request is for members alone."""
        if self.access is Access.PUBLIC:
            return False
        if self.access is Access.MEMBERS_VOTE:
            return method not in SAFE and path.startswith(_VOTING)
        return not path.startswith((*_OPEN, *_BOARD) if self.public_board else _OPEN)


class MembersOnly:
    """Refuses requests for members alone to everybody else; pages redirect them to sign in."""

    def __init__(self, app: ASGIApp, entrance: Entrance, cookies: Cookies) -> None:
        self.app = app
        self.entrance = entrance
        self.cookies = cookies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or INSIDE in scope or not self.entrance.closed(scope["method"], scope["path"]):
            return await self.app(scope, receive, send)
        voter = self.cookies.voter(Request(scope))
        if voter and voter.member:
            return await self.app(scope, receive, send)
        answer = problem(SignInRequired())
        if scope["method"] in SAFE and not scope["path"].startswith(API_PATHS):
            answer = RedirectResponse(f"{PAGE}?to={quote(scope['path'], safe='')}", 303, {"Cache-Control": "no-store"})
        return await answer(scope, receive, send)


class HeaderMembers:
    """Replaces the header of a trusted proxy with the cookie of a member, before anything else reads the request."""

    def __init__(self, app: ASGIApp, header: TrustedHeader, cookies: Cookies) -> None:
        self.app = app
        self.header = header
        self.cookies = cookies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        names = Headers(scope=scope).getlist(self.header.name) if scope["type"] == "http" else []
        if not names:
            return await self.app(scope, receive, send)
        host = (scope.get("client") or ("", 0))[0]
        if len(names) > 1 or not names[0].strip() or not self.header.comes_from(host):
            return await problem(SignInRefused(rule="header"))(scope, receive, send)
        return await self.app(
            {**scope, "headers": self._member_headers(scope, self.header.subject(names[0].strip()))}, receive, send
        )

    def _member_headers(self, scope: Scope, name: str) -> list[tuple[bytes, bytes]]:
        """The request's headers with the member's cookie in place of the proxy's header and of any voter cookie."""
        cookies = {key: value for key, value in Request(scope).cookies.items() if key != self.cookies.name}
        until = datetime.now(UTC) + _HEADER_HOURS
        cookies[self.cookies.name] = self.cookies.admitted(f"header {self.header.name}", name, until)
        outdated = {b"cookie", self.header.name.lower().encode()}
        headers = [(key, value) for key, value in scope["headers"] if key not in outdated]
        text = "; ".join(f"{key}={value}" for key, value in cookies.items())
        return [*headers, (b"cookie", text.encode("latin-1"))]
