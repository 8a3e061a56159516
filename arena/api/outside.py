"""The pages beside the API: what is no call of it is theirs, before a route is looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

INSIDE: Final = ("/api/", "/healthz", "/readyz")


class Outside:
    """Hands a page's files to `app.state.pages`, where a door has put any.

    As the last of all routes they would be tried after sixty others, and a visit asks for seventy files.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        pages = getattr(scope["app"].state, "pages", None)
        inside = scope["type"] != "http" or scope["path"].startswith(INSIDE)
        await (self.app if inside or pages is None else pages)(scope, receive, send)
