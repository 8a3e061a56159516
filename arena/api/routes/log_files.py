"""The published transparency log at `/log/…`: files that never change, and checkpoints that do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from starlette.responses import FileResponse

from arena.api.http.problems import problem
from arena.domain.errors import MethodNotAllowed, NotFound

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.types import Receive, Scope, Send

PREFIX: Final = "/log/"
_TILE: Final = r"tile/(?:entries|[0-9]|[1-5][0-9]|6[0-3])/(?:x[0-9]{3}/)*[0-9]{3}(?:\.p/[1-9][0-9]{0,2})?"
_TEXT: Final = re.compile(r"key|(?:checkpoint|witnessed/[0-9a-f]{64})(?:\.keys)?")
_FILE: Final = re.compile(rf"{_TEXT.pattern}|{_TILE}")
_FOREVER: Final = "public, max-age=31536000, immutable"
_SHORT: Final = "public, max-age=2"


class LogFileServer:
    """Serves the files of the log.

    Reading them needs no cookie, and nothing in them depends on a battle without a vote.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = scope["path"].removeprefix(PREFIX)
        path, text = self.folder / name, _TEXT.fullmatch(name) is not None
        if scope["method"] not in {"GET", "HEAD"}:
            answer = problem(MethodNotAllowed())
            answer.headers["Allow"] = "GET, HEAD"
        elif _FILE.fullmatch(name) is None or not path.is_file():
            answer = problem(NotFound())
        else:
            answer = FileResponse(
                path,
                media_type="text/plain; charset=utf-8" if text else "application/octet-stream",
                headers={"Cache-Control": _SHORT if text else _FOREVER, "Access-Control-Allow-Origin": "*"},
            )
        await answer(scope, receive, send)
