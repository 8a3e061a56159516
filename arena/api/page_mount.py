"""Mount of the front end: requests outside the API go to the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starlette.routing import BaseRoute, Match, NoMatchFound

if TYPE_CHECKING:
    from starlette.datastructures import URLPath
    from starlette.types import Receive, Scope, Send

INSIDE: Final = ("/api/", "/log/", "/healthz", "/readyz")


class PageMount(BaseRoute):
    """Passes requests outside the API to `app.state.pages`, if it is set.

    As the first route: behind the sixty others each of the seventy files of a visit would be compared with all of them.
    """

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match every path outside the API once there are pages."""
        pages = getattr(scope["app"].state, "pages", None)
        inside = scope["type"] != "http" or scope["path"].startswith(INSIDE)
        return (Match.NONE, {}) if inside or pages is None else (Match.FULL, {"endpoint": pages})

    def url_path_for(self, name: str, /, **path_params: Any) -> URLPath:  # noqa: ANN401 - starlette's own
        """Raise, since pages are addressed by their paths."""
        raise NoMatchFound(name, path_params)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        await scope["app"].state.pages(scope, receive, send)
