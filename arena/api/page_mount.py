"""Mount of the front end: requests outside the API go to the pages before routing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

INSIDE: Final = ("/api/", "/log/", "/healthz", "/readyz")


class PageMount:
    """Passes requests outside the API to `app.state.pages`, if it is set.

    As the last route the pages would be tried after sixty others, and a visit requests seventy files.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        pages = getattr(scope["app"].state, "pages", None)
        inside = scope["type"] != "http" or scope["path"].startswith(INSIDE)
        await (self.app if inside or pages is None else pages)(scope, receive, send)
